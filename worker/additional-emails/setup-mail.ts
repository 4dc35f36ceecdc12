import { APP_NAME } from "#shared/app.ts";
import { canSendMail, sendMail } from "../clients/mailer.ts";
import type { Env } from "../env.ts";
import { countIfFree, daily } from "../http/rate-limit.ts";
import { letter } from "../mail/letter.ts";

/** Mails how to set up DKIM and DMARC for a domain, once a day at most: the check may be asked as often as one likes. */
export async function mailInstructions(env: Env, { to, domain, origin }: { to: string; domain: string; origin: string }): Promise<void> {
  if (!canSendMail(env) || !(await countIfFree(env, `email-setup:${to}`, daily(1)))) return;
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
