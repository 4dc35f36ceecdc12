import type { ByteSource } from "#worker/attachments/readers/byte-source.ts";
import { announcedEncoding } from "#worker/attachments/readers/decode-text.ts";
import type { ReadEnd, TextPiece } from "./passage.ts";

const CHUNK_BYTES = 256 * 1024;
/** A row whose quotes never close is none: it is taken line by line. */
const ROW_LENGTH = 100_000;

const WHOLE: ReadEnd = { ok: true, pages: null, isWhole: true };

/** A text file, chunk by chunk. */
export async function* readPlainPieces(source: ByteSource): AsyncGenerator<TextPiece, ReadEnd> {
  for await (const text of decoded(source)) yield { text };
  return WHOLE;
}

/** A comma-separated file, row by row (RFC 4180). */
export async function* readTablePieces(source: ByteSource): AsyncGenerator<TextPiece, ReadEnd> {
  let header: string | undefined;
  let row = 0;
  for await (const text of rowsOf(decoded(source))) {
    row += 1;
    header ??= text.trim();
    if (text.trim() !== "") yield { text, row, header };
  }
  return WHOLE;
}

async function* rowsOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let row = "";
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      row += `${line}\n`;
      if (hasOpenQuote(row) && row.length < ROW_LENGTH) continue;
      yield row;
      row = "";
    }
  }
  if (row + rest !== "") yield row + rest;
}

function hasOpenQuote(text: string): boolean {
  let isOpen = false;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) isOpen = !isOpen;
  return isOpen;
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
