import type { Hono } from "hono";
import { createInvite, labelInvite, listInvites, redeemInvite, returnInvite } from "#shared/contracts/invites.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { refreshSession } from "../http/session.ts";
import { makeInvite, readInvites, relabelInvite, takeBack } from "./invites.ts";
import { redeem } from "./redeem.ts";

/** Mounts invites. */
export function inviteRoutes(app: Hono<AppContext>): void {
  serve(app, listInvites, ({ c, caller }) => readInvites(c.env, c.var.db, caller));

  serve(app, createInvite, ({ c, caller, body }) => makeInvite(c.env, c.var.db, caller, body));

  serve(app, labelInvite, async ({ c, caller, params, body }) => ({
    invite: await relabelInvite(c.var.db, caller, { id: params.id, sentTo: body.sent_to }),
  }));

  serve(app, returnInvite, async ({ c, caller, params }) => {
    await takeBack(c.var.db, caller, params.id);
    return { ok: true as const };
  });

  serve(app, redeemInvite, async ({ c, caller, params }) => {
    const redeemed = await redeem(c.env, c.var.db, caller, params.code);
    // The cookie's token says the plan: without a new one it would hold after five minutes alone.
    await refreshSession(c);
    return redeemed;
  });
}
