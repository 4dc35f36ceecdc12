/** What a mail's source costs to parse, measured on its bytes as they come in (reference: 15 to 19 µs and 2.6 KB a line of plain text). */

/** Lines that are not part of a base64 body: half a second of parsing, and 50 MB. */
export const PLAIN_LINES = 20_000;
/** Parts of one mail. */
export const MAIL_PARTS = 1_000;
/** Enough of a line to recognise a boundary or a field. */
const LINE_HEAD_BYTES = 998;

const TOO_MANY_LINES = "This mail has too many lines to be read. Send long texts as attached files.";
const TOO_MANY_PARTS = "This mail has too many parts to be read.";

/** Lines and parts that count, of any number of mails. */
export type MailCounts = { plain: number; parts: number };

/** Reads a source along as it is stored; answers why it is not taken, or null. */
export type MailMeter = { feed(chunk: Uint8Array): string | null; counts(): MailCounts };

/**
 * Counts the lines and parts of a source. It follows the parts as a parser does, since a line costs little where its part is base64, and
 * much everywhere else: a boundary counts only where a multipart field declared it. It goes on from what other mails of one letter counted.
 */
export function createMailMeter(before: MailCounts = { plain: 0, parts: 0 }): MailMeter {
  const lineHead = new Uint8Array(LINE_HEAD_BYTES);
  const decoder = new TextDecoder("latin1");
  let length = 0;
  let isBuffering = false;
  let { plain, parts } = before;
  let isHeader = true;
  let isEncoded = false;
  let boundaries: string[] = [];
  let field = "";
  let content: { type?: string; encoding?: string } = {};

  function keepField(): void {
    const colon = field.indexOf(":");
    const name = field.slice(0, colon).trim().toLowerCase();
    const value = field.slice(colon + 1);
    // A parser goes by the first of each.
    if (name === "content-type") content.type ??= value;
    if (name === "content-transfer-encoding") content.encoding ??= value;
    field = "";
  }

  function endHeader(): void {
    keepField();
    const type = content.type ?? "";
    const isMultipart = /^\s*"?multipart\b/i.test(type);
    const boundary = isMultipart ? /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(type) : null;
    if (boundary) boundaries.push(boundary[1] ?? boundary[2] ?? "");
    // Text that flows is taken apart line by line after it was decoded.
    isEncoded = /^\s*"?base64/i.test(content.encoding ?? "") && !/format/i.test(type) && !isMultipart;
    isHeader = false;
  }

  function crossBoundary(line: string): boolean {
    const text = line.trimEnd();
    const at = boundaries.findLastIndex((one) => text === `--${one}` || text === `--${one}--`);
    if (at === -1) {
      // No base64 has such a line: a parser that reads the boundaries otherwise may begin a text here.
      isEncoded = false;
      return false;
    }
    const isEnd = text !== `--${boundaries[at] ?? ""}`;
    boundaries = boundaries.slice(0, isEnd ? at : at + 1);
    parts += 1;
    isHeader = !isEnd;
    isEncoded = false;
    content = {};
    field = "";
    return true;
  }

  function endLine(): void {
    if (isBuffering || isHeader) {
      const isEmpty = length === 0 || (length === 1 && lineHead[0] === CR);
      const isMarked = length > 1 && lineHead[0] === DASH && lineHead[1] === DASH;
      const line = decoder.decode(lineHead.subarray(0, Math.min(length, LINE_HEAD_BYTES))).replace(/\r$/, "");
      const isCrossed = isMarked && length > 2 && crossBoundary(line);
      if (isHeader && !isCrossed) {
        if (isEmpty) endHeader();
        else if (/^[ \t]/.test(line)) field = (field + line).slice(0, 2 * LINE_HEAD_BYTES);
        else {
          keepField();
          field = line;
        }
      }
    }
    if (!isEncoded) plain += 1;
    length = 0;
  }

  return {
    feed(chunk) {
      for (let from = 0; from < chunk.length;) {
        const at = chunk.indexOf(LF, from);
        const end = at === -1 ? chunk.length : at;
        // Of a file's many lines none says anything, and most of a large mail are such.
        if (length === 0) isBuffering = isHeader || chunk[from] === DASH;
        if (isBuffering && length < LINE_HEAD_BYTES)
          lineHead.set(chunk.subarray(from, Math.min(end, from + LINE_HEAD_BYTES - length)), length);
        length += end - from;
        if (at === -1) return null;
        endLine();
        if (plain > PLAIN_LINES) return TOO_MANY_LINES;
        if (parts > MAIL_PARTS) return TOO_MANY_PARTS;
        from = at + 1;
      }
      return null;
    },
    counts: () => ({ plain, parts }),
  };
}

const LF = 10;
const CR = 13;
const DASH = 45;
