import { APP_NAME } from "#shared/app.ts";
import type { Mailbox } from "../config.ts";
import { configOf, type Env } from "../env.ts";
import { AppError } from "../app-error.ts";
import { reachOut } from "./egress.ts";

const TIMEOUT_MS = 10_000;

/** A mail of the product's own; `html` repeats `text`. */
export type Mail = { to: string; subject: string; text: string; html: string };

/** True where mail can go out: Resend has a key, or the platform's binding is there. */
export function canSendMail(env: Env): boolean {
  return configOf(env).mail.resend.key !== undefined || env.EMAIL !== undefined;
}

/** Sends a mail by Resend where it has a key, else by the binding; MAIL_NOT_CONFIGURED with neither, MAIL_FAILED when it was not taken. */
export async function sendMail(env: Env, mail: Mail, origin: string): Promise<void> {
  const { resend, from = { name: APP_NAME, email: `no-reply@${new URL(origin).hostname}` } } = configOf(env).mail;
  if (resend.key !== undefined) return sendByResend({ url: resend.url, key: resend.key }, { from, mail });
  if (!env.EMAIL) throw new AppError("MAIL_NOT_CONFIGURED");
  try {
    await env.EMAIL.send({ from, ...mail, to: [mail.to], headers: AUTOMATIC });
  } catch (cause) {
    throw new AppError("MAIL_FAILED", { cause });
  }
}

/** Machines must not answer it (RFC 3834). */
const AUTOMATIC = { "Auto-Submitted": "auto-generated" };

async function sendByResend({ url, key }: { url: string; key: string }, { from, mail }: { from: Mailbox; mail: Mail }): Promise<void> {
  let response: Response;
  try {
    response = await reachOut(`${url}/emails`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        // Resend's edge refuses requests without one.
        "user-agent": APP_NAME,
        "idempotency-key": crypto.randomUUID(),
      },
      body: JSON.stringify({ ...mail, to: [mail.to], from: `${from.name} <${from.email}>`, headers: AUTOMATIC }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (cause) {
    throw new AppError("MAIL_FAILED", { cause });
  }
  const answer = await response.text();
  if (!response.ok)
    throw new AppError("MAIL_FAILED", { cause: `Resend answered ${response.status}: ${answer.replaceAll(key, "[key]").slice(0, 500)}` });
}
