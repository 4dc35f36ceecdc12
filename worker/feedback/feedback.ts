import { APP_NAME } from "#shared/app.ts";
import { type Mail, canSendMail, sendMail } from "../clients/mailer.ts";
import type { Database } from "../db/client.ts";
import { configOf, type Env } from "../env.ts";
import { AppError } from "../app-error.ts";
import { escapeHtml } from "../http/escape-html.ts";
import { log } from "../log.ts";
import { getUserRow } from "../users/users.ts";
import { insertFeedback } from "./queries.ts";

type Sender = { name: string; email: string | null };
type Feedback = { userId: string; message: string; origin: string };

/** True where a mail can reach the operator. */
function reachesOperator(env: Env): boolean {
  return configOf(env).mail.operator !== undefined && canSendMail(env);
}

/** Keeps a message to the operator. Throws FEEDBACK_NOT_SUPPORTED in a deployment that has neither a place for it nor a mail to carry it. */
export async function keepFeedback(env: Env, db: Database, { userId, message }: Feedback): Promise<void> {
  try {
    await insertFeedback(db, userId, message);
  } catch (cause) {
    if (!isWithoutTable(cause)) throw cause;
    if (!reachesOperator(env)) throw new AppError("FEEDBACK_NOT_SUPPORTED", { cause });
    log.error("feedback has no table and goes by mail alone", { cause });
  }
}

function isWithoutTable(cause: unknown): boolean {
  return cause instanceof Error && (/no such table/i.test(cause.message) || isWithoutTable(cause.cause));
}

/** Notifies the operator of a stored message by mail, where the operator has an address; a failure is only logged (spec 7). */
export async function mailFeedback(env: Env, db: Database, { userId, message, origin }: Feedback) {
  const { operator } = configOf(env).mail;
  if (operator === undefined) return;
  try {
    const user = await getUserRow(db, userId);
    await sendMail(env, feedbackMail(operator, { name: user.display_name, email: user.email }, message), origin);
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
