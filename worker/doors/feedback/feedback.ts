import { APP_NAME } from "#shared/app.ts";
import { type Mail, canSendMail, sendMail } from "#worker/platform/clients/mailer.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { escapeHtml } from "#worker/platform/http/escape-html.ts";
import { log } from "#worker/platform/log.ts";
import { getUserRow } from "#worker/people/users/users.ts";
import { insertFeedback } from "./queries.ts";

type Sender = { name: string; email: string | null };
type Feedback = { userId: string; message: string; origin: string };

/** True where a mail can reach the operator. */
function canMailOperator(env: Env): boolean {
  return configOf(env).mail.operator !== undefined && canSendMail(env);
}

/** Keeps a message to the operator. Throws FEEDBACK_NOT_SUPPORTED in a deployment that has neither a place for it nor a mail to carry it. */
export async function storeFeedback(env: Env, db: Database, { userId, message }: Feedback): Promise<void> {
  try {
    await insertFeedback(db, userId, message);
  } catch (cause) {
    if (!isWithoutTable(cause)) throw cause;
    if (!canMailOperator(env)) throw new AppError("FEEDBACK_NOT_SUPPORTED", { cause });
    log.error("feedback has no table and goes by mail alone", { cause });
  }
}

function isWithoutTable(cause: unknown): boolean {
  return cause instanceof Error && (/no such table/i.test(cause.message) || isWithoutTable(cause.cause));
}

/** Notifies the operator of a stored message by mail, where the operator has an address; a failure is only logged. */
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

export function feedbackMail(to: string, { name, email }: Sender, message: string): Mail {
  const from = email ? `${name} <${email}>` : name;
  return {
    to,
    subject: `${APP_NAME} feedback from ${name}`.replaceAll(/\s+/g, " "),
    text: `${message}\n\n${from}\n`,
    html: `<p style="white-space:pre-wrap">${escapeHtml(message)}</p><p>${escapeHtml(from)}</p>`,
  };
}
