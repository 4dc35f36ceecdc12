import { SignJWT, errors, jwtVerify } from "jose";
import * as z from "zod/mini";
import { SESSION_TOKEN_MS } from "#shared/limits.ts";
import type { Caller, Env } from "../env.ts";
import { signingKey } from "./keys.ts";

const Claims = z.object({
  sub: z.string(),
  sid: z.string(),
  anonymous: z.boolean(),
  name: z.string(),
  plan: z.enum(["none", "solo", "team"]),
});

/** What a token turned out to be: in force, past its five minutes, or not ours. */
export type TokenState = { kind: "live"; caller: Caller } | { kind: "stale" } | { kind: "forged" };

/** Signs who the caller is for five minutes (HS256), so that most requests read no database. */
export async function signSessionToken(env: Env, caller: Caller): Promise<string> {
  const { userId, sessionId, anonymous, displayName, plan } = caller;
  return new SignJWT({ sid: sessionId, anonymous, name: displayName, plan })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(userId)
    .setExpirationTime(new Date(Date.now() + SESSION_TOKEN_MS))
    .sign(await signingKey(env, "session-token"));
}

/** Reads a token of the session `sessionId`; one signed for another session is forged. */
export async function readSessionToken(env: Env, token: string, sessionId: string): Promise<TokenState> {
  try {
    const { payload } = await jwtVerify(token, await signingKey(env, "session-token"), { algorithms: ["HS256"], requiredClaims: ["exp"] });
    const { sub: userId, sid, anonymous, name: displayName, plan } = z.parse(Claims, payload);
    if (sid !== sessionId) return { kind: "forged" };
    return { kind: "live", caller: { userId, sessionId, anonymous, displayName, plan } };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { kind: "stale" };
    if (error instanceof errors.JOSEError || error instanceof z.core.$ZodError) return { kind: "forged" };
    throw error;
  }
}
