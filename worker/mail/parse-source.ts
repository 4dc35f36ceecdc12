/** What stands in a mail's source: loaded with the first mail that is read. */
import PostalMime, { type Attachment, type Email } from "postal-mime";
import { MESSAGE_LENGTH } from "#shared/limits.ts";
import { htmlToText } from "./html-text.ts";
import { readDeliveryReport } from "../returns/delivery-report.ts";
import type { MailReturn } from "../returns/mail-return.ts";
import { createMailMeter } from "./mail-meter.ts";
import { splitThread, type EarlierMail } from "./split-thread.ts";
import type { ForwardedMail } from "./room-mail.ts";

/** A file of a mail, named as its sender did. */
export type MailFile = { name: string; type: string; content: Uint8Array };
/** What a source says; `isCut` where its text is longer than what is kept. */
export type ParsedMail = {
  text: string;
  quoted: string | null;
  isCut: boolean;
  /** True where nothing was written above what it quotes: its text is then the quote. */
  isQuoteOnly: boolean;
  files: MailFile[];
  earlier: ForwardedMail[];
  report: MailReturn | null;
};

/** Forwarded mails in one. */
const FORWARDED = 50;
/** Smaller pictures within a text are its layout: logos, lines, marks. */
const LAYOUT_BYTES = 20_000;
const HEADERS_BYTES = 1024 * 1024;
const DEPTH = 50;
const FORWARD_SUBJECT = /^\s*(?:fwd?|wg|tr|rv|enc|i|vs|doorst)\s*:/i;

/** Reads a source, or with `isWhole` false the beginning of one, whose files are broken off. Throws where it is no mail. */
export async function parseSource(bytes: ArrayBuffer, { subject, isWhole }: { subject: string; isWhole: boolean }): Promise<ParsedMail> {
  const email = await parse(bytes);
  const whole = textOf(email);
  const body = clean(whole);
  const thread = splitThread(body);
  const forwarded = isWhole ? await forwardedFiles(email.attachments) : [];
  const isForward = thread.isForwarded || (FORWARD_SUBJECT.test(subject) && thread.earlier.length > 0);
  return {
    text: thread.text,
    quoted: isForward ? null : thread.rest,
    isCut: whole.length > body.length + 1_000 && body.length >= MESSAGE_LENGTH - 1_000,
    isQuoteOnly: thread.isQuoteOnly,
    files: isWhole ? email.attachments.filter((file) => !isLayout(file)).map(toFile) : [],
    report: readDeliveryReport(email.attachments),
    earlier: [...(isForward ? thread.earlier.map(toForwarded) : []), ...forwarded].slice(-FORWARDED),
  };
}

function parse(bytes: ArrayBuffer | Uint8Array): Promise<Email> {
  return PostalMime.parse(bytes, {
    attachmentEncoding: "arraybuffer",
    // A mail within a mail is read by itself, within the same bounds.
    forceRfc822Attachments: true,
    maxNestingDepth: DEPTH,
    maxHeadersSize: HEADERS_BYTES,
  });
}

/** The plain text where there is one, else that of the HTML. */
function textOf({ text = "", html = "" }: Email): string {
  const plain = text.slice(0, 2 * MESSAGE_LENGTH);
  return plain.trim() === "" && html !== "" ? htmlToText(html) : plain;
}

function clean(text: string): string {
  return (
    text
      .slice(0, MESSAGE_LENGTH)
      .replaceAll("\u0000", "")
      .replaceAll(/\r\n?/g, "\n")
      // A pattern for spaces before a line's end tries each place of a long run again.
      .split("\n")
      .map((line) => line.trimEnd())
      .join("\n")
      .trim()
      .toWellFormed()
  );
}

function isLayout({ related, disposition, contentId, mimeType, content }: Attachment): boolean {
  const isWithin = related === true || (disposition === "inline" && contentId !== undefined);
  return mimeType === "message/rfc822" || (isWithin && mimeType.startsWith("image/") && byteLength(content) < LAYOUT_BYTES);
}

function toFile({ filename, mimeType, content }: Attachment): MailFile {
  return { name: filename ?? "", type: mimeType, content: toBytes(content) };
}

function toBytes(content: Attachment["content"]): Uint8Array {
  if (typeof content === "string") return new TextEncoder().encode(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

function byteLength(content: Attachment["content"]): number {
  return typeof content === "string" ? content.length : content.byteLength;
}

/** Mails that were forwarded as files, each by itself, oldest first. */
async function forwardedFiles(files: readonly Attachment[]): Promise<ForwardedMail[]> {
  const mails: ForwardedMail[] = [];
  for (const { content } of files.filter(({ mimeType }) => mimeType === "message/rfc822").slice(0, FORWARDED)) {
    const bytes = toBytes(content);
    // What it holds was decoded since the bytes of the mail around it were measured.
    if (createMailMeter().feed(bytes) !== null) continue;
    const email = await parse(bytes).catch(() => null);
    if (!email) continue;
    const { text } = splitThread(clean(textOf(email)));
    const from = email.from && "address" in email.from && email.from.address !== undefined ? email.from : null;
    mails.push({
      from_addr: from?.address.toLowerCase() ?? "",
      from_name: from?.name ?? "",
      to_addr: (email.to ?? []).flatMap((one) => (one.address === undefined ? [] : [one.address.toLowerCase()])).slice(0, 100),
      date: email.date ?? "",
      subject: (email.subject ?? "").slice(0, 500),
      text,
      created_at: toTime(email.date ?? ""),
    });
  }
  return mails.toSorted((one, other) => (one.created_at ?? "").localeCompare(other.created_at ?? ""));
}

/** An earlier mail as its quote names it. */
function toForwarded({ from, to, date, subject, text }: EarlierMail): ForwardedMail {
  return {
    from_addr: addressIn(from),
    from_name: from
      .slice(0, 1_000)
      .replaceAll(/<[^>]*>|\[mailto:[^\]]*\]|["*]/g, "")
      .trim()
      .slice(0, 100),
    to_addr: [addressIn(to)].filter((address) => address !== ""),
    date: date.slice(0, 100),
    subject: subject.slice(0, 500),
    text,
    created_at: toTime(date),
  };
}

function addressIn(text: string): string {
  return /[^\s<>"'()[\]:;,@]{1,64}@[^\s<>"'()[\]:;,@]{1,190}/.exec(text)?.[0].toLowerCase() ?? "";
}

function toTime(date: string): string | null {
  const time = Date.parse(date.replace(/\s+at\s+/i, " "));
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
