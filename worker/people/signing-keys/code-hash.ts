import { base64url } from "jose";
import { configOf, type Env } from "#worker/platform/env.ts";
import { isSigned, signingKey } from "./keys.ts";

type Purpose = "sign-in-code" | "additional-email-code" | "messaging-code";

/** The HMAC-SHA256 of a code and what it is about, as 43 base64url characters: the key is not in the database, so six digits cannot be tried there. */
export async function hashCode(env: Env, purpose: Purpose, { about, code }: { about: string; code: string }): Promise<string> {
  const key = await signingKey(configOf(env), purpose);
  return base64url.encode(new Uint8Array(await crypto.subtle.sign("HMAC", key, payload(about, code))));
}

/** True where a hash is that of this code about this, compared in constant time. */
export async function isCode(
  env: Env,
  purpose: Purpose,
  { about, code, expected }: { about: string; code: string; expected: string },
): Promise<boolean> {
  return isSigned(configOf(env), purpose, { signature: base64url.decode(expected), text: payload(about, code) });
}

function payload(about: string, code: string): Uint8Array {
  return new TextEncoder().encode(`${about}|${code}`);
}
