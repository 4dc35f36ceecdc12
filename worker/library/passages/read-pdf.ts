import type { ByteSource } from "#worker/library/attachments/readers/byte-source.ts";
import { extractPdf } from "#worker/library/attachments/readers/extract-pdf.ts";
import type { Assets } from "#worker/library/attachments/readers/pdf-file.ts";
import type { ReadEnd, TextChunk } from "./passage.ts";

export async function* readPdfChunks(source: ByteSource, assets: Assets): AsyncGenerator<TextChunk, ReadEnd> {
  const read = await extractPdf(source, assets);
  if (!read.ok) return { ok: false, reason: read.reason, isScan: /no text in this PDF/.test(read.reason), pages: read.pages ?? null };
  const pages = read.text.split(/^\[Page (\d+)\]\n/m);
  let last = 0;
  for (let at = 1; at + 1 < pages.length; at += 2) {
    last = Number(pages[at]);
    yield { text: pages[at + 1] ?? "", page: last };
  }
  return { ok: true, pages: last, isComplete: read.isComplete };
}
