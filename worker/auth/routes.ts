import type { Hono, Context } from "hono";
import {
  finishGoogleSignIn,
  signInByLink,
  signOut,
  startEmailSignIn,
  startGoogleSignIn,
  verifyEmailSignIn,
} from "#shared/contracts/account/auth.ts";
import { readInviteCode } from "#shared/sign-in/invite-code.ts";
import { safeReturnUrl } from "#shared/sign-in/return-url.ts";
import type { AppContext } from "../env.ts";
import { ownOrigin } from "../http/origin.ts";
import { serve } from "../http/serve.ts";
import { dropSession } from "../http/session.ts";
import { describeUser } from "../users/users.ts";
import { redeemCode, redeemLink, sendCode } from "./email-codes.ts";
import { finishGoogle, startGoogle } from "./google.ts";
import { admit, signIn } from "./sign-in.ts";
import { endSessions } from "./sign-out.ts";
import { readCookie, writeCookie } from "../http/cookies.ts";
import { randomToken, sha256 } from "./random.ts";

/** Mail programs break longer addresses; so many characters of it are the way back. */
const PATH_LENGTH = 1_500;

/** Longer than what is counted by it, in seconds: an hour's codes. */
const KEPT_S = 2 * 60 * 60;

/** Mounts signing in and out. */
export function authRoutes(app: Hono<AppContext>): void {
  serve(app, startEmailSignIn, async ({ c, body }) => {
    const origin = ownOrigin(c);
    const invite = body.invite === undefined ? null : readInviteCode(body.invite);
    const input = { email: body.email, invite, browser: await rememberBrowser(c), ip: c.var.ip, origin };
    await sendCode(c.env, c.var.db, { ...input, returnUrl: shortPath(safeReturnUrl(body.returnUrl, origin)) });
    return { ok: true as const };
  });

  serve(app, verifyEmailSignIn, async ({ c, body }) => {
    const proof = { email: body.email, invite: body.invite };
    const given = { email: body.email, code: body.code, browser: await knownBrowser(c), ip: c.var.ip };
    await redeemCode(c.env, c.var.db, given, () => admit(c, proof));
    return { user: await describeUser(c.env, await signIn(c, proof)) };
  });

  serve(app, signInByLink, async ({ c, body }) => {
    const email = await redeemLink(c.var.db, body.token, (proven) => admit(c, { email: proven, invite: body.invite }));
    return { user: await describeUser(c.env, await signIn(c, { email, invite: body.invite })) };
  });

  serve(app, startGoogleSignIn, ({ c, query }) => startGoogle(c, query));
  serve(app, finishGoogleSignIn, ({ c, query }) => finishGoogle(c, query));

  serve(app, signOut, async ({ c, caller, body }) => {
    await endSessions(c.env, c.var.db, { caller, everywhere: body.everywhere === true });
    dropSession(c);
    return { ok: true as const };
  });
}

function shortPath(path: string): string {
  return path.length <= PATH_LENGTH ? path : "/";
}

/** The browser that asks, by the SHA-256 of its cookie; null for one that was never given any. */
async function knownBrowser(c: Context<AppContext>): Promise<string | null> {
  const secret = readCookie(c, "browser");
  return secret === undefined ? null : sha256(secret);
}

/** The same, with a cookie for one that has none; it is kept two hours from its last use here. */
async function rememberBrowser(c: Context<AppContext>): Promise<string> {
  const secret = readCookie(c, "browser") ?? randomToken();
  writeCookie(c, "browser", { value: secret, maxAge: KEPT_S });
  return sha256(secret);
}
