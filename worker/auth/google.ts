import type { Context } from "hono";
import { readInviteCode } from "#shared/sign-in/invite-code.ts";
import { safeReturnUrl } from "#shared/sign-in/return-url.ts";
import type { SignInFailure } from "#shared/sign-in/sign-in-failures.ts";
import { GoogleError, consentUrl, exchangeCode } from "../clients/google.ts";
import { type AppContext, configOf } from "../env.ts";
import { AppError } from "../app-error.ts";
import { clearCookie, readCookie, writeCookie } from "../http/cookies.ts";
import { log } from "../log.ts";
import { ownOrigin } from "../http/origin.ts";
import { TRANSACTION_S, newTransaction, openTransaction, sealTransaction } from "./google-transaction.ts";
import { sha256 } from "./random.ts";
import { signIn } from "./sign-in.ts";

type Asked = { returnUrl?: string | undefined; failure?: "login" | "page" | undefined; invite?: string | undefined };

/** Sends the browser to Google, with a cookie that binds the return to it. */
export async function startGoogle(c: Context<AppContext>, { returnUrl, failure, invite }: Asked): Promise<Response> {
  const place = { returnUrl: safeReturnUrl(returnUrl, ownOrigin(c)), isFromPage: failure === "page" };
  const { client } = configOf(c.env).google;
  if (!client) return notify(c, "unconfigured", place);
  const transaction = newTransaction({ ...place, invite: invite === undefined ? null : readInviteCode(invite) });
  writeCookie(c, "google", { value: await sealTransaction(c.env, transaction), maxAge: TRANSACTION_S });
  const { state, nonce, verifier } = transaction;
  return c.redirect(consentUrl(c.env, client, { redirectUri: redirectUri(c), state, nonce, challenge: await sha256(verifier) }));
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
  const { nonce, verifier, returnUrl } = transaction;
  if (returned.error !== undefined) return notify(c, returned.error === "access_denied" ? "cancelled" : "failed", transaction);
  if (returned.code === undefined) return notify(c, "failed", transaction);
  try {
    const profile = await exchangeCode(c.env, client, { code: returned.code, verifier, redirectUri: redirectUri(c), nonce });
    if (!profile.emailVerified) return notify(c, "unverified", transaction);
    const { email, subject, name, picture } = profile;
    await signIn(c, { email, google: { subject, name, picture }, invite: transaction.invite ?? undefined });
  } catch (error) {
    // This is a page's navigation: whoever comes back from Google must land on a page that says what happened.
    return notify(c, failureOf(error), transaction);
  }
  return c.redirect(returnUrl, 303);
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

/** Leads to the page that was tried on, or to the login page, which both say why it failed. */
function notify(c: Context<AppContext>, failure: SignInFailure, { returnUrl, isFromPage }: typeof UNKNOWN): Response {
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
