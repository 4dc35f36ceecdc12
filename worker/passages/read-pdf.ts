import type { ByteSource } from "#worker/attachments/readers/byte-source.ts";
import { extractPdf } from "#worker/attachments/readers/extract-pdf.ts";
import type { Assets } from "#worker/attachments/readers/pdf-file.ts";
import type { ReadEnd, TextPiece } from "./passage.ts";

/** A PDF, page by page. */
export async function* readPdfPieces(source: ByteSource, assets: Assets): AsyncGenerator<TextPiece, ReadEnd> {
  const read = await extractPdf(source, assets);
  if (!read.ok) return { ok: false, reason: read.reason, isScan: /no text in this PDF/.test(read.reason), pages: read.pages ?? null };
  const pages = read.text.split(/^\[Page (\d+)\]\n/m);
  let last = 0;
  for (let at = 1; at + 1 < pages.length; at += 2) {
    last = Number(pages[at]);
    yield { text: pages[at + 1] ?? "", page: last };
  }
  return { ok: true, pages: last, isWhole: read.isWhole };
}
