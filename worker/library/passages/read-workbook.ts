import type { ByteSource } from "#worker/library/attachments/readers/byte-source.ts";
import { type Book, NO_VALUES, NO_WORKBOOK, openWorkbook, sheetRowsAsCsv } from "#worker/library/attachments/readers/extract-xlsx.ts";
import { EXTRACTION_BYTES } from "#worker/library/attachments/readers/extraction.ts";
import { type Allowance, streamEntry, type ZipEntry } from "#worker/library/attachments/readers/zip.ts";
import type { ReadEnd, TextChunk } from "./passage.ts";

/** Unpacked bytes of all sheets together: a sheet of 100,000 rows has about 30 MB. */
const SHEETS_BYTES = 100 * 1024 * 1024;
/** A row of more characters is none: what never ends one is not waited for. */
const ROW_LENGTH = 1024 * 1024;
const ROW_END = /<\/(?:\w+:)?row>/g;

/** A workbook, row by row as it is unpacked, so no sheet is ever in memory. */
export async function* readWorkbookChunks(source: ByteSource): AsyncGenerator<TextChunk, ReadEnd> {
  const workbook = await openWorkbook(source, { left: EXTRACTION_BYTES });
  if (!workbook) return { ok: false, reason: NO_WORKBOOK, isScan: false, pages: null };
  const allowance = { left: SHEETS_BYTES };
  let hasValues = false;
  for (const { name, entry } of workbook.sheets) {
    let header: string | undefined;
    let row = 0;
    for await (const line of linesOf(source, { entry, book: workbook.book }, allowance)) {
      row += 1;
      header ??= line.trim();
      hasValues = true;
      yield { text: line, sheet: name, row, header };
    }
  }
  if (!hasValues) return { ok: false, reason: NO_VALUES, isScan: false, pages: null };
  return { ok: true, pages: null, isComplete: allowance.left > 0 && !workbook.hasMore };
}

async function* linesOf(
  source: ByteSource,
  { entry, book }: { entry: ZipEntry; book: Book },
  allowance: Allowance,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let xml = "";
  for await (const chunk of streamEntry(source, entry, allowance)) {
    xml += decoder.decode(chunk, { stream: true });
    let end = 0;
    for (const match of xml.matchAll(ROW_END)) {
      const line = sheetRowsAsCsv(xml.slice(end, match.index + match[0].length), book);
      end = match.index + match[0].length;
      if (line !== "") yield line;
    }
    xml = xml.slice(end);
    if (xml.length > ROW_LENGTH) return;
  }
}
