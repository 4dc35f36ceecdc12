import type { Context, Hono } from "hono";
import {
  checkEmailAuthentication,
  deleteAdditionalEmail,
  startAdditionalEmail,
  verifyAdditionalEmail,
} from "#shared/contracts/account/additional-emails.ts";
import { notifyOwner } from "#worker/people/alerts/alerts.ts";
import { lookUpTexts } from "#worker/platform/clients/dns.ts";
import type { AppContext, Caller, Env } from "#worker/platform/env.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { countIfAllowed, countOrRefuse, daily, hourly } from "#worker/platform/http/rate-limit.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { log } from "#worker/platform/log.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { describeUser, getUserRow } from "#worker/people/users/users.ts";
import { redeemAdditionalCode, removeAdditional, sendAdditionalCode } from "./additional-emails.ts";
import { checkAuthentication } from "./check-authentication.ts";
import { APP_NAME } from "#shared/app.ts";
import { canSendMail, sendMail } from "#worker/platform/clients/mailer.ts";
import { letter } from "#worker/platform/letters/letter.ts";

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
    notifyOwner(c, { userId: caller.userId, what: "address", detail: email });
    notifyTabs(c, caller);
    return { user: await describeUser(c.env, await getUserRow(c.var.db, caller.userId)) };
  });

  serve(app, deleteAdditionalEmail, async ({ c, caller, body }) => {
    const { email } = body;
    if (await removeAdditional(c.var.db, caller.userId, email))
      notifyOwner(c, { userId: caller.userId, what: "address-gone", detail: email });
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

/** Mails how to set up DKIM and DMARC for a domain, once a day at most: the check may be asked as often as one likes. */
async function mailInstructions(env: Env, { to, domain, origin }: { to: string; domain: string; origin: string }): Promise<void> {
  if (!canSendMail(env) || !(await countIfAllowed(env, `email-setup:${to}`, daily(1)))) return;
  const mail = letter({
    to,
    subject: `Set up DKIM or DMARC for ${domain}`,
    paragraphs: [
      `You can write to your chats in ${APP_NAME} by mail. To tell your mails from forged ones, ${domain} needs DKIM or DMARC, and its DNS has neither that we know of.`,
      "DKIM signs each mail. Switch it on in the settings of your mail provider (Google Workspace, Microsoft 365 and others have a page for it), and add the TXT or CNAME record that it shows to your domain's DNS.",
      `DMARC says what becomes of mails that fail. Add a TXT record named _dmarc.${domain} with the text: v=DMARC1; p=none; rua=mailto:${to}`,
      "Records can take some hours to be seen everywhere. If somebody else looks after your domain, pass this mail on to them.",
    ],
    button: { label: "Open Email setup", url: `${origin}/?settings=emails` },
    footnote: `You get this mail because Email setup was opened in your ${APP_NAME} account.`,
  });
  await sendMail(env, mail, origin);
}
