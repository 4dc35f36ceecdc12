import type { Context } from "hono";
import * as z from "zod/mini";
import { FRESH_CRITICAL_MIN } from "#shared/limits.ts";
import { readInviteCode } from "#shared/sign-in/invite-code.ts";
import { shortReturnUrl } from "#shared/sign-in/return-url.ts";
import type { SecurityEvent } from "#shared/security-events.ts";
import { SIGN_IN_FAILURES, type SignInFailure } from "#shared/sign-in/sign-in-failures.ts";
import { consentUrl, exchangeCode, GoogleError, type GoogleProfile, signInAnew } from "#worker/platform/clients/google.ts";
import { type AppContext, configOf, type Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { clearCookie, readCookie, writeCookie } from "#worker/platform/http/cookies.ts";
import { log } from "#worker/platform/log.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { noteEvent } from "#worker/platform/security/note-event.ts";
import { sha256, randomToken } from "#worker/platform/random.ts";
import { addressOf } from "./linked-sign-ins.ts";
import { signIn, type Welcome } from "./sign-in.ts";
import { storeUnprovenGoogle } from "./unproven-google.ts";
import { findUserByIdentity, getUserRow } from "#worker/people/users/users.ts";
import { APP_NAME } from "#shared/app.ts";
import { SIGNED_IN_CHANNEL } from "#shared/sign-in/signed-in-channel.ts";
import { smallPage } from "#worker/platform/http/small-page.ts";
import { readState, signState } from "./signed-state.ts";

type Asked = {
  returnUrl?: string | undefined;
  failure?: "login" | "page" | undefined;
  invite?: string | undefined;
  again?: "1" | undefined;
  keeps_nothing?: "1" | undefined;
};

/** Sends the browser to Google, with a cookie that binds the return to it. */
export async function startGoogle(c: Context<AppContext>, asked: Asked): Promise<Response> {
  const { returnUrl, failure, invite } = asked;
  const owner = asked.again === undefined ? null : await ownerOf(c);
  const place = { returnUrl: shortReturnUrl(returnUrl, ownOrigin(c)), isFromPage: failure === "page", again: owner?.id };
  const { client } = configOf(c.env).google;
  if (!client) return redirectWithOutcome(c, "unconfigured", place);
  const keepsNothing = asked.keeps_nothing === "1";
  const transaction = newTransaction({ ...place, invite: invite === undefined ? null : readInviteCode(invite), keepsNothing });
  writeCookie(c, "google", { value: await sealTransaction(c.env, transaction), maxAge: TRANSACTION_S });
  const { state, nonce, verifier } = transaction;
  const page = { redirectUri: redirectUri(c), state, nonce, challenge: await sha256(verifier) };
  return c.redirect(consentUrl(c.env, client, owner ? { ...page, grant: signInAnew(owner.email) } : page));
}

/** Whoever proves again who they are. Throws UNAUTHENTICATED and SIGN_IN_REQUIRED. */
async function ownerOf(c: Context<AppContext>): Promise<{ id: string; email: string }> {
  const caller = c.get("caller");
  if (!caller) throw new AppError("UNAUTHENTICATED");
  const { id, email } = await getUserRow(c.get("db"), caller.userId);
  if (email === null) throw new AppError("SIGN_IN_REQUIRED");
  return { id, email };
}

type Returned = { code?: string | undefined; state?: string | undefined; error?: string | undefined };

/** Where Google returns to: signs in and goes on to where the person was, or back to where they tried with the reason. */
export async function finishGoogle(c: Context<AppContext>, returned: Returned, welcome: Welcome): Promise<Response> {
  const sealed = readCookie(c, "google");
  clearCookie(c, "google");
  const { client } = configOf(c.env).google;
  if (!client) return redirectWithOutcome(c, "unconfigured", UNKNOWN);
  const transaction = sealed === undefined ? null : await openTransaction(c.env, sealed);
  // Both are ours: the state's secrecy towards this browser does not matter, so neither does the comparison's time.
  if (!transaction || transaction.state !== returned.state) return redirectWithOutcome(c, "expired", UNKNOWN);
  const { nonce, verifier } = transaction;
  if (returned.error !== undefined) return redirectWithOutcome(c, returned.error === "access_denied" ? "cancelled" : "failed", transaction);
  if (returned.code === undefined) return redirectWithOutcome(c, "failed", transaction);
  try {
    const profile = await exchangeCode(c.env, client, { code: returned.code, verifier, redirectUri: redirectUri(c), nonce });
    if (!profile.emailVerified) return redirectWithOutcome(c, "unverified", transaction);
    if (transaction.again) return await redirectWithOutcome(c, await proveAgain({ c, welcome }, transaction.again, profile), transaction);
    const { email, isProven } = await addressOf(c.env, c.get("db"), profile);
    if (!isProven) return await askForProof(c, email, profile, transaction);
    const keepsNothing = transaction.keepsNothing === true;
    await signIn(
      { c, welcome },
      { email, google: profile, invite: transaction.invite ?? undefined, provedAt: profile.provedAt, keepsNothing },
    );
  } catch (error) {
    // This is a page's navigation: whoever comes back from Google must land on a page that says what happened.
    return redirectWithOutcome(c, failureOf(error), transaction);
  }
  return redirectWithOutcome(c, null, transaction);
}

/** Begins the session anew for whose Google account it is, if they signed in there just now; answers why not, or null. */
async function proveAgain(
  { c, welcome }: { c: Context<AppContext>; welcome: Welcome },
  userId: string,
  profile: GoogleProfile,
): Promise<SignInFailure | null> {
  const { subject, provedAt } = profile;
  const linked = await findUserByIdentity(c.get("db"), "google", subject);
  const isOwn = linked?.user.id === userId && c.get("caller")?.userId === userId;
  const { email, isProven } = await addressOf(c.env, c.get("db"), profile);
  if (!isOwn || !isProven) return "another";
  if (provedAt === null || Date.now() - provedAt > FRESH_CRITICAL_MIN * 60_000) return "stale";
  await signIn({ c, welcome }, { email, google: profile, provedAt });
  return null;
}

/** Leads to the login page, to have the address proven by a mailed code. It stands behind the `#`, which no server and no log gets to see. */
async function askForProof(
  c: Context<AppContext>,
  email: string,
  profile: GoogleProfile,
  { returnUrl, invite }: Transaction,
): Promise<Response> {
  await storeUnprovenGoogle(c, email, profile);
  const query = new URLSearchParams({ returnUrl, ...(invite && { invite }) }).toString();
  return c.redirect(`/auth/login?${query}#${new URLSearchParams({ confirm: email }).toString()}`, 303);
}

function failureOf(error: unknown): SignInFailure {
  if (error instanceof AppError && error.code === "ACCOUNT_BLOCKED") return "blocked";
  if (error instanceof AppError && (error.code === "INVITE_REQUIRED" || error.code === "INVITE_INVALID")) return "invite";
  if (error instanceof AppError && error.code === "EMAIL_IN_USE") return "additional";
  log.error("signing in with Google failed", { cause: error });
  return error instanceof GoogleError && error.kind === "unreachable" ? "unreachable" : "failed";
}

/** Where somebody came from whom nothing vouches for. */
const UNKNOWN = { returnUrl: "/", isFromPage: false };

/** What a failed try is noted as; who cancels tried nothing, nor is it a try where Google is away. */
const NOTED: Partial<Record<SignInFailure, SecurityEvent>> = {
  additional: "refused",
  another: "refused",
  blocked: "blocked",
  expired: "wrong-code",
  failed: "wrong-code",
  invite: "refused",
  stale: "refused",
  unverified: "wrong-code",
};

type Place = { returnUrl: string; isFromPage: boolean; again?: string | null | undefined };

/** Leads to the page that was tried on, or to the login page, which both say why it failed; the window of a second proof tells its opener. */
async function redirectWithOutcome(
  c: Context<AppContext>,
  failure: SignInFailure | null,
  { returnUrl, isFromPage, again }: Place,
): Promise<Response> {
  const event = failure === null ? undefined : NOTED[failure];
  if (event !== undefined) noteEvent(c, event);
  if (again) {
    const { html, policy } = await provedPage(failure === null ? null : SIGN_IN_FAILURES[failure]);
    return c.html(html, 200, { "content-security-policy": policy });
  }
  if (failure === null) return c.redirect(returnUrl, 303);
  if (isFromPage) {
    const page = new URL(returnUrl, ownOrigin(c));
    page.searchParams.set("auth_error", failure);
    return c.redirect(`${page.pathname}${page.search}${page.hash}`, 303);
  }
  const query = new URLSearchParams({ auth_error: failure, returnUrl }).toString();
  return c.redirect(`/auth/login?${query}`, 303);
}

function redirectUri(c: Context<AppContext>): string {
  return `${ownOrigin(c)}/api/auth/google/callback`;
}

/** The end of a second proof in a window of its own: it tells the page that opened it, and closes; `failure` is why it proved nothing. */
function provedPage(failure: string | null): Promise<{ html: string; policy: string }> {
  const script = `new BroadcastChannel(${JSON.stringify(SIGNED_IN_CHANNEL)}).postMessage(${JSON.stringify({ failure })});\nwindow.close();`;
  const text = failure ?? "Thank you. Close this window, and go on where you were.";
  return smallPage({ title: APP_NAME, text, script });
}

/** How long someone may take at Google's pages, in seconds. */
const TRANSACTION_S = 10 * 60;

const Transaction = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnUrl: z.string(),
  /** Whether a failure is shown on the page that it was started from. */
  isFromPage: z.boolean(),
  /** The code of the invite that they came by. */
  invite: z.nullable(z.string()),
  /** The account whose owner proves again who they are; absent for a sign-in. */
  again: z.nullish(z.string()),
  /** Whether nothing is to stay on the device. */
  keepsNothing: z.nullish(z.boolean()),
});

/** What a sign-in under way must be met with again; kept by the browser alone, signed. */
type Transaction = z.infer<typeof Transaction>;

/** A new transaction: state, nonce and PKCE verifier of 256 random bits each. */
export function newTransaction(place: Omit<Transaction, "state" | "nonce" | "verifier">): Transaction {
  return { state: randomToken(), nonce: randomToken(), verifier: randomToken(), ...place };
}

/** The transaction as its cookie's value, valid for ten minutes. */
export async function sealTransaction(env: Env, transaction: Transaction): Promise<string> {
  return signState(env, "google-transaction", { state: transaction, seconds: TRANSACTION_S });
}

/** The transaction of a cookie; null when it is past, changed or not ours. */
export async function openTransaction(env: Env, sealed: string): Promise<Transaction | null> {
  return readState(env, "google-transaction", Transaction, sealed);
}
