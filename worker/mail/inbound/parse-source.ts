/** What stands in a mail's source: loaded with the first mail that is read. */
import PostalMime, { type Attachment, type Email } from "postal-mime";
import { MESSAGE_LENGTH } from "#shared/limits.ts";
import { HTML_LENGTH, htmlToText } from "./html-text.ts";
import { readDeliveryReport } from "#worker/mail/bounces/delivery-report.ts";
import { createMailMeter, type MailCounts } from "./mail-meter.ts";
import { type EarlierMail, splitThread } from "./split-thread.ts";
import type { ForwardedMail, MailReturn } from "#worker/mail/chat-address/room-mail.ts";

/** What is used here of a part as postal-mime 4 reads it; its published types leave these fields out. */
type Part = {
  state: "header" | "body" | "finished";
  childNodes: Part[];
  contentType: { parsed: { value: string; params: Record<string, string | undefined> } };
  contentTransferEncoding: { encoding: string };
};

/** The steps of postal-mime 4 that are overridden here. */
type Steps = {
  root: Part;
  currentNode: Part;
  buf: ArrayBuffer;
  readPos: number;
  processLine(line: Uint8Array, isLast: boolean): Promise<void>;
  collectAttachment(part: Part, content: ArrayBuffer, ...rest: unknown[]): void;
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the published types leave these steps out
const Parser = PostalMime as unknown as new (options: object) => Steps & Pick<PostalMime, "parse">;

const CR = 13;
const LF = 10;

/** Reads a mail as postal-mime does, but for two things: files keep their bytes in any transfer encoding, and names in raw 8-bit are decoded. */
class MimeParser extends Parser {
  /** The bytes of the source between which a part's body stands. */
  #bodies = new Map<Part, { start: number; end: number }>();

  override async processLine(line: Uint8Array, isLast: boolean): Promise<void> {
    const part = this.currentNode;
    const isBody = part.state === "body";
    await super.processLine(part.state === "header" ? toUtf8(line, this.root) : line, isLast);
    // A line after which another part is read was a boundary.
    if (!isBody || this.currentNode !== part) return;
    const body = this.#bodies.get(part) ?? { start: line.byteOffset, end: 0 };
    this.#bodies.set(part, { ...body, end: this.readPos });
  }

  override collectAttachment(part: Part, content: ArrayBuffer, ...rest: unknown[]): void {
    const { encoding } = part.contentTransferEncoding;
    const body = this.#bodies.get(part);
    if (encoding === "base64" || !body) return super.collectAttachment(part, content, ...rest);
    // The line break before a boundary belongs to the boundary (RFC 2046, 5.1.1).
    const bytes = withoutLastBreak(new Uint8Array(this.buf, body.start, body.end - body.start));
    super.collectAttachment(part, encoding === "quoted-printable" ? fromQuotedPrintable(bytes) : bytes.slice().buffer, ...rest);
  }
}

function withoutLastBreak(bytes: Uint8Array): Uint8Array {
  if (bytes.at(-1) !== LF) return bytes;
  return bytes.subarray(0, bytes.at(-2) === CR ? -2 : -1);
}

/** A header's line with what is no UTF-8 decoded: by the charset of the mail's text, else as mail programs of the West wrote it. */
function toUtf8(line: Uint8Array, root: Part): Uint8Array {
  if (line.every((byte) => byte < 128)) return line;
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    return line;
  } catch {
    return new TextEncoder().encode(decoderFor(charsetOf(root)).decode(line));
  }
}

function decoderFor(charset: string | undefined): TextDecoder {
  try {
    const decoder = new TextDecoder(charset);
    if (decoder.encoding !== "utf-8") return decoder;
  } catch {
    // A charset that nobody knows says nothing.
  }
  return new TextDecoder("windows-1252");
}

function charsetOf(part: Part): string | undefined {
  const { value, params } = part.contentType.parsed;
  if (value.startsWith("text/") && params["charset"] !== undefined) return params["charset"];
  for (const child of part.childNodes) {
    const charset = charsetOf(child);
    if (charset !== undefined) return charset;
  }
  return undefined;
}

/** RFC 2045, 6.7; line breaks stay as they were sent. */
function fromQuotedPrintable(bytes: Uint8Array): ArrayBuffer {
  const decoded = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === EQUALS) {
      const soft = softBreak(bytes, at);
      const value = soft === 0 ? hexByte(bytes, at + 1) : null;
      if (soft > 0) at += soft;
      if (value !== null) {
        decoded[length++] = value;
        at += 2;
      }
      if (soft > 0 || value !== null) continue;
    }
    decoded[length++] = byte;
  }
  return decoded.slice(0, length).buffer;
}

const EQUALS = 61;

/** The length of a soft line break behind an equals sign; 0 where there is none. */
function softBreak(bytes: Uint8Array, at: number): number {
  if (at + 1 === bytes.length) return 1;
  if (bytes[at + 1] === LF) return 1;
  return bytes[at + 1] === CR && bytes[at + 2] === LF ? 2 : 0;
}

function hexByte(bytes: Uint8Array, at: number): number | null {
  const digits = String.fromCharCode(bytes[at] ?? 0, bytes[at + 1] ?? 0);
  return /^[0-9a-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : null;
}

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

/** Reads a source, or with `isComplete` false the beginning of one, whose files are broken off. Throws where it is no mail. */
export async function parseSource(
  bytes: ArrayBuffer,
  { subject, isComplete }: { subject: string; isComplete: boolean },
): Promise<ParsedMail> {
  const email = await parse(bytes);
  const fullText = textOf(email);
  const body = clean(fullText);
  const thread = splitThread(body);
  const report = readDeliveryReport(email.attachments);
  const forwarded = isComplete
    ? await readForwarded(email.attachments, { depth: NESTED_MAILS, work: { mails: 0, characters: 0, counts: undefined } })
    : NONE_FORWARDED;
  const isForward = thread.isForwarded || (FORWARD_SUBJECT.test(subject) && thread.earlier.length > 0);
  return {
    text: thread.text,
    quoted: isForward ? null : thread.rest,
    isCut: fullText.length > body.length + 1_000 && body.length >= MESSAGE_LENGTH - 1_000,
    isQuoteOnly: thread.isQuoteOnly,
    // What a report of delivery encloses is the mail that came back: its files are known.
    files: isComplete ? [...filesOf(email), ...(report ? [] : forwarded.files)] : [],
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
