/** Google's OAuth for web servers: what people grant beyond signing in, its tokens, and giving it back. */
import * as z from "zod/mini";
import { configOf, type Env } from "#worker/platform/env.ts";
import { egressFetch } from "../egress.ts";
import { askTokens, codeForm, consentUrl, GoogleError, type GoogleProfile, readIdToken, readSubject } from "../google.ts";

const REVOKE_MS = 10_000;

type Client = { id: string; secret: string };
type Asked = { redirectUri: string; state: string; nonce: string; challenge: string; scopes: readonly string[]; loginHint: string | null };

/** What was granted: scopes as they really are, and tokens; Google does not send the refresh token each time. */
export type Grant = { scopes: string[]; accessToken: string; refreshToken: string | null; expiresAt: number };

/** The address of the page on which somebody grants these scopes, in addition to what they granted before. */
export function grantUrl(env: Env, client: Client, { scopes, loginHint, ...asked }: Asked): string {
  const grant = {
    scope: ["openid", "email", ...scopes].join(" "),
    access_type: "offline",
    include_granted_scopes: "true",
    // Without it a second consent brings no refresh token.
    prompt: "consent",
    ...(loginHint !== null && { login_hint: loginHint }),
  };
  return consentUrl(env, client, { ...asked, grant });
}

/** The address of the page that gives these scopes alone, whatever else was granted before; it asks nothing of whoever granted them already. */
export function standaloneGrantUrl(env: Env, client: Client, { scopes, loginHint, ...asked }: Asked): string {
  const grant = { scope: ["openid", ...scopes].join(" "), ...(loginHint !== null && { login_hint: loginHint }) };
  return consentUrl(env, client, { ...asked, grant });
}

const Answer = z.object({
  access_token: z.string().check(z.minLength(1)),
  expires_in: z.number().check(z.positive()),
  refresh_token: z.optional(z.string()),
  scope: z.optional(z.string()),
  id_token: z.optional(z.string()),
});

type Given = { code: string; verifier: string; redirectUri: string; nonce: string };

/** Exchanges a code for a grant and whose it is; asked once, as codes are single use. Throws `GoogleError`. */
export async function exchangeGrant(env: Env, client: Client, given: Given): Promise<{ grant: Grant; profile: GoogleProfile }> {
  const { answer, idToken } = await exchange(env, client, given);
  const profile = await readIdToken(env, client, { idToken, nonce: given.nonce });
  return { grant: toGrant(answer), profile };
}

/** What the Picker is opened by: whose it is, and a token that is not renewed. */
export type PickerGrant = Pick<Grant, "scopes" | "accessToken" | "expiresAt"> & { subject: string };

/** Exchanges a code of `standaloneGrantUrl`; asked once, as codes are single use. Throws `GoogleError`. */
export async function exchangeSingleScope(env: Env, client: Client, given: Given): Promise<PickerGrant> {
  const { answer, idToken } = await exchange(env, client, given);
  const { scopes, accessToken, expiresAt } = toGrant(answer);
  return { scopes, accessToken, expiresAt, subject: await readSubject(env, client, { idToken, nonce: given.nonce }) };
}

async function exchange(env: Env, client: Client, given: Given): Promise<{ answer: z.infer<typeof Answer>; idToken: string }> {
  const answer = parse(await askTokens(env, client, codeForm(given)));
  if (answer.id_token === undefined) throw new GoogleError("invalid", "the token endpoint answered without an ID token");
  return { answer, idToken: answer.id_token };
}

/** New tokens for a grant; its scopes are those that still hold. Throws `GoogleError`, of kind `ended` where the grant is over. */
export async function renewGrant(env: Env, client: Client, held: { refreshToken: string; scopes: string[] }): Promise<Grant> {
  const answer = parse(await askTokens(env, client, { grant_type: "refresh_token", refresh_token: held.refreshToken }));
  const { scopes, ...grant } = toGrant(answer);
  return { ...grant, scopes: answer.scope === undefined ? held.scopes : scopes, refreshToken: grant.refreshToken ?? held.refreshToken };
}

/** Gives a grant back by one of its tokens; that it was over already is as good. Throws `GoogleError`. */
export async function revokeGrant(env: Env, token: string): Promise<void> {
  let response: Response;
  try {
    response = await egressFetch(configOf(env).google.revokeUrl, {
      method: "POST",
      body: new URLSearchParams({ token }),
      signal: AbortSignal.timeout(REVOKE_MS),
    });
    await response.body?.cancel();
  } catch (cause) {
    throw new GoogleError("unreachable", "the revocation endpoint did not answer", cause);
  }
  if (!response.ok && response.status !== 400) throw new GoogleError("unreachable", `the revocation endpoint answered ${response.status}`);
}

function parse(body: unknown): z.infer<typeof Answer> {
  const answer = Answer.safeParse(body);
  if (answer.success) return answer.data;
  throw new GoogleError("invalid", "the token endpoint's answer lacks a field");
}

function toGrant({
  access_token: accessToken,
  refresh_token: refreshToken,
  expires_in: seconds,
  scope = "",
}: z.infer<typeof Answer>): Grant {
  const scopes = scope.split(" ").filter(Boolean);
  return { scopes, accessToken, refreshToken: refreshToken ?? null, expiresAt: Date.now() + seconds * 1000 };
}
