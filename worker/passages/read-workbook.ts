import type { ByteSource } from "#worker/attachments/readers/byte-source.ts";
import { extractXlsx } from "#worker/attachments/readers/extract-xlsx.ts";
import type { ReadEnd, TextPiece } from "./passage.ts";

/** A workbook, row by row. */
export async function* readWorkbookPieces(source: ByteSource): AsyncGenerator<TextPiece, ReadEnd> {
  const read = await extractXlsx(source);
  if (!read.ok) return { ok: false, reason: read.reason, isScan: false, pages: null };
  let sheet = "";
  let header: string | undefined;
  let row = 0;
  for (const line of read.text.split("\n")) {
    const name = /^## (.*)/.exec(line)?.[1];
    if (name !== undefined) {
      [sheet, header, row] = [name, undefined, 0];
      continue;
    }
    if (line === "") continue;
    row += 1;
    header ??= line;
    yield { text: `${line}\n`, sheet, row, header };
  }
  return { ok: true, pages: null, isWhole: read.isWhole };
}
