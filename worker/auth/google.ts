import type { Context } from "hono";
import { FRESH_CRITICAL_MIN } from "#shared/limits.ts";
import { readInviteCode } from "#shared/sign-in/invite-code.ts";
import { shortReturnUrl } from "#shared/sign-in/return-url.ts";
import type { SecurityEvent } from "#shared/security-events.ts";
import { SIGN_IN_FAILURES, type SignInFailure } from "#shared/sign-in/sign-in-failures.ts";
import { GoogleError, type GoogleProfile, consentUrl, exchangeCode, signInAnew } from "../clients/google.ts";
import { type AppContext, configOf } from "../env.ts";
import { AppError } from "../app-error.ts";
import { clearCookie, readCookie, writeCookie } from "../http/cookies.ts";
import { log } from "../log.ts";
import { ownOrigin } from "../http/origin.ts";
import { noteEvent } from "../security/note-event.ts";
import { TRANSACTION_S, type Transaction, newTransaction, openTransaction, sealTransaction } from "./google-transaction.ts";
import { provedPage } from "./proved-page.ts";
import { sha256 } from "./random.ts";
import { addressOf } from "./linked-sign-ins.ts";
import { signIn } from "./sign-in.ts";
import { keepUnproven } from "./unproven-google.ts";
import { findUserByIdentity, getUserRow } from "../users/users.ts";

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
  if (!client) return notify(c, "unconfigured", place);
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
export async function finishGoogle(c: Context<AppContext>, returned: Returned): Promise<Response> {
  const sealed = readCookie(c, "google");
  clearCookie(c, "google");
  const { client } = configOf(c.env).google;
  if (!client) return notify(c, "unconfigured", UNKNOWN);
  const transaction = sealed === undefined ? null : await openTransaction(c.env, sealed);
  // Both are ours: the state's secrecy towards this browser does not matter, so neither does the comparison's time.
  if (!transaction || transaction.state !== returned.state) return notify(c, "expired", UNKNOWN);
  const { nonce, verifier } = transaction;
  if (returned.error !== undefined) return notify(c, returned.error === "access_denied" ? "cancelled" : "failed", transaction);
  if (returned.code === undefined) return notify(c, "failed", transaction);
  try {
    const profile = await exchangeCode(c.env, client, { code: returned.code, verifier, redirectUri: redirectUri(c), nonce });
    if (!profile.emailVerified) return notify(c, "unverified", transaction);
    if (transaction.again) return await notify(c, await proveAgain(c, transaction.again, profile), transaction);
    const { email, isProven } = await addressOf(c.env, c.get("db"), profile);
    if (!isProven) return await askForProof(c, email, profile, transaction);
    const keepsNothing = transaction.keepsNothing === true;
    await signIn(c, { email, google: profile, invite: transaction.invite ?? undefined, provedAt: profile.provedAt, keepsNothing });
  } catch (error) {
    // This is a page's navigation: whoever comes back from Google must land on a page that says what happened.
    return notify(c, failureOf(error), transaction);
  }
  return notify(c, null, transaction);
}

/** Begins the session anew for whose Google account it is, if they signed in there just now; answers why not, or null. */
async function proveAgain(c: Context<AppContext>, userId: string, profile: GoogleProfile): Promise<SignInFailure | null> {
  const { subject, provedAt } = profile;
  const linked = await findUserByIdentity(c.get("db"), "google", subject);
  const isOwn = linked?.user.id === userId && c.get("caller")?.userId === userId;
  const { email, isProven } = await addressOf(c.env, c.get("db"), profile);
  if (!isOwn || !isProven) return "another";
  if (provedAt === null || Date.now() - provedAt > FRESH_CRITICAL_MIN * 60_000) return "stale";
  await signIn(c, { email, google: profile, provedAt });
  return null;
}

/** Leads to the login page, to have the address proven by a mailed code. It stands behind the `#`, which no server and no log gets to see. */
async function askForProof(
  c: Context<AppContext>,
  email: string,
  profile: GoogleProfile,
  { returnUrl, invite }: Transaction,
): Promise<Response> {
  await keepUnproven(c, email, profile);
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
async function notify(c: Context<AppContext>, failure: SignInFailure | null, { returnUrl, isFromPage, again }: Place): Promise<Response> {
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
