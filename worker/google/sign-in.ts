import type { Context } from "hono";
import * as z from "zod/mini";
import { GOOGLE_FEATURES, type GoogleFeature } from "#shared/entities/outbound/google-connection.ts";
import type { GoogleFailure } from "#shared/sign-in/google-failures.ts";
import { safeReturnUrl } from "#shared/sign-in/return-url.ts";
import { randomToken, sha256 } from "../auth/random.ts";
import { GoogleError } from "../clients/google.ts";
import { exchangeGrant, grantUrl } from "../clients/google/grant.ts";
import { openCredential, sealCredential } from "../credentials/sealed.ts";
import { type AppContext, type Caller, configOf, type Env } from "../env.ts";
import { clearCookie, readCookie, writeCookie } from "../http/cookies.ts";
import { ownOrigin } from "../http/origin.ts";
import { log } from "../log.ts";
import { keepGrant, knownEmail } from "./connection.ts";
import { scopesOf } from "./scopes.ts";

/** How long someone may take at Google's pages, in seconds. */
const LASTS_S = 10 * 60;

/** A connecting under way: of one session, kept by its browser alone and sealed for its person. */
const Begun = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  sessionId: z.string(),
  returnUrl: z.string(),
  until: z.number(),
});
type Begun = z.infer<typeof Begun>;

type Asked = { features?: string | undefined; returnUrl?: string | undefined };

/** Sends the browser to Google's consent page, and who is not signed in to our login page. */
export async function beginConnecting(c: Context<AppContext>, caller: Caller | null, asked: Asked): Promise<Response> {
  const returnUrl = safeReturnUrl(asked.returnUrl, ownOrigin(c));
  if (!caller || caller.anonymous) return c.redirect(`/auth/?${new URLSearchParams({ returnUrl }).toString()}`, 303);
  const { client } = configOf(c.env).google;
  const features = wantedFeatures(c.env, asked.features);
  if (!client || features.length === 0) return notify(c, returnUrl, "unconfigured");
  const begun: Begun = {
    state: randomToken(),
    nonce: randomToken(),
    verifier: randomToken(),
    sessionId: caller.sessionId,
    returnUrl,
    until: Date.now() + LASTS_S * 1000,
  };
  const value = await sealCredential(c.env, ownerOf(caller), JSON.stringify(begun));
  writeCookie(c, "gmail", { value, maxAge: LASTS_S });
  const loginHint = await knownEmail(c.var.db, caller.userId);
  const { state, nonce, verifier } = begun;
  const challenge = await sha256(verifier);
  const scopes = scopesOf(features);
  return c.redirect(grantUrl(c.env, client, { redirectUri: redirectUri(c), state, nonce, challenge, scopes, loginHint }), 303);
}

type Returned = { code?: string | undefined; state?: string | undefined; error?: string | undefined };

/** Where Google returns to: keeps the grant, and leads back to the page that began, which says what came of it. */
export async function finishConnecting(c: Context<AppContext>, caller: Caller | null, { code, state, error }: Returned): Promise<Response> {
  const begun = caller && (await openBegun(c, caller));
  clearCookie(c, "gmail");
  const { client } = configOf(c.env).google;
  // Both are ours: the state's secrecy towards this browser does not matter, so neither does the comparison's time.
  const isOwn = begun && begun.state === state && begun.sessionId === caller.sessionId && begun.until > Date.now();
  if (!isOwn) return notify(c, "/", "expired");
  const { nonce, verifier, returnUrl } = begun;
  if (!client) return notify(c, returnUrl, "unconfigured");
  if (error !== undefined) return notify(c, returnUrl, error === "access_denied" ? "cancelled" : "failed");
  if (code === undefined) return notify(c, returnUrl, "failed");
  try {
    const granted = await exchangeGrant(c.env, client, { code, verifier, redirectUri: redirectUri(c), nonce });
    const isKept = await keepGrant({ env: c.env, db: c.var.db, userId: caller.userId }, granted);
    return isKept ? notify(c, returnUrl, null) : notify(c, returnUrl, "no_access");
  } catch (cause) {
    if (!(cause instanceof GoogleError)) throw cause;
    // This is a page's navigation: whoever comes back from Google must land on a page that says what happened.
    log.error("connecting Google failed", { cause });
    return notify(c, returnUrl, cause.kind === "unreachable" ? "unreachable" : "failed");
  }
}

/** The features that are asked for and switched on here, all of these where none is named. */
function wantedFeatures(env: Env, asked: string | undefined): GoogleFeature[] {
  const named = asked?.split(",");
  const { features } = configOf(env).google;
  return GOOGLE_FEATURES.filter((feature) => features.includes(feature) && (named?.includes(feature) ?? true));
}

async function openBegun(c: Context<AppContext>, caller: Caller): Promise<Begun | null> {
  const sealed = readCookie(c, "gmail");
  const opened = sealed === undefined ? null : await openCredential(c.env, ownerOf(caller), sealed);
  return opened === null ? null : Begun.parse(JSON.parse(opened));
}

function ownerOf({ userId }: Caller) {
  return { userId, provider: "google-connecting" };
}

function notify(c: Context<AppContext>, returnUrl: string, failure: GoogleFailure | null): Response {
  const page = new URL(returnUrl, ownOrigin(c));
  page.searchParams.set(failure === null ? "gmail_success" : "gmail_error", failure ?? "true");
  return c.redirect(`${page.pathname}${page.search}${page.hash}`, 303);
}

function redirectUri(c: Context<AppContext>): string {
  return `${ownOrigin(c)}/api/auth/gmail/callback`;
}
