import { APP_NAME } from "#shared/app.ts";
import type { Env } from "../env.ts";
import { AppError } from "../app-error.ts";
import { reachOut } from "./egress.ts";

const TIMEOUT_MS = 10_000;

/** A mail of the product's own; `html` repeats `text`. */
export type Mail = { to: string; subject: string; text: string; html: string };

/** True where mail can go out: Resend has a key, or the platform's binding is there. */
export function canSendMail(env: Env): boolean {
  return Boolean(env.RESEND_API_KEY) || env.EMAIL !== undefined;
}

/** Sends a mail by Resend where it has a key, else by the binding; MAIL_NOT_CONFIGURED with neither, MAIL_FAILED when it was not taken. */
export async function sendMail(env: Env, mail: Mail, origin: string): Promise<void> {
  const from = parseMailbox(env.MAIL_FROM ?? `${APP_NAME} <no-reply@${new URL(origin).hostname}>`);
  if (env.RESEND_API_KEY) return sendByResend(env, env.RESEND_API_KEY, { from, mail });
  if (!env.EMAIL) throw new AppError("MAIL_NOT_CONFIGURED");
  try {
    await env.EMAIL.send({ from, ...mail, to: [mail.to], headers: AUTOMATIC });
  } catch (cause) {
    throw new AppError("MAIL_FAILED", { cause });
  }
}

/** Machines must not answer it (RFC 3834). */
const AUTOMATIC = { "Auto-Submitted": "auto-generated" };

type Mailbox = { name: string; email: string };

async function sendByResend(env: Env, key: string, { from, mail }: { from: Mailbox; mail: Mail }): Promise<void> {
  let response: Response;
  try {
    response = await reachOut(`${env.RESEND_URL ?? "https://api.resend.com"}/emails`, {
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

/** `Name <address>` or a bare address, in its parts. */
function parseMailbox(text: string): Mailbox {
  const named = /^(.*)<([^<>]+)>\s*$/.exec(text);
  if (!named) return { name: APP_NAME, email: text.trim() };
  return { name: named[1]?.trim().replaceAll('"', "") || APP_NAME, email: named[2]?.trim() ?? "" };
}
