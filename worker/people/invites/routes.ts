import type { Hono } from "hono";
import {
  createInvite,
  labelInvite,
  listInvites,
  previewInvite as previewCall,
  redeemInvite,
  returnInvite,
} from "#shared/contracts/account/invites.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { refreshSession } from "#worker/people/callers/session.ts";
import { makeInvite, readInvites, relabelInvite, revokeOwnInvite } from "./invites.ts";
import { notifyTabs } from "#worker/people/hub/stub.ts";
import { previewInvite, redeem } from "./redeem.ts";

export function inviteRoutes(app: Hono<AppContext>): void {
  serve(app, listInvites, ({ c, caller }) => readInvites(c.env, c.var.db, caller));

  serve(app, createInvite, async ({ c, caller, body }) => {
    const made = await makeInvite(c.env, c.var.db, caller, body);
    notifyTabs(c, "invite", caller.userId);
    return made;
  });

  serve(app, previewCall, async ({ c, caller, params }) => ({
    invite: await previewInvite(c.env, c.var.db, { code: params.code, caller, ip: c.var.ip }),
  }));

  serve(app, labelInvite, async ({ c, caller, params, body }) => {
    const invite = await relabelInvite(c.var.db, caller, { id: params.id, sentTo: body.sent_to });
    notifyTabs(c, "invite", caller.userId);
    return { invite };
  });

  serve(app, returnInvite, async ({ c, caller, params }) => {
    await revokeOwnInvite(c.env, c.var.db, caller, params.id);
    notifyTabs(c, "invite", caller.userId);
    return { ok: true as const };
  });

  serve(app, redeemInvite, async ({ c, caller, params }) => {
    const redeemed = await redeem(c.env, c.var.db, caller, params.code);
    // The cookie's token says the plan: without a new one it would hold after five minutes alone.
    await refreshSession(c);
    return redeemed;
  });
}
