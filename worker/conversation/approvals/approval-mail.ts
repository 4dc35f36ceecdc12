/** The mail to the one whose word a call waits for, where nobody may be looking at the chat. */
import { APP_NAME } from "#shared/app.ts";
import type { OutgoingMail } from "#worker/platform/clients/mailer.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { escapeHtml } from "#worker/platform/http/escape-html.ts";
import { addressOf } from "#worker/mail/chat-address/address.ts";
import { cleanSubject } from "#worker/platform/letters/subject.ts";
import { approvalLocalPart } from "#worker/mail/chat-address/approval-address.ts";
import type { Tool } from "#worker/conversation/tools/tool.ts";
import { fieldsOf, toolName } from "./describe-call.ts";

/** Characters of a call's input that a mail shows; a longer one is approved where all of it can be seen. */
const INPUT_LENGTH = 50_000;
const TITLE_LENGTH = 100;

/** What began the turn whose call waits: a mail that came in, a reminder of one that nobody answered, a schedule, or the end of what went on outside. */
export type Beginning = "mail" | "reminder" | "run" | "schedule";

const BEGAN: Record<Beginning, (title: string) => string> = {
  mail: (title) => `A mail came into the chat ${title}, and its reply wants to use`,
  reminder: (title) => `Nobody has answered a mail of the chat ${title} in time, and the follow-up wants to use`,
  schedule: (title) => `A schedule sent its message in the chat ${title}, and the answer to that wants to use`,
  run: (title) => `A call or a run that the chat ${title} had set going has ended, and the answer to that wants to use`,
};

type Asking = {
  chat: { id: string; title: string };
  /** Its tool's id and its input. */
  call: { id: string; tool: string; input: unknown };
  /** All tools that there are. */
  tools: readonly Tool[];
  to: string;
  token: string;
  beginning: Beginning;
  /** When it is discarded. */
  expiresAt: string | null;
};

/** Composes the mail; null where this deployment has no address to answer at. */
export function approvalMail(env: Env, { chat, call, tools, to, token, beginning, expiresAt }: Asking): OutgoingMail | null {
  const address = addressOf(env, approvalLocalPart(chat.id, token));
  if (address === null) return null;
  const name = toolName(call.tool);
  const title = chat.title.slice(0, TITLE_LENGTH) || "New Chat";
  const { origin } = configOf(env);
  const fields = fieldsOf(tools, call);
  const fitsInput = fields.reduce((sum, { label, value }) => sum + label.length + value.length, 0) <= INPUT_LENGTH;
  const shown = fitsInput ? fields : [];
  const began = BEGAN[beginning](`\u2018${title}\u2019`);
  const before = `${began} \u2018${name}\u2019. Nothing happens until you approve it.`;
  const how = fitsInput
    ? `Reply "ok" to ${call.tool === "sendEmail" ? "send" : "do it"}, "no" to discard, or write what to change.`
    : "It is too long to be shown here: open the chat to see it, and to approve or discard it.";
  const expiry = expiresAt === null ? "" : ` Without an answer it is discarded on ${expiresAt.slice(0, 10)}.`;
  const after = `Only an answer from your own address counts, and only the first one.${expiry}`;
  const link = origin === undefined ? null : `${origin}/c/${chat.id}`;
  return {
    from: { name: APP_NAME, email: address },
    to: [to],
    cc: [],
    replyTo: address,
    subject: cleanSubject(`Waiting for you: ${name} in \u2018${title}\u2019`),
    text: `${[before, ...shown.map(({ label, value }) => `${label}: ${value}`), how, ...(link ? [link] : []), after].join("\n\n")}\n`,
    html: [
      '<div style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1c1b19;max-width:560px">',
      `<p>${escapeHtml(before)}</p>`,
      ...shown.map(
        ({ label, value }) =>
          `<p style="margin:8px 0;white-space:pre-wrap"><span style="color:#57605a">${escapeHtml(label)}</span><br>${escapeHtml(value)}</p>`,
      ),
      `<p><strong>${escapeHtml(how)}</strong></p>`,
      ...(link ? [`<p><a href="${escapeHtml(link)}" style="color:#256b48">Open the chat</a></p>`] : []),
      `<p style="color:#57605a;font-size:14px">${escapeHtml(after)}</p>`,
      "</div>",
    ].join(""),
    headers: { "Auto-Submitted": "auto-generated" },
    files: [],
    key: `approval-${call.id}`,
  };
}
