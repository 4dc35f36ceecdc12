import { base64url, importJWK, SignJWT } from "jose";
import type { PushConfig } from "../../push/config.ts";

/** Push services take a proof for a day at most; this one does for a request. */
const LIFETIME = "12h";
/** Before either coordinate of an uncompressed point stands one byte. */
const COORDINATE_BYTES = 32;

/** The Authorization header by which a push service knows who sends (RFC 8292); `endpoint` is where it is sent to. */
export async function vapidAuthorization({ publicKey, privateKey, subject }: PushConfig, endpoint: string): Promise<string> {
  const point = base64url.decode(publicKey);
  const half = (from: number) => base64url.encode(point.slice(from, from + COORDINATE_BYTES));
  const key = await importJWK({ kty: "EC", crv: "P-256", x: half(1), y: half(1 + COORDINATE_BYTES), d: privateKey }, "ES256");
  const token = new SignJWT(subject === null ? {} : { sub: subject })
    .setProtectedHeader({ typ: "JWT", alg: "ES256" })
    .setAudience(new URL(endpoint).origin)
    .setExpirationTime(LIFETIME);
  return `vapid t=${await token.sign(key)}, k=${publicKey}`;
}
