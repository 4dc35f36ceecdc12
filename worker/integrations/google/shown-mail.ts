/** A person's mail as a model is shown it. */
import { decodeWords } from "postal-mime";
import {
  fromBase64Url,
  type GmailMessage,
  type GmailPart,
  type GmailThread,
  headerOf,
  partsOf,
} from "#worker/platform/clients/google/gmail.ts";
import { htmlToText } from "#worker/mail/inbound/html-text.ts";
import { splitThread } from "#worker/mail/inbound/split-thread.ts";

const HEADER_LENGTH = 500;

/** A file that came with a message, by an id that stays. */
export type MailAttachment = { id: string; name: string; type: string; bytes: number; part: GmailPart };

/** The files of a message, those within its text as well. */
export function attachmentsOf(message: GmailMessage): MailAttachment[] {
  return partsOf(message).flatMap((part, index) => {
    const name = decodeWords(part.filename ?? "").trim();
    if (name === "" || !part.body) return [];
    const id = `${message.id}/${part.partId ?? index}`;
    return [{ id, name, type: part.mimeType ?? "application/octet-stream", bytes: part.body.size ?? 0, part }];
  });
}

/** A thread in a list. */
export function summarize({ id, messages }: GmailThread) {
  const all = messages ?? [];
  const last = all.at(-1);
  return {
    thread_id: id,
    subject: subjectOf(all),
    from: [...new Set(all.map((message) => header(message, "From")))].slice(0, 6),
    ...(last && { to: header(last, "To"), date: dateOf(last), snippet: last.snippet ?? "" }),
    messages: all.length,
    unread: all.some(({ labelIds }) => labelIds?.includes("UNREAD")),
  };
}

/** A message with its own words, cut to so many characters; what it quotes of earlier ones is left out where the thread has those. */
export function show(message: GmailMessage, { length, hasEarlier }: { length: number; hasEarlier: boolean }) {
  const written = textOf(message);
  const own = hasEarlier ? splitThread(written, 0).text : written;
  const files = attachmentsOf(message).map(({ id, name, type, bytes }) => ({ id, name, type, bytes }));
  return {
    message_id: message.id,
    from: header(message, "From"),
    to: header(message, "To"),
    ...(header(message, "Cc") !== "" && { cc: header(message, "Cc") }),
    date: dateOf(message),
    text: own.length <= length ? own : `${own.slice(0, length).toWellFormed()}…`,
    ...(files.length > 0 && { attachments: files }),
  };
}

export function subjectOf([first]: readonly GmailMessage[]): string {
  return (first && header(first, "Subject")) || "(no subject)";
}

function header(message: GmailMessage, name: string): string {
  return decodeWords(headerOf(message, name))
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, HEADER_LENGTH)
    .toWellFormed();
}

function dateOf({ internalDate }: GmailMessage): string | null {
  const date = new Date(internalDate ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** The plain text of a message, else what a person sees of its HTML. */
function textOf(message: GmailMessage): string {
  const bodies = partsOf(message).filter(({ filename, body }) => !filename && body?.data);
  const read = (type: string) => bodies.filter(({ mimeType }) => mimeType === type).map((part) => decode(part));
  const plain = read("text/plain").join("\n\n").trim();
  return plain === "" ? read("text/html").map(htmlToText).join("\n\n") : plain;
}

function decode({ body, headers }: GmailPart): string {
  const bytes = fromBase64Url(body?.data ?? "");
  const type = headers?.find(({ name }) => name.toLowerCase() === "content-type")?.value ?? "";
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? "utf-8";
  return bytes === null ? "" : decoderOf(charset).decode(bytes).replaceAll("\r\n", "\n");
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // A name that nobody knows.
    return new TextDecoder();
  }
}
