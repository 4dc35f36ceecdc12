import type { Context, Hono } from "hono";
import {
  checkEmailAuthentication,
  deleteAdditionalEmail,
  startAdditionalEmail,
  verifyAdditionalEmail,
} from "#shared/contracts/account/additional-emails.ts";
import { tellOwner } from "../alerts/alerts.ts";
import { lookUpTexts } from "../clients/dns.ts";
import type { AppContext, Caller } from "../env.ts";
import { ownOrigin } from "../http/origin.ts";
import { countOrRefuse, hourly } from "../http/rate-limit.ts";
import { serve } from "../http/serve.ts";
import { log } from "../log.ts";
import { hubOf } from "../user-hub/stub.ts";
import { describeUser, getUserRow } from "../users/users.ts";
import { redeemAdditionalCode, removeAdditional, sendAdditionalCode } from "./additional-emails.ts";
import { checkAuthentication } from "./check-authentication.ts";
import { mailInstructions } from "./setup-mail.ts";

/** Each asks a resolver up to thirty times. */
const CHECKS_PER_HOUR = 60;

/** Mounts the caller's additional addresses, and the check of their own one's domain. */
export function additionalEmailRoutes(app: Hono<AppContext>): void {
  serve(app, startAdditionalEmail, async ({ c, caller, body }) => {
    await sendAdditionalCode(c.env, c.var.db, { caller, ip: c.var.ip, email: body.email, origin: ownOrigin(c) });
    notifyTabs(c, caller);
    return { ok: true as const };
  });

  serve(app, verifyAdditionalEmail, async ({ c, caller, body }) => {
    const email = await redeemAdditionalCode(c.env, c.var.db, { caller, ip: c.var.ip, code: body.code });
    tellOwner(c, { userId: caller.userId, what: "address", detail: email });
    notifyTabs(c, caller);
    return { user: await describeUser(c.env, await getUserRow(c.var.db, caller.userId)) };
  });

  serve(app, deleteAdditionalEmail, async ({ c, caller, body }) => {
    const { email } = body;
    if (await removeAdditional(c.var.db, caller.userId, email))
      tellOwner(c, { userId: caller.userId, what: "address-gone", detail: email });
    notifyTabs(c, caller);
    return { user: await describeUser(c.env, await getUserRow(c.var.db, caller.userId)) };
  });

  serve(app, checkEmailAuthentication, async ({ c, caller }) => {
    await countOrRefuse(c.env, `email-checks:${caller.userId}`, hourly(CHECKS_PER_HOUR), "RATE_LIMITED");
    const { email } = await getUserRow(c.var.db, caller.userId);
    const address = email ?? "";
    const domain = address.slice(address.lastIndexOf("@") + 1);
    const found = await checkAuthentication(domain, (name) => lookUpTexts(c.env, name));
    if (!found.hasAuthentication && found.error === null) {
      const sent = mailInstructions(c.env, { to: address, domain, origin: ownOrigin(c) });
      // The notice says what is missing; the mail only helps.
      c.executionCtx.waitUntil(sent.catch((cause: unknown) => log.error("instructions were not mailed", { cause })));
    }
    return found;
  });
}

/** Their other tabs read the person again; nobody waits for that. */
function notifyTabs(c: Context<AppContext>, { userId }: Caller): void {
  c.executionCtx.waitUntil(hubOf(c.env, userId).noteUserChanged());
}
