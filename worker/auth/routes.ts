import type { Hono } from "hono";
import { finishGoogleSignIn, getSession, signOut, startEmailSignIn, startGoogleSignIn, verifyEmailSignIn } from "#shared/contracts/auth.ts";
import type { AppContext } from "../env.ts";
import { ownOrigin } from "../http/origin.ts";
import { serve } from "../http/serve.ts";
import { dropSession } from "../http/session.ts";
import { getUserRow, describeUser } from "../users/users.ts";
import { redeemCode, sendCode } from "./email-codes.ts";
import { featuresOf } from "./features.ts";
import { finishGoogle, startGoogle } from "./google.ts";
import { signIn } from "./sign-in.ts";
import { endSessions } from "./sign-out.ts";

/** Mounts signing in and out. */
export function authRoutes(app: Hono<AppContext>): void {
  serve(app, getSession, async ({ c, caller }) => ({
    user: caller ? await describeUser(c.env, await getUserRow(c.var.db, caller.userId)) : null,
    features: featuresOf(c.env),
  }));

  serve(app, startEmailSignIn, async ({ c, body }) => {
    await sendCode(c.env, c.var.db, { email: body.email, ip: c.var.ip, origin: ownOrigin(c) });
    return { ok: true as const };
  });

  serve(app, verifyEmailSignIn, async ({ c, body }) => {
    await redeemCode(c.env, c.var.db, body);
    return { user: await describeUser(c.env, await signIn(c, { email: body.email })) };
  });

  serve(app, startGoogleSignIn, ({ c, query }) => startGoogle(c, query.returnUrl));
  serve(app, finishGoogleSignIn, ({ c, query }) => finishGoogle(c, query));

  serve(app, signOut, async ({ c, caller, body }) => {
    await endSessions(c.env, c.var.db, { caller, everywhere: body.everywhere === true });
    dropSession(c);
    return { ok: true as const };
  });
}
