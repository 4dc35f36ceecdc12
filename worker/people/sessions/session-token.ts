import { SignJWT, errors, jwtVerify } from "jose";
import * as z from "zod/mini";
import { SESSION_TOKEN_MS } from "#shared/limits.ts";
import { type Caller, configOf, type Env } from "#worker/platform/env.ts";
import { acceptedKeys, claimsOf, signingKey } from "#worker/people/signing-keys/keys.ts";

const Claims = z.object({
  sub: z.string(),
  sid: z.string(),
  anonymous: z.boolean(),
  name: z.string(),
  plan: z.enum(["none", "solo", "team"]),
  exp: z.number(),
});

/** What a token turned out to be: in force, past its five minutes, or not ours. */
export type TokenState = { kind: "live"; caller: Caller } | { kind: "stale" } | { kind: "forged" };

const PURPOSE = "session-token";
const { typ, audience } = claimsOf(PURPOSE);

/** Signs who the caller is for five minutes (HS256), so most requests read no database. */
export async function signSessionToken(env: Env, caller: Caller): Promise<string> {
  const { userId, sessionId, anonymous, displayName, plan } = caller;
  return new SignJWT({ sid: sessionId, anonymous, name: displayName, plan })
    .setProtectedHeader({ alg: "HS256", typ })
    .setAudience(audience)
    .setSubject(userId)
    .setExpirationTime(new Date(Date.now() + SESSION_TOKEN_MS))
    .sign(await signingKey(configOf(env), PURPOSE));
}

/** A session's token whose signature was found right under `key`; `exp` in seconds. */
type Verified = { token: string; key: CryptoKey; caller: Caller; exp: number };

/** By session, which takes its secret to be asked for: the same token comes with each request of its five minutes. */
const verified = new Map<string, Verified>();
const VERIFIED_MAX = 1_000;

/** Reads a token of the session `sessionId`; one signed for another session is forged. */
export async function readSessionToken(env: Env, token: string, sessionId: string): Promise<TokenState> {
  const keys = await acceptedKeys(configOf(env), PURPOSE);
  const known = verified.get(sessionId);
  if (known?.token === token && keys.includes(known.key)) {
    return known.exp > Math.floor(Date.now() / 1000) ? { kind: "live", caller: known.caller } : { kind: "stale" };
  }
  for (const key of keys) {
    const state = await readSigned({ token, key }, sessionId);
    if (state !== null) return state;
  }
  return { kind: "forged" };
}

/** What a token turned out to be; null where another key signed it, if any. */
async function readSigned({ token, key }: Pick<Verified, "token" | "key">, sessionId: string): Promise<TokenState | null> {
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ["HS256"], requiredClaims: ["exp"], typ, audience });
    const { sub: userId, sid, anonymous, name: displayName, plan, exp } = z.parse(Claims, payload);
    if (sid !== sessionId) return { kind: "forged" };
    const caller = { userId, sessionId, anonymous, displayName, plan };
    if (verified.size >= VERIFIED_MAX) verified.clear();
    verified.set(sessionId, { token, key, caller, exp });
    return { kind: "live", caller };
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return null;
    // What we signed without saying what it is proves a key of ours alone: the session's row decides.
    if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed) return { kind: "stale" };
    if (error instanceof errors.JOSEError || error instanceof z.core.$ZodError) return { kind: "forged" };
    throw error;
  }
}
