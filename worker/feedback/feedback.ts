import { APP_NAME } from "#shared/app.ts";
import { type Mail, sendMail } from "../clients/mailer.ts";
import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { log } from "../http/log.ts";
import { getUserRow } from "../users/users.ts";

type Sender = { name: string; email: string | null };

/** Tells the operator of a stored message by mail, where OPERATOR_EMAIL is set; a failure is only logged (spec 7). */
export async function mailFeedback(
  env: Env,
  db: Database,
  { userId, message, origin }: { userId: string; message: string; origin: string },
) {
  if (!env.OPERATOR_EMAIL) return;
  try {
    const user = await getUserRow(db, userId);
    await sendMail(env, feedbackMail(env.OPERATOR_EMAIL, { name: user.display_name, email: user.email }, message), origin);
  } catch (cause) {
    log.error("feedback was stored but not mailed", { cause });
  }
}

/** The mail of one message. */
export function feedbackMail(to: string, { name, email }: Sender, message: string): Mail {
  const from = email ? `${name} <${email}>` : name;
  return {
    to,
    subject: `${APP_NAME} feedback from ${name}`.replaceAll(/\s+/g, " "),
    text: `${message}\n\n${from}\n`,
    html: `<p style="white-space:pre-wrap">${escapeHtml(message)}</p><p>${escapeHtml(from)}</p>`,
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
