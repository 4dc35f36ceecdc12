import type { Context } from "hono";
import { base64url } from "jose";
import { configOf, type AppContext, type Env } from "#worker/platform/env.ts";
import { readCookie, writeCookie } from "#worker/platform/http/cookies.ts";
import { isSigned, signingKey } from "#worker/people/signing-keys/keys.ts";
import { randomToken } from "#worker/platform/random.ts";

/** As long as browsers keep any cookie, in seconds. */
const KNOWN_BROWSER_COOKIE_S = 400 * 24 * 60 * 60;
/** Addresses that one browser is known for, the latest ones. */
const ADDRESSES = 5;
/** A signature as `markOf` writes it. */
const MARK = /^[\w-]{43}$/;

/**
 * True for a browser that signed in to this address before. Its cookie outlives the session and opens nothing: strangers who ask for an
 * address's codes, or guess them, keep everybody out but it. It holds a name of the browser and, for each address, a signature over both.
 */
export async function isKnownBrowser(c: Context<AppContext>, email: string): Promise<boolean> {
  const [id, ...marks] = partsOf(c);
  if (id === undefined) return false;
  const text = signedText(id, email);
  const shown = marks.filter((mark) => MARK.test(mark)).slice(0, ADDRESSES);
  const config = configOf(c.env);
  const found = await Promise.all(shown.map((mark) => isSigned(config, "known-browser", { signature: base64url.decode(mark), text })));
  return found.includes(true);
}

/** Notes that this browser signed in to these addresses. */
export async function noteKnownBrowser(c: Context<AppContext>, emails: readonly string[]): Promise<void> {
  const [id = randomToken(), ...before] = partsOf(c);
  const marks = await Promise.all(emails.map((email) => markOf(c.env, { id, email })));
  const value = [id, ...new Set([...marks, ...before])].slice(0, 1 + ADDRESSES).join(".");
  writeCookie(c, "known", { value, maxAge: KNOWN_BROWSER_COOKIE_S });
}

function partsOf(c: Context<AppContext>): string[] {
  return readCookie(c, "known")?.split(".") ?? [];
}

async function markOf(env: Env, { id, email }: { id: string; email: string }): Promise<string> {
  const key = await signingKey(configOf(env), "known-browser");
  return base64url.encode(new Uint8Array(await crypto.subtle.sign("HMAC", key, signedText(id, email))));
}

function signedText(id: string, email: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(`${id}|${email}`));
}
