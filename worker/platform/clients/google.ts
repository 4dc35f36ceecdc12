import { type JWTPayload, createRemoteJWKSet, errors, jwtVerify } from "jose";
import * as z from "zod/mini";
import { configOf, type Env } from "#worker/platform/env.ts";
import { egressFetch } from "./egress.ts";

const TIMEOUT_MS = 10_000;
/** How far Google's clock and ours may differ. */
const CLOCK_TOLERANCE_S = 60;

/**
 * Who Google says has signed in; `subject` is the stable id of at most 255 characters, `provedAt` when they last did so there, in epoch
 * milliseconds, and null where Google keeps that to itself.
 */
export type GoogleProfile = {
  subject: string;
  email: string;
  emailVerified: boolean;
  /** True where Google itself runs the mailbox. Of any other address it knows that it was somebody's once. */
  ownsAddress: boolean;
  name: string | null;
  picture: string | null;
  provedAt: number | null;
};

type Kind = "unreachable" | "invalid" | "ended";

/** Google could not be asked (`unreachable`), what it answered does not hold (`invalid`), or a grant is over (`ended`). */
export class GoogleError extends Error {
  readonly kind: Kind;

  constructor(kind: Kind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "GoogleError";
    this.kind = kind;
  }
}

type Client = { id: string; secret: string };

const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>();

/** What a consent page is asked with; `grant` are the parameters that say for what, signing in unless given. */
type Asked = { redirectUri: string; state: string; nonce: string; challenge: string; grant?: Record<string, string> };

/** Google names the time of a sign-in to whoever asks for it, and is set up to (Session age claims). */
const SIGN_IN = {
  scope: "openid email profile",
  prompt: "select_account",
  claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }),
};

/** The parameters of a sign-in that Google may take from no earlier one. */
export function signInAnew(email: string): Record<string, string> {
  return { ...SIGN_IN, max_age: "0", login_hint: email };
}

/** The address of Google's consent page (OpenID Connect code flow with PKCE). */
export function consentUrl(env: Env, client: Client, asked: Asked): string {
  const url = new URL(configOf(env).google.authUrl);
  const query = {
    client_id: client.id,
    redirect_uri: asked.redirectUri,
    response_type: "code",
    state: asked.state,
    nonce: asked.nonce,
    code_challenge: asked.challenge,
    code_challenge_method: "S256",
    ...(asked.grant ?? SIGN_IN),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

type Given = { code: string; verifier: string; redirectUri: string; nonce: string };

/** Exchanges a code for who signed in; asked once, as codes are single use. Throws `GoogleError`. */
export async function exchangeCode(env: Env, client: Client, given: Given): Promise<GoogleProfile> {
  const answer = TokenAnswer.safeParse(await askTokens(env, client, codeForm(given)));
  if (!answer.success) throw new GoogleError("invalid", "the token endpoint answered without an ID token");
  return readIdToken(env, client, { idToken: answer.data.id_token, nonce: given.nonce });
}

/** The fields that exchange a code. */
export function codeForm({ code, verifier, redirectUri }: Given): Record<string, string> {
  return { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri };
}

/** Asks the token endpoint, and answers what it said; nothing of it is checked. Throws `GoogleError`. */
export async function askTokens(env: Env, client: Client, form: Record<string, string>): Promise<unknown> {
  let response: Response;
  let body: unknown;
  try {
    response = await egressFetch(configOf(env).google.tokenUrl, {
      method: "POST",
      body: new URLSearchParams({ ...form, client_id: client.id, client_secret: client.secret }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    body = await response.json();
  } catch (cause) {
    throw new GoogleError("unreachable", "the token endpoint did not answer", cause);
  }
  if (response.status >= 500) throw new GoogleError("unreachable", `the token endpoint answered ${response.status}`);
  if (response.ok) return body;
  const isEnded = form["grant_type"] === "refresh_token" && TokenRefusal.safeParse(body).data?.error === "invalid_grant";
  throw new GoogleError(isEnded ? "ended" : "invalid", `the token endpoint answered ${response.status}`);
}

const TokenRefusal = z.object({ error: z.string() });

const TokenAnswer = z.object({ id_token: z.string() });

const Subject = z.object({
  sub: z.string().check(z.minLength(1), z.maxLength(255)),
  nonce: z.optional(z.string()),
});

const Claims = z.extend(Subject, {
  email: z.pipe(z.string(), z.email()),
  email_verified: z.optional(z.boolean()),
  /** The organisation's domain, where it manages the account. */
  hd: z.optional(z.string()),
  name: z.optional(z.string()),
  picture: z.optional(z.string()),
  auth_time: z.optional(z.number()),
});

type Answered = { idToken: string; nonce: string };

/** Who an ID token is about, once it is verified. Throws `GoogleError`. */
export async function readIdToken(env: Env, client: Client, answered: Answered): Promise<GoogleProfile> {
  const { sub, email, email_verified, hd, name, picture, auth_time } = await readClaims(env, client, answered, Claims);
  const address = email.toLowerCase();
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return {
    subject: sub,
    email: address,
    emailVerified: email_verified === true,
    ownsAddress: email_verified === true && (domain === "gmail.com" || hd?.toLowerCase() === domain),
    name: name ?? null,
    picture: picture ?? null,
    provedAt: auth_time === undefined ? null : Math.min(auth_time * 1000, Date.now()),
  };
}

/** Google's stable id of whom an ID token is about, once it is verified. Throws `GoogleError`. */
export async function readSubject(env: Env, client: Client, answered: Answered): Promise<string> {
  return (await readClaims(env, client, answered, Subject)).sub;
}

async function readClaims<S extends typeof Subject>(
  env: Env,
  client: Client,
  { idToken, nonce }: Answered,
  schema: S,
): Promise<z.infer<S>> {
  const claims = schema.safeParse(await verify(env, client, idToken));
  if (!claims.success) throw new GoogleError("invalid", "the ID token lacks a claim", claims.error);
  // jose leaves the nonce to its caller.
  if (claims.data.nonce !== nonce) throw new GoogleError("invalid", "the ID token's nonce is another");
  return claims.data;
}

async function verify(env: Env, client: Client, idToken: string): Promise<JWTPayload> {
  const { issuers, keysUrl } = configOf(env).google;
  try {
    const { payload } = await jwtVerify(idToken, keySet(keysUrl), {
      issuer: issuers,
      audience: client.id,
      algorithms: ["RS256"],
      clockTolerance: CLOCK_TOLERANCE_S,
      requiredClaims: ["sub", "exp", "iat"],
    });
    return payload;
  } catch (cause) {
    // jose has no class of its own for a key set that answers with a failure, or not at all.
    const isInvalid = cause instanceof errors.JOSEError && cause.code !== "ERR_JOSE_GENERIC" && cause.code !== "ERR_JWKS_TIMEOUT";
    throw new GoogleError(isInvalid ? "invalid" : "unreachable", "the ID token could not be verified", cause);
  }
}

/** Google's keys, kept between requests by jose: 10 minutes, and asked again at most every 30 s for an unknown key. */
function keySet(url: string): ReturnType<typeof createRemoteJWKSet> {
  const known = keySets.get(url);
  if (known) return known;
  const keys = createRemoteJWKSet(new URL(url), { timeoutDuration: 5_000, cooldownDuration: 30_000, cacheMaxAge: 600_000 });
  keySets.set(url, keys);
  return keys;
}
