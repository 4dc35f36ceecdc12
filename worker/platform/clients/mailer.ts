import * as z from "zod/mini";
import { APP_NAME } from "#shared/app.ts";
import { MAIL_FILES_BYTES, MAIL_FILES_BYTES_BY_PLATFORM } from "#shared/limits.ts";
import type { Mailbox } from "#worker/platform/config/config.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { egressFetch } from "./egress.ts";
import { nullishField } from "./nullish-field.ts";

/**
 * A mail that was not taken. `refused`: it never will be. `later`: it was not sent and may be tried again. `unsure`: it may have
 * been sent, so only a service with keys may be asked again. `code` is the service's own name for it.
 */
type MailFailure = { ok: false; kind: "refused" | "later" | "unsure"; code: string; cause: unknown };

/** A service's own name for what was wrong; its sentences may repeat who was written to. */
const Named = z.object({ name: z.string().check(z.regex(/^[A-Za-z]\w{0,59}$/)) });
const Coded = z.object({ code: z.string() });

/** What the binding throws where another try may succeed (email.md, B). */
const LATER = new Set(["E_RATE_LIMIT_EXCEEDED", "E_DAILY_LIMIT_EXCEEDED"]);
const UNSURE = new Set(["E_INTERNAL_SERVER_ERROR", "E_DELIVERY_FAILED"]);

/** How Resend refused (email.md, C). */
function refusalOf(status: number, answer: string): MailFailure {
  const named = Named.safeParse(toJson(answer));
  const code = named.success ? named.data.name : `HTTP_${status}`;
  const cause = new Error(`Resend answered ${status} (${code})`);
  if (status === 429 || code === "concurrent_idempotent_requests") return { ok: false, kind: "later", code, cause };
  // It may have taken the mail before it failed.
  if (status >= 500) return { ok: false, kind: "unsure", code, cause };
  return { ok: false, kind: "refused", code, cause };
}

/** True where Resend knows the key of a mail that it took before, with another content. */
function isKnownKey(status: number, answer: string): boolean {
  return status === 409 && Named.safeParse(toJson(answer)).data?.name === "invalid_idempotent_request";
}

/** What the platform's binding says of a mail that it did not take; null for what it did not say. */
function toBindingFailure(cause: unknown): MailFailure | null {
  const coded = Coded.safeParse(cause);
  if (!coded.success || !coded.data.code.startsWith("E_")) return null;
  const { code } = coded.data;
  return { ok: false, kind: LATER.has(code) ? "later" : UNSURE.has(code) ? "unsure" : "refused", code, cause };
}

/** Nobody knows whether it was sent. */
function uncertainFailure(cause: unknown): MailFailure {
  return { ok: false, kind: "unsure", code: "UNSURE", cause };
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy before the service may answer with a page.
    return null;
  }
}

const TIMEOUT_MS = 10_000;

/** A mail of the product's own; `html` repeats `text`. */
export type Mail = { to: string; subject: string; text: string; html: string };

/** A file that a mail carries; `content` is base64. */
export type MailFile = { filename: string; type: string; content: string };

/** A mail that a chat sends. The same `key` sends once, where the service knows keys; it may be repeated for a day. */
export type OutgoingMail = {
  from: Mailbox;
  to: string[];
  cc: string[];
  replyTo: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  files: MailFile[];
  key: string;
};

/** What became of a mail: `providerId` is the service's own, `messageId` the one that answers name (without angle brackets), null where it gives none. */
export type Delivered = { ok: true; providerId: string | null; messageId: string | null } | MailFailure;

/** True where mail can go out: Resend has a key, or the platform's binding is there. */
export function canSendMail(env: Env): boolean {
  return configOf(env).mail.resend.key !== undefined || env.EMAIL !== undefined;
}

/** Bytes of the files that one mail carries by the service that sends here. */
export function mailFilesBytes(env: Env): number {
  return configOf(env).mail.resend.key === undefined ? MAIL_FILES_BYTES_BY_PLATFORM : MAIL_FILES_BYTES;
}

/** Sends a mail by Resend where it has a key, else by the binding; a `key` as in `sendNotice`. MAIL_NOT_CONFIGURED with neither, MAIL_FAILED when it was not taken. */
export async function sendMail(env: Env, { key = crypto.randomUUID(), ...mail }: Mail & { key?: string }, origin: string): Promise<void> {
  if (!canSendMail(env)) throw new AppError("MAIL_NOT_CONFIGURED");
  const sent = await sendNotice(env, { ...mail, headers: {}, key }, origin);
  if (!sent.ok) throw new AppError("MAIL_FAILED", { cause: sent.cause });
}

/** Sends a mail of the product's own with headers besides; the same `key` sends once, where the service knows keys. Answers what became of it. */
export async function sendNotice(env: Env, mail: Mail & Pick<OutgoingMail, "headers" | "key">, origin: string): Promise<Delivered> {
  const { from = { name: APP_NAME, email: `no-reply@${new URL(origin).hostname}` } } = configOf(env).mail;
  return send(env, { ...mail, from, to: [mail.to], cc: [], headers: { ...mail.headers, ...AUTOMATIC }, files: [] });
}

/** Sends a mail of a chat. Answers what became of it, as that decides whether it may be sent again. */
export async function sendOutgoing(env: Env, mail: OutgoingMail): Promise<Delivered> {
  if (!canSendMail(env)) return { ok: false, kind: "refused", code: "MAIL_NOT_CONFIGURED", cause: new Error("Nothing to send mail with.") };
  return send(env, mail);
}

/** True where a mail that may have been sent can be sent again, as its key shows that it is the same. */
export function hasMailKeys(env: Env): boolean {
  return configOf(env).mail.resend.key !== undefined;
}

/** Machines must not answer it (RFC 3834). */
const AUTOMATIC = { "Auto-Submitted": "auto-generated" };

type Sending = Omit<OutgoingMail, "replyTo"> & { replyTo?: string };

async function send(env: Env, mail: Sending): Promise<Delivered> {
  const { url, key } = configOf(env).mail.resend;
  if (key !== undefined) return sendByResend({ url, key }, mail);
  return env.EMAIL ? sendByBinding(env.EMAIL, mail) : uncertainFailure(new Error("No binding."));
}

async function sendByBinding(
  binding: SendEmail,
  { from, to, cc, replyTo, subject, text, html, headers, files }: Sending,
): Promise<Delivered> {
  try {
    const { messageId } = await binding.send({
      from,
      to,
      ...(cc.length > 0 && { cc }),
      ...(replyTo !== undefined && { replyTo }),
      subject,
      text,
      html,
      headers,
      ...(files.length > 0 && { attachments: files.map((file) => ({ ...file, disposition: "attachment" as const })) }),
    });
    // Its events name the mail by the same id, whatever form that has (worker/mail/bounces/sending-event.ts).
    return { ok: true, providerId: unbracketed(messageId), messageId: bare(messageId) };
  } catch (cause) {
    return toBindingFailure(cause) ?? uncertainFailure(cause);
  }
}

type Resend = { url: string; key: string };

async function sendByResend(resend: Resend, mail: Sending): Promise<Delivered> {
  const { from, to, cc, replyTo, subject, text, html, headers, files, key } = mail;
  const body = {
    to,
    from: `${from.name} <${from.email}>`,
    ...(cc.length > 0 && { cc }),
    ...(replyTo !== undefined && { reply_to: [replyTo] }),
    subject,
    text,
    html,
    headers,
    ...(files.length > 0 && {
      attachments: files.map(({ filename, type, content }) => ({ filename, content, content_type: type })),
    }),
  };
  try {
    const response = await askResend(resend, "/emails", {
      method: "POST",
      headers: { "idempotency-key": key },
      body: JSON.stringify(body),
    });
    const answer = (await response.text()).replaceAll(resend.key, "[key]");
    // The key is known with other words, e.g. of a chat that was renamed since: an earlier try was taken.
    if (isKnownKey(response.status, answer)) return { ok: true, providerId: null, messageId: null };
    if (!response.ok) return refusalOf(response.status, answer);
    const { id = null } = Sent.parse(JSON.parse(answer));
    return { ok: true, providerId: id, messageId: replyTo === undefined || id === null ? null : await messageIdOf(resend, id) };
  } catch (cause) {
    return uncertainFailure(cause);
  }
}

const Sent = z.object({ id: nullishField(z.string()) });
const Stored = z.object({ message_id: nullishField(z.string()) });

/** The id that answers will name; nobody waits for it where it cannot be read now. */
async function messageIdOf(resend: Resend, id: string): Promise<string | null> {
  try {
    const response = await askResend(resend, `/emails/${encodeURIComponent(id)}`, { method: "GET" });
    const stored = Stored.safeParse(JSON.parse(await response.text()));
    return stored.success ? bare(stored.data.message_id) : null;
  } catch {
    // The mail is out: its thread is known by the chat's address too.
    return null;
  }
}

/** A Message-ID without its angle brackets; null for what is none. */
function bare(id: string | null | undefined): string | null {
  const text = unbracketed(id);
  return text?.includes("@") ? text : null;
}

function unbracketed(id: string | null | undefined): string | null {
  return id?.trim().replace(/^<(.*)>$/s, "$1") ?? null;
}

function askResend({ url, key }: Resend, path: string, { headers, ...init }: RequestInit): Promise<Response> {
  return egressFetch(`${url}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      // Resend's edge refuses requests without one.
      "user-agent": APP_NAME,
      ...Object.fromEntries(new Headers(headers)),
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}
