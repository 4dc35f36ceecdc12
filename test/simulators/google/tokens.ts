import { createHash } from "node:crypto";
import { base64url, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from "jose";

/** What can go wrong with the answer of `POST /token`. */
export const googleFaults = [
  "wrong-aud",
  "wrong-iss",
  "expired",
  "bad-nonce",
  "no-nonce",
  "unknown-kid",
  "bad-signature",
  "alg-none",
  "alg-hs256",
  "unverified-email",
  "no-email",
  "no-id-token",
  "invalid-grant",
  "invalid-client",
  "token-500",
  "token-html",
  "token-hang",
  "certs-500",
  "no-auth-time",
  "old-auth-time",
] as const;
export type GoogleFault = (typeof googleFaults)[number];

/** `hosted` is the domain that manages their account, empty for none: their address's own unless given. */
export type Person = { email: string; name: string; picture?: string | undefined; hosted?: string | undefined };

export type TokenInput = {
  person: Person;
  clientId: string;
  issuer: string;
  nonce: string | null;
  authTime: number | null;
  fault: GoogleFault | null;
};

/** Signs id tokens and publishes the keys to check them with. */
export type Signer = { jwks: { keys: JWK[] }; sign(input: TokenInput): Promise<string> };

/** A person's stable key: 21 digits, the same for the same address. */
export function subjectOf({ email }: Person): string {
  const digits = BigInt(`0x${createHash("sha256").update(email.toLowerCase()).digest("hex")}`).toString();
  return `1${digits.slice(0, 20)}`;
}

function claimsOf({ person, clientId, issuer, nonce, authTime, fault }: TokenInput): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  const issuedAt = fault === "expired" ? now - 7200 : now;
  const [givenName = "", ...family] = person.name.split(" ");
  const hosted = person.hosted ?? domainOf(person.email);
  const audience = fault === "wrong-aud" ? "another-app.apps.googleusercontent.com" : clientId;
  const claims: Record<string, unknown> = {
    iss: fault === "wrong-iss" ? "https://accounts.example.com" : issuer,
    azp: audience,
    aud: audience,
    sub: subjectOf(person),
    name: person.name,
    given_name: givenName,
    family_name: family.join(" "),
    ...(person.picture !== undefined && { picture: person.picture }),
    ...(hosted !== "" && { hd: hosted }),
    iat: issuedAt,
    exp: issuedAt + 3600,
  };
  if (fault !== "no-email") Object.assign(claims, { email: person.email, email_verified: fault !== "unverified-email" });
  if (fault === "old-auth-time") claims["auth_time"] = now - 7200;
  else if (fault !== "no-auth-time" && authTime !== null) claims["auth_time"] = authTime;
  if (fault === "bad-nonce") claims["nonce"] = "not-the-nonce-that-was-sent";
  else if (fault !== "no-nonce" && nonce !== null) claims["nonce"] = nonce;
  return claims;
}

/** The domain whose organisation runs a mailbox; empty for Google's own. */
function domainOf(email: string): string {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  return domain === "gmail.com" ? "" : domain;
}

async function newKey(kid: string): Promise<{ privateKey: CryptoKey; jwk: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" } };
}

/** Fresh keys: one that is published, and one that is not. */
export async function createSigner(): Promise<Signer> {
  const [known, unknown] = await Promise.all([newKey("simulated-1"), newKey("simulated-2")]);
  const sign = (claims: Record<string, unknown>, key: CryptoKey | Uint8Array, alg: string, kid: string) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid, typ: "JWT" }).sign(key);
  return {
    jwks: { keys: [known.jwk] },
    sign(input) {
      const claims = claimsOf(input);
      if (input.fault === "alg-none") {
        const encode = (value: unknown) => base64url.encode(JSON.stringify(value));
        return Promise.resolve(`${encode({ alg: "none", kid: "simulated-1", typ: "JWT" })}.${encode(claims)}.`);
      }
      // The published modulus as a shared secret: what a verifier that lets the token choose the algorithm falls for.
      if (input.fault === "alg-hs256") return sign(claims, new TextEncoder().encode(known.jwk.n ?? ""), "HS256", "simulated-1");
      if (input.fault === "unknown-kid") return sign(claims, unknown.privateKey, "RS256", "simulated-2");
      if (input.fault === "bad-signature") return sign(claims, unknown.privateKey, "RS256", "simulated-1");
      return sign(claims, known.privateKey, "RS256", "simulated-1");
    },
  };
}
