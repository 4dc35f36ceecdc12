/** The push services of browsers, each at the address that a browser gave (RFC 8030). */
import type { Env } from "#worker/platform/env.ts";
import type { PushConfig } from "#worker/platform/config/push.ts";
import { encryptPush, type PushKeys } from "./encrypt.ts";
import { resolvesPublicly } from "../dns.ts";
import { egressFetch } from "../egress.ts";
import { isOwnZone } from "../own-zone.ts";
import { publicUrl } from "../public-address.ts";
import { base64url, importJWK, SignJWT } from "jose";

const TIMEOUT_MS = 10_000;
/** A later try comes so many seconds later at most, whatever a service asks for. */
const LATER_MAX_SECONDS = 60 * 60;

/** Hosts of the push services that nearly every browser has: nobody can have their names lead elsewhere. */
const WELL_KNOWN =
  /^(?:fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|(?:[\w-]+\.)+push\.apple\.com|(?:[\w-]+\.)+notify\.windows\.com)$/;

export type PushTarget = PushKeys & { endpoint: string };

/** `topic` has a message replace an older one of the same, up to 32 characters of base64url; the service keeps it for `ttl` seconds. */
export type PushMessage = { text: string; ttl: number; urgency: "low" | "normal" | "high"; topic: string };

/** What became of a push: `gone` where the browser gets none any more, `later` where it may be tried again. */
export type Pushed =
  | { kind: "taken" }
  | { kind: "gone" }
  | { kind: "later"; seconds: number | null; why: string }
  | { kind: "refused"; why: string };

/** True for an address that may be sent to: https at a public name that leads to the public internet, and none of this deployment's own. Throws where that is unknown now. */
export async function isPushAddress(
  env: Env,
  { standIn }: PushConfig,
  endpoint: string,
  signal = AbortSignal.timeout(TIMEOUT_MS),
): Promise<boolean> {
  if (standIn !== undefined && URL.canParse(endpoint) && new URL(endpoint).origin === standIn) return true;
  const url = publicUrl(endpoint);
  if (url?.protocol !== "https:" || isOwnZone(env, url.hostname)) return false;
  return WELL_KNOWN.test(url.hostname) || resolvesPublicly(env, url.hostname, signal);
}

/** Sends one message to one browser, encrypted to it. Never throws for what a service answers. */
export async function sendPush(env: Env, config: PushConfig, to: PushTarget, message: PushMessage): Promise<Pushed> {
  const body = await encryptPush(message.text, to);
  const headers = {
    authorization: await vapidAuthorization(config, to.endpoint),
    "content-type": "application/octet-stream",
    "content-encoding": "aes128gcm",
    ttl: String(message.ttl),
    urgency: message.urgency,
    topic: message.topic,
  };
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    if (!(await isPushAddress(env, config, to.endpoint, signal))) return { kind: "refused", why: "its address may not be sent to" };
    const response = await egressFetch(to.endpoint, { method: "POST", headers, body, signal });
    // What else it says is nobody's business, and of any length.
    await response.body?.cancel();
    return judge(response);
  } catch (cause) {
    return { kind: "later", seconds: null, why: cause instanceof Error ? cause.name : "no answer" };
  }
}

function judge({ status, ok, headers }: Response): Pushed {
  if (ok) return { kind: "taken" };
  // A key that is not taken (401, 403) may be the deployment's mistake, which is no reason to forget everybody's devices.
  if (status === 404 || status === 410) return { kind: "gone" };
  const why = `its service answered ${status}`;
  return status === 429 || status >= 500 ? { kind: "later", seconds: waitOf(headers.get("retry-after")), why } : { kind: "refused", why };
}

/** Seconds, which a header gives as such or as a date. */
function waitOf(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(Math.ceil(seconds), 1), LATER_MAX_SECONDS);
}

/** Push services take a proof for a day at most; this one does for a request. */
const LIFETIME = "12h";
/** Before either coordinate of an uncompressed point stands one byte. */
const COORDINATE_BYTES = 32;

/** The Authorization header that shows a push service who sends (RFC 8292) to `endpoint`. */
async function vapidAuthorization({ publicKey, privateKey, subject }: PushConfig, endpoint: string): Promise<string> {
  const point = base64url.decode(publicKey);
  const half = (from: number) => base64url.encode(point.slice(from, from + COORDINATE_BYTES));
  const key = await importJWK({ kty: "EC", crv: "P-256", x: half(1), y: half(1 + COORDINATE_BYTES), d: privateKey }, "ES256");
  const token = new SignJWT(subject === null ? {} : { sub: subject })
    .setProtectedHeader({ typ: "JWT", alg: "ES256" })
    .setAudience(new URL(endpoint).origin)
    .setExpirationTime(LIFETIME);
  return `vapid t=${await token.sign(key)}, k=${publicKey}`;
}
