import type { ByteSource } from "#worker/attachments/readers/byte-source.ts";
import { formatBytes } from "#shared/attachment-rules.ts";
import { EXTRACTION_BYTES } from "#worker/attachments/readers/extraction.ts";
import { extractPdf } from "#worker/attachments/readers/extract-pdf.ts";
import type { Assets } from "#worker/attachments/readers/pdf-file.ts";
import type { ReadEnd, TextPiece } from "./passage.ts";

/** A PDF, page by page. */
export async function* readPdfPieces(source: ByteSource, assets: Assets): AsyncGenerator<TextPiece, ReadEnd> {
  if (source.size > EXTRACTION_BYTES) {
    // All of it would have to be in memory at once.
    const reason = `PDFs are read up to ${formatBytes(EXTRACTION_BYTES)}: split this one, or add what it says as text or Word.`;
    return { ok: false, reason, isScan: false, pages: null };
  }
  const read = await extractPdf(await source.read(0, source.size), assets);
  if (!read.ok) return { ok: false, reason: read.reason, isScan: /no text in this PDF/.test(read.reason), pages: read.pages ?? null };
  const pages = read.text.split(/^\[Page (\d+)\]\n/m);
  let last = 0;
  for (let at = 1; at + 1 < pages.length; at += 2) {
    last = Number(pages[at]);
    yield { text: pages[at + 1] ?? "", page: last };
  }
  return { ok: true, pages: last, isWhole: read.isWhole };
}
