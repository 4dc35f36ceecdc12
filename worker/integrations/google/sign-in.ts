import type { Context } from "hono";
import * as z from "zod/mini";
import { FRESH_OWN_MIN } from "#shared/limits.ts";
import { openDrivePicker, type PickerFailure } from "#shared/contracts/outbound/drive.ts";
import { GOOGLE_FEATURES, type GoogleFeature } from "#shared/entities/outbound/google-connection.ts";
import type { GoogleFailure } from "#shared/sign-in/google-failures.ts";
import { shortReturnUrl } from "#shared/sign-in/return-url.ts";
import { requireFreshSignIn } from "#worker/people/sessions/fresh-sign-in.ts";
import { randomToken, sha256 } from "#worker/platform/random.ts";
import { GoogleError } from "#worker/platform/clients/google.ts";
import { standaloneGrantUrl, exchangeSingleScope, exchangeGrant, grantUrl } from "#worker/platform/clients/google/grant.ts";
import { openCredential, sealCredential } from "#worker/platform/credentials/sealed.ts";
import { type AppContext, type Caller, configOf, type Env } from "#worker/platform/env.ts";
import { clearCookie, readCookie, writeCookie } from "#worker/platform/http/cookies.ts";
import { escapeHtml } from "#worker/platform/http/escape-html.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { smallPage } from "#worker/platform/http/small-page.ts";
import { log } from "#worker/platform/log.ts";
import { storeGrant, knownEmail } from "./connection.ts";
import { storePickerToken } from "./picker-token.ts";
import { scopesOf } from "./scopes.ts";

const PICKER_SCOPES = scopesOf(["drive"]);

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
  /** The channel that the Picker's window answers on, where it is for that. */
  channel: z.optional(z.string()),
});
type Begun = z.infer<typeof Begun>;

type Asked = { features?: string | undefined; returnUrl?: string | undefined };

/** Sends the browser to Google's consent page, and who is not signed in to our login page. */
export async function beginConnecting(c: Context<AppContext>, caller: Caller | null, query: Asked): Promise<Response> {
  const returnUrl = shortReturnUrl(query.returnUrl, ownOrigin(c));
  if (!caller || caller.anonymous) return c.redirect(`/auth/?${new URLSearchParams({ returnUrl }).toString()}`, 303);
  const { client } = configOf(c.env).google;
  const features = wantedFeatures(c.env, query.features);
  if (!client || features.length === 0) return redirectWithOutcome(c, returnUrl, "unconfigured");
  await requireFreshSignIn(c.var.db, caller, FRESH_OWN_MIN);
  const loginHint = await knownEmail(c.var.db, caller.userId);
  const asked = await begin(c, caller, { returnUrl });
  return c.redirect(grantUrl(c.env, client, { ...asked, scopes: scopesOf(features), loginHint }), 303);
}

/** Begins asking for what the Picker opens a person's Drive by, and answers the page of Google's that its window goes to; null where that is not set up. */
export async function beginPicking(
  c: Context<AppContext>,
  caller: Caller,
  { channel, email }: { channel: string; email: string },
): Promise<string | null> {
  const { client } = configOf(c.env).google;
  if (!client) return null;
  const asked = await begin(c, caller, { returnUrl: "/", channel });
  return standaloneGrantUrl(c.env, client, { ...asked, scopes: PICKER_SCOPES, loginHint: email });
}

/** Puts a new connecting under way, in the browser's cookie, and answers what Google is asked with. */
async function begin(c: Context<AppContext>, caller: Caller, place: Pick<Begun, "returnUrl" | "channel">) {
  const { sessionId } = caller;
  const begun: Begun = {
    state: randomToken(),
    nonce: randomToken(),
    verifier: randomToken(),
    sessionId,
    until: Date.now() + LASTS_S * 1000,
    ...place,
  };
  writeCookie(c, "gmail", { value: await sealCredential(c.env, ownerOf(caller), JSON.stringify(begun)), maxAge: LASTS_S });
  const { state, nonce, verifier } = begun;
  return { redirectUri: redirectUri(c), state, nonce, challenge: await sha256(verifier) };
}

type Returned = { code?: string | undefined; state?: string | undefined; error?: string | undefined };

/** Where Google returns to: keeps the grant, and leads back to the page that began, which says what came of it. */
export async function finishConnecting(c: Context<AppContext>, caller: Caller | null, { code, state, error }: Returned): Promise<Response> {
  const begun = caller && (await openBegun(c, caller));
  clearCookie(c, "gmail");
  const { client } = configOf(c.env).google;
  // Both are ours: the state's secrecy towards this browser does not matter, so neither does the comparison's time.
  const isOwn = begun && begun.state === state && begun.sessionId === caller.sessionId && begun.until > Date.now();
  if (!isOwn) return redirectWithOutcome(c, "/", "expired");
  const { nonce, verifier, returnUrl, channel } = begun;
  if (!client) return redirectWithOutcome(c, returnUrl, "unconfigured");
  if (channel !== undefined) return backToPicker(c, channel, await finishPicking(c, caller, { begun, client, code, error }));
  if (error !== undefined) return redirectWithOutcome(c, returnUrl, error === "access_denied" ? "cancelled" : "failed");
  if (code === undefined) return redirectWithOutcome(c, returnUrl, "failed");
  try {
    const granted = await exchangeGrant(c.env, client, { code, verifier, redirectUri: redirectUri(c), nonce });
    const isStored = await storeGrant({ env: c.env, db: c.var.db, userId: caller.userId }, granted);
    return isStored ? redirectWithOutcome(c, returnUrl, null) : redirectWithOutcome(c, returnUrl, "no_access");
  } catch (cause) {
    if (!(cause instanceof GoogleError)) throw cause;
    // This is a page's navigation: whoever comes back from Google must land on a page that says what happened.
    log.error("connecting Google failed", { cause });
    return redirectWithOutcome(c, returnUrl, cause.kind === "unreachable" ? "unreachable" : "failed");
  }
}

type Picking = { begun: Begun; client: { id: string; secret: string }; code: string | undefined; error: string | undefined };

/** Keeps what was granted for picking; answers why nothing can be picked, or null. */
async function finishPicking(
  c: Context<AppContext>,
  { userId }: Caller,
  { begun: { nonce, verifier }, client, code, error }: Picking,
): Promise<PickerFailure | null> {
  if (error !== undefined) return error === "access_denied" ? "cancelled" : "failed";
  if (code === undefined) return "failed";
  try {
    const granted = await exchangeSingleScope(c.env, client, { code, verifier, redirectUri: redirectUri(c), nonce });
    return await storePickerToken({ env: c.env, db: c.var.db, userId }, granted);
  } catch (cause) {
    if (!(cause instanceof GoogleError)) throw cause;
    log.error("opening the Picker failed", { cause });
    return "failed";
  }
}

/** Leads the Picker's window on to its page: from a page of ours, as what comes straight from another site is given no token. */
async function backToPicker(c: Context<AppContext>, channel: string, failure: PickerFailure | null): Promise<Response> {
  const query = new URLSearchParams({ channel, ...(failure !== null && { failure }) });
  const address = `${openDrivePicker.path}?${query.toString()}`;
  const body = `<p><a href="${escapeHtml(address)}">Continue</a></p>`;
  const { html, policy } = await smallPage({ title: "Google Drive", text: "Opening Google Drive…", body });
  return c.html(html, 200, { "content-security-policy": policy, "cache-control": "no-store", refresh: `0; url=${address}` });
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

function redirectWithOutcome(c: Context<AppContext>, returnUrl: string, failure: GoogleFailure | null): Response {
  const page = new URL(returnUrl, ownOrigin(c));
  page.searchParams.set(failure === null ? "gmail_success" : "gmail_error", failure ?? "true");
  return c.redirect(`${page.pathname}${page.search}${page.hash}`, 303);
}

function redirectUri(c: Context<AppContext>): string {
  return `${ownOrigin(c)}/api/auth/gmail/callback`;
}
