/** A mail that a person's Gmail is to keep or send, as Gmail takes it. */
import { base64url } from "jose";
import { decodeWords } from "postal-mime";
import { type GmailPlace, headerOf, type RawMail, readHeaders } from "#worker/platform/clients/google/gmail.ts";
import type { GoogleAnswer } from "#worker/platform/clients/google/ask.ts";
import { mailBody } from "#worker/mail/outbound/body/mail-body.ts";
import { composeMime } from "#worker/mail/outbound/mime.ts";
import { cleanSubject, replySubject } from "#worker/platform/letters/subject.ts";
import { messageIdsIn, threadHeaders } from "#worker/mail/outbound/thread-headers.ts";

/** What a call says of a mail. */
export type GmailLetter = {
  to: string[];
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  subject?: string | undefined;
  body: string;
  /** The id of the message that it answers. */
  reply_to?: string | undefined;
};

const NO_THREAD = { headers: {}, subject: "", threadId: null };

/** Composes a mail; one that answers another stands in its thread, unless its subject says that it is about something else. */
export async function composeLetter(
  place: GmailPlace,
  from: string,
  letter: GmailLetter,
): Promise<GoogleAnswer<RawMail & { subject: string }>> {
  const answered = letter.reply_to === undefined ? ({ ok: true, value: NO_THREAD } as const) : await threadOf(place, letter.reply_to);
  if (!answered.ok) return answered;
  const { headers, subject: asked, threadId } = answered.value;
  const own = cleanSubject(letter.subject ?? "");
  const isOfThread = threadId !== null && (own === "" || replySubject(own) === replySubject(asked));
  const subject = isOfThread ? replySubject(asked) : own;
  const { to, cc = [], bcc = [], body } = letter;
  const mime = composeMime({ from, to, cc, bcc, subject, thread: headers, body: mailBody({ markdown: body }) });
  return { ok: true, value: { raw: base64url.encode(mime), subject, ...(isOfThread && { threadId }) } };
}

async function threadOf(place: GmailPlace, id: string) {
  const found = await readHeaders(place, id);
  if (!found.ok) return found.kind === "gone" ? { ...found, message: "Gmail has no message with the id in reply_to." } : found;
  const [messageId = null] = messageIdsIn(headerOf(found.value, "Message-ID"));
  const references = messageIdsIn(headerOf(found.value, "References"));
  const subject = decodeWords(headerOf(found.value, "Subject"));
  return { ok: true, value: { headers: threadHeaders({ messageId, references }), subject, threadId: found.value.threadId } } as const;
}
