import type { Context, Hono } from "hono";
import { getWhatsAppSetup, startWhatsAppSetup, unlinkWhatsApp, verifyWhatsAppSetup } from "#shared/contracts/account/whatsapp.ts";
import { notifyOwner } from "#worker/people/alerts/alerts.ts";
import type { AppContext, Caller } from "#worker/platform/env.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { describeUser, getUserRow } from "#worker/people/users/users.ts";
import { describeSetup, redeemNumberCode, removeNumber, sendNumberCode } from "./setup.ts";

/** Mounts the caller's number of the messaging app: which it is, linking it by a code, and unlinking it. */
export function messagingSetupRoutes(app: Hono<AppContext>): void {
  serve(app, getWhatsAppSetup, ({ c, caller }) => describeSetup(c.env, c.var.db, caller.userId));

  serve(app, startWhatsAppSetup, async ({ c, caller, body }) => ({
    phone_number: await sendNumberCode(c.env, c.var.db, { caller, ip: c.var.ip, phoneNumber: body.phoneNumber }),
  }));

  serve(app, verifyWhatsAppSetup, async ({ c, caller, body }) => {
    const number = await redeemNumberCode(c.env, c.var.db, { caller, ip: c.var.ip, code: body.code, origin: ownOrigin(c) });
    notifyOwner(c, { userId: caller.userId, what: "number", detail: number });
    notifyTabs(c, caller);
    return { user: await describeUser(c.env, await getUserRow(c.var.db, caller.userId)) };
  });

  serve(app, unlinkWhatsApp, async ({ c, caller }) => {
    const number = await removeNumber(c.env, c.var.db, caller.userId);
    if (number !== null) notifyOwner(c, { userId: caller.userId, what: "number-gone", detail: number });
    notifyTabs(c, caller);
    return { user: await describeUser(c.env, await getUserRow(c.var.db, caller.userId)) };
  });
}

/** Their other tabs read the person again; nobody waits for that. */
function notifyTabs(c: Context<AppContext>, { userId }: Caller): void {
  c.executionCtx.waitUntil(hubOf(c.env, userId).noteUserChanged());
}
