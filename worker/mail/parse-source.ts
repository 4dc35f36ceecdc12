/** What stands in a mail's source: loaded with the first mail that is read. */
import type { Attachment, Email } from "postal-mime";
import { MESSAGE_LENGTH } from "#shared/limits.ts";
import { HTML_LENGTH, htmlToText } from "./html-text.ts";
import { readDeliveryReport } from "../returns/delivery-report.ts";
import type { MailReturn } from "../returns/mail-return.ts";
import { createMailMeter, type MailCounts } from "./mail-meter.ts";
import { MimeParser } from "./mime-parser.ts";
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

/** Forwarded mails in one, and the characters of their texts that are read together: a character takes about a microsecond. */
const FORWARDED = 50;
const FORWARDED_LENGTH = 1_000_000;
/** How deep a mail may stand within forwarded mails. */
const NESTED_MAILS = 5;
const FORWARDED_TYPE = "message/rfc822";
/** Longer ones are no date: the rest is somebody's attempt at the pattern that reads it. */
const DATE_LENGTH = 100;
/** Smaller pictures within a text are its layout: logos, lines, marks. */
const LAYOUT_BYTES = 20_000;
const HEADERS_BYTES = 1024 * 1024;
/** The same of a mail within one. */
const FORWARDED_HEADERS_BYTES = 64 * 1024;
const DEPTH = 50;
const FORWARD_SUBJECT = /^\s*(?:fwd?|wg|tr|rv|enc|i|vs|doorst)\s*:/i;

/** Reads a source, or with `isWhole` false the beginning of one, whose files are broken off. Throws where it is no mail. */
export async function parseSource(bytes: ArrayBuffer, { subject, isWhole }: { subject: string; isWhole: boolean }): Promise<ParsedMail> {
  const email = await parse(bytes);
  const whole = textOf(email);
  const body = clean(whole);
  const thread = splitThread(body);
  const report = readDeliveryReport(email.attachments);
  const forwarded = isWhole
    ? await readForwarded(email.attachments, { depth: NESTED_MAILS, work: { mails: 0, characters: 0, counts: undefined } })
    : NONE_FORWARDED;
  const isForward = thread.isForwarded || (FORWARD_SUBJECT.test(subject) && thread.earlier.length > 0);
  return {
    text: thread.text,
    quoted: isForward ? null : thread.rest,
    isCut: whole.length > body.length + 1_000 && body.length >= MESSAGE_LENGTH - 1_000,
    isQuoteOnly: thread.isQuoteOnly,
    // What a report of delivery encloses is the mail that came back: its files are known.
    files: isWhole ? [...filesOf(email), ...(report ? [] : forwarded.files)] : [],
    report,
    earlier: [...(isForward ? thread.earlier.map(toForwarded) : []), ...forwarded.mails.toSorted(byTime)].slice(-FORWARDED),
  };
}

function parse(bytes: ArrayBuffer | Uint8Array, maxHeadersSize = HEADERS_BYTES): Promise<Email> {
  return new MimeParser({
    attachmentEncoding: "arraybuffer",
    // A mail within a mail is read by itself, within the same bounds.
    forceRfc822Attachments: true,
    maxNestingDepth: DEPTH,
    maxHeadersSize,
  }).parse(bytes);
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
  return mimeType === FORWARDED_TYPE || (isWithin && mimeType.startsWith("image/") && byteLength(content) < LAYOUT_BYTES);
}

function filesOf({ attachments }: Email): MailFile[] {
  return attachments.filter((file) => !isLayout(file)).map(toFile);
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

type Forwarded = { mails: ForwardedMail[]; files: MailFile[] };
const NONE_FORWARDED: Forwarded = { mails: [], files: [] };

/** What was spent on all mails within one, however deep they stand: as many as there are, they take no longer than one may. */
type Work = { mails: number; characters: number; counts: MailCounts | undefined };

/** Mails that were forwarded as files with the files in them; one that cannot be read, or is one too many, is a file itself. */
async function readForwarded(attachments: readonly Attachment[], { depth, work }: { depth: number; work: Work }): Promise<Forwarded> {
  const found: Forwarded = { mails: [], files: [] };
  for (const attachment of attachments.filter(({ mimeType }) => mimeType === FORWARDED_TYPE)) {
    const bytes = toBytes(attachment.content);
    const email = depth > 0 ? await parseWithin(bytes, work) : null;
    if (!email) {
      const { name } = toFile(attachment);
      found.files.push({ name: name === "" ? "forwarded.eml" : name, type: FORWARDED_TYPE, content: bytes });
      continue;
    }
    const inner = await readForwarded(email.attachments, { depth: depth - 1, work });
    found.mails.push(toForwardedMail(email), ...inner.mails);
    found.files.push(...filesOf(email), ...inner.files);
  }
  return found;
}

/** A mail within another, where what is left of the work allows it; else null. */
async function parseWithin(bytes: Uint8Array, work: Work): Promise<Email | null> {
  if (work.mails >= FORWARDED) return null;
  // What it holds was decoded since the bytes of the mail around it were measured.
  const meter = createMailMeter(work.counts);
  if (meter.feed(bytes) !== null) return null;
  work.counts = meter.counts();
  const email = await parse(bytes, FORWARDED_HEADERS_BYTES).catch(() => null);
  if (!email) return null;
  work.mails += 1;
  const characters = work.characters + Math.min(email.html?.length ?? 0, HTML_LENGTH) + Math.min(email.text?.length ?? 0, MESSAGE_LENGTH);
  if (characters > FORWARDED_LENGTH) return null;
  work.characters = characters;
  return email;
}

function toForwardedMail(email: Email): ForwardedMail {
  const { text } = splitThread(clean(textOf(email)), 0);
  const from = email.from && "address" in email.from && email.from.address !== undefined ? email.from : null;
  return {
    from_addr: from?.address.toLowerCase() ?? "",
    from_name: from?.name ?? "",
    to_addr: (email.to ?? []).flatMap((one) => (one.address === undefined ? [] : [one.address.toLowerCase()])).slice(0, 100),
    date: (email.date ?? "").slice(0, DATE_LENGTH),
    subject: (email.subject ?? "").slice(0, 500),
    text,
    created_at: toTime(email.date ?? ""),
  };
}

function byTime(one: ForwardedMail, other: ForwardedMail): number {
  return (one.created_at ?? "").localeCompare(other.created_at ?? "");
}

/** An earlier mail as its quote names it. */
function toForwarded({ from, to, date, subject, text }: EarlierMail): ForwardedMail {
  return {
    from_addr: addressIn(from),
    from_name: from
      .slice(0, 1_000)
      .replaceAll(/<[^<>]*>|\[mailto:[^[\]]*\]|["*]/g, "")
      .trim()
      .slice(0, 100),
    to_addr: [addressIn(to)].filter((address) => address !== ""),
    date: date.slice(0, DATE_LENGTH),
    subject: subject.slice(0, 500),
    text,
    created_at: toTime(date),
  };
}

function addressIn(text: string): string {
  return /[^\s<>"'()[\]:;,@]{1,64}@[^\s<>"'()[\]:;,@]{1,190}/.exec(text)?.[0].toLowerCase() ?? "";
}

function toTime(date: string): string | null {
  const time = Date.parse(date.slice(0, DATE_LENGTH).replace(/\sat\s/i, " "));
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
