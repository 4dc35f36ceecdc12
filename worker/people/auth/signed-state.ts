import { SignJWT, errors, jwtVerify } from "jose";
import type * as z from "zod/mini";
import { configOf, type Env } from "#worker/platform/env.ts";
import { acceptedKeys, claimsOf, signingKey } from "#worker/people/signing-keys/keys.ts";

type Purpose = Parameters<typeof claimsOf>[0];

/** What a browser keeps for us for so many seconds, signed so that it comes back as it was. */
export async function signState(env: Env, purpose: Purpose, { state, seconds }: { state: object; seconds: number }): Promise<string> {
  const { typ, audience } = claimsOf(purpose);
  return new SignJWT({ ...state })
    .setProtectedHeader({ alg: "HS256", typ })
    .setAudience(audience)
    .setExpirationTime(new Date(Date.now() + seconds * 1000))
    .sign(await signingKey(configOf(env), purpose));
}

/** What a browser kept; null when it is past, changed or not ours. */
export async function readState<S extends z.ZodMiniType>(
  env: Env,
  purpose: Purpose,
  schema: S,
  signed: string,
): Promise<z.infer<S> | null> {
  const { typ, audience } = claimsOf(purpose);
  for (const key of await acceptedKeys(configOf(env), purpose)) {
    try {
      const { payload } = await jwtVerify(signed, key, { algorithms: ["HS256"], requiredClaims: ["exp"], typ, audience });
      const state = schema.safeParse(payload);
      if (state.success) return state.data;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
    }
  }
  return null;
}
