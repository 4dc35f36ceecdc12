import type { ByteSource } from "#worker/library/attachments/readers/byte-source.ts";
import { announcedEncoding } from "#worker/library/attachments/readers/decode-text.ts";
import type { ReadEnd, TextChunk } from "./passage.ts";

const CHUNK_BYTES = 256 * 1024;
/** A row whose quotes, or whose line, never end is none: it is taken in chunks of about this length. */
const ROW_LENGTH = 100_000;

const COMPLETE_READ: ReadEnd = { ok: true, pages: null, isComplete: true };

export async function* readPlainChunks(source: ByteSource): AsyncGenerator<TextChunk, ReadEnd> {
  for await (const text of decoded(source)) yield { text };
  return COMPLETE_READ;
}

/** A comma-separated file, row by row (RFC 4180). */
export async function* readTableChunks(source: ByteSource): AsyncGenerator<TextChunk, ReadEnd> {
  let header: string | undefined;
  let row = 0;
  for await (const text of rowsOf(decoded(source))) {
    row += 1;
    header ??= text.trim();
    if (text.trim() !== "") yield { text, row, header };
  }
  return COMPLETE_READ;
}

async function* rowsOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let row = "";
  let isQuoted = false;
  for await (const chunk of chunks) {
    for (const part of linesOf(chunk)) {
      row += part;
      if (hasOddQuotes(part)) isQuoted = !isQuoted;
      if (row.length < ROW_LENGTH && (isQuoted || !part.endsWith("\n"))) continue;
      yield row;
      row = "";
      isQuoted = false;
    }
  }
  if (row !== "") yield row;
}

/** A chunk's lines with their ends; its last one may go on in the next chunk, as may a chunk of a line that is too long. */
function* linesOf(chunk: string): Generator<string> {
  let from = 0;
  while (from < chunk.length) {
    const at = chunk.indexOf("\n", from);
    let end = Math.min(at === -1 ? chunk.length : at + 1, from + ROW_LENGTH);
    // No half of a character that takes two units.
    if (/[\ud800-\udbff]/.test(chunk[end - 1] ?? "") && end < chunk.length) end -= 1;
    yield chunk.slice(from, end);
    from = end;
  }
}

function hasOddQuotes(text: string): boolean {
  let isOdd = false;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) isOdd = !isOdd;
  return isOdd;
}

/** A file as text: by its mark, else as UTF-8 as far as it is that, and what is none as Windows-1252. */
async function* decoded(source: ByteSource): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  for (let at = 0; at < source.size; at += CHUNK_BYTES) {
    const bytes = await source.read(at, CHUNK_BYTES);
    decoder ??= new TextDecoder(announcedEncoding(bytes) ?? (isUtf8(bytes) ? "utf-8" : "windows-1252"));
    const text = decoder.decode(bytes, { stream: true });
    if (text !== "") yield text;
  }
  const last = decoder?.decode() ?? "";
  if (last !== "") yield last;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
