import type { Hono, Context } from "hono";
import {
  checkFreshSignIn,
  finishGoogleSignIn,
  signInByLink,
  signOut,
  startEmailSignIn,
  startGoogleSignIn,
  verifyEmailSignIn,
} from "#shared/contracts/account/auth.ts";
import { endLinkedSignIn, listLinkedSignIns } from "#shared/contracts/account/linked-sign-ins.ts";
import { endSession, listSessions } from "#shared/contracts/account/sessions.ts";
import { FRESH_OWN_MIN } from "#shared/limits.ts";
import { readInviteCode } from "#shared/sign-in/invite-code.ts";
import { shortReturnUrl } from "#shared/sign-in/return-url.ts";
import { tellOwner } from "../alerts/alerts.ts";
import type { AppContext } from "../env.ts";
import { ownOrigin } from "../http/origin.ts";
import { serve } from "../http/serve.ts";
import { noteEvent } from "../security/note-event.ts";
import { dropSession } from "../http/session.ts";
import { describeUser } from "../users/users.ts";
import { redeemCode, redeemLink, sendCode } from "./email-codes.ts";
import { requireFreshSignIn } from "./fresh-sign-in.ts";
import { finishGoogle, startGoogle } from "./google.ts";
import { endLinked, listLinked } from "./linked-sign-ins.ts";
import { endOwnSession, listOwnSessions } from "./own-sessions.ts";
import { admit, signIn } from "./sign-in.ts";
import { forgetUnproven, unprovenFor } from "./unproven-google.ts";
import { isKnownBrowser } from "./known-browser.ts";
import { endSessions } from "./sign-out.ts";
import { readCookie, writeCookie } from "../http/cookies.ts";
import { randomToken, sha256 } from "./random.ts";

/** Longer than what is counted by it, in seconds: an hour's codes. */
const KEPT_S = 2 * 60 * 60;

/** Mounts signing in and out. */
export function authRoutes(app: Hono<AppContext>): void {
  serve(app, startEmailSignIn, async ({ c, body }) => {
    const origin = ownOrigin(c);
    const invite = body.invite === undefined ? null : readInviteCode(body.invite);
    const asker = { browser: await rememberBrowser(c), ip: c.var.ip, isKnown: await isKnownBrowser(c, body.email) };
    const link = { origin, returnUrl: shortReturnUrl(body.returnUrl, origin), invite, joinsGoogle: body.joins_google === true };
    const input = { ...asker, ...link, email: body.email };
    const { isLinkAlone } = await sendCode(c.env, c.var.db, input);
    return { ok: true as const, link_only: isLinkAlone };
  });

  serve(app, verifyEmailSignIn, async ({ c, body }) => {
    const google = body.joins_google === true ? await unprovenFor(c, body.email) : undefined;
    const proof = { email: body.email, invite: body.invite, google, keepsNothing: body.keeps_nothing };
    const asker = { browser: await browserOf(c), ip: c.var.ip, isKnown: await isKnownBrowser(c, body.email) };
    const given = { ...asker, email: body.email, code: body.code };
    const found = await redeemCode(c.env, c.var.db, given, () => admit(c, proof));
    const { account, beside } = await signIn(c, proof, found);
    forgetUnproven(c);
    return { user: await describeUser(c.env, account, beside) };
  });

  serve(app, signInByLink, async ({ c, body }) => {
    const rest = { invite: body.invite, keepsNothing: body.keeps_nothing };
    const googleFor = async (email: string) => (body.joins_google === true ? unprovenFor(c, email) : undefined);
    const proofOf = async (email: string) => ({ email, ...rest, google: await googleFor(email) });
    const { email, admitted } = await redeemLink(c.var.db, body.token, async (proven) => admit(c, await proofOf(proven)));
    const { account, beside } = await signIn(c, await proofOf(email), admitted);
    forgetUnproven(c);
    return { user: await describeUser(c.env, account, beside) };
  });

  serve(app, startGoogleSignIn, ({ c, query }) => startGoogle(c, query));
  serve(app, finishGoogleSignIn, ({ c, query }) => finishGoogle(c, query));

  serve(app, listLinkedSignIns, async ({ c, caller }) => ({ linked: await listLinked(c.var.db, caller.userId) }));

  serve(app, endLinkedSignIn, async ({ c, caller, params }) => {
    const email = await endLinked(c.env, c.var.db, { caller, id: params.id });
    tellOwner(c, { userId: caller.userId, what: "linked-gone", detail: email ?? "" });
    return { ok: true as const };
  });

  serve(app, listSessions, async ({ c, caller }) => ({ sessions: await listOwnSessions(c.var.db, caller) }));

  serve(app, endSession, async ({ c, caller, params }) => {
    await endOwnSession(c.env, c.var.db, { caller, id: params.id });
    noteEvent(c, "sign-out", caller.userId);
    return { ok: true as const };
  });

  serve(app, checkFreshSignIn, () => ({ ok: true as const }));

  serve(app, signOut, async ({ c, caller, body }) => {
    if (body.everywhere === true) await requireFreshSignIn(c.var.db, caller, FRESH_OWN_MIN);
    await endSessions(c.env, c.var.db, { caller, everywhere: body.everywhere === true });
    noteEvent(c, "sign-out", caller.userId);
    dropSession(c);
    // Pictures and files that the browser holds for its next look at them.
    c.header("clear-site-data", '"cache"');
    return { ok: true as const };
  });
}

/** The browser that asks, by the SHA-256 of its cookie; null for one that was never given any. */
async function browserOf(c: Context<AppContext>): Promise<string | null> {
  const secret = readCookie(c, "browser");
  return secret === undefined ? null : sha256(secret);
}

/** The same, with a cookie for one that has none; it is kept two hours from its last use here. */
async function rememberBrowser(c: Context<AppContext>): Promise<string> {
  const secret = readCookie(c, "browser") ?? randomToken();
  writeCookie(c, "browser", { value: secret, maxAge: KEPT_S });
  return sha256(secret);
}
