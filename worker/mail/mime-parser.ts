import PostalMime from "postal-mime";

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
export class MimeParser extends Parser {
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
