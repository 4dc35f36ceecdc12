import type { FileFormat } from "#shared/attachment-rules.ts";
import type { ByteSource } from "#worker/library/attachments/readers/byte-source.ts";
import type { Extraction } from "#worker/library/attachments/readers/extraction.ts";
import type { Assets } from "#worker/library/attachments/readers/pdf-file.ts";
import { PdfFileMissing } from "#worker/library/attachments/readers/pdf-files.ts";
import { readFileText } from "#worker/library/attachments/readers/read-file-text.ts";
import { contentOf } from "#worker/library/attachments/sniff-format.ts";
import { log } from "#worker/platform/log.ts";
import type { ReadEnd, TextChunk } from "./passage.ts";
import { readPlainChunks, readTableChunks } from "./read-plain.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

/** Characters that are read of one document: with their passages' embeddings they keep an index below a gigabyte. */
export const DOCUMENT_LENGTH = 20_000_000;

const HEAD_BYTES = 4_096;
const UNREADABLE: ReadEnd = { ok: false, reason: "This file could not be read.", isScan: false, pages: null };

/** A document's text, chunk by chunk; nothing that a file holds makes it throw. Throws PdfFileMissing, after which it may be read again. */
export async function* readTextChunks(format: FileFormat, source: ByteSource, assets: Assets): AsyncGenerator<TextChunk, ReadEnd> {
  let length = 0;
  const chunks = open(format, source, assets);
  try {
    for (;;) {
      const next = await chunks.next();
      if (next.done) return next.value.ok && length === 0 ? nothingIn(next.value) : next.value;
      const text = next.value.text.replaceAll("\u0000", "");
      if (text.trim() === "" && length === 0) continue;
      yield { ...next.value, text };
      length += text.length;
      if (length >= DOCUMENT_LENGTH) return { ok: true, pages: next.value.page ?? null, isComplete: false };
    }
  } catch (cause) {
    if (cause instanceof PdfFileMissing) throw cause;
    log.warn("a document could not be read", { format, cause });
    return length === 0 ? UNREADABLE : { ok: true, pages: null, isComplete: false };
  } finally {
    await chunks.return(UNREADABLE);
  }
}

function nothingIn({ pages }: { pages: number | null }): ReadEnd {
  return { ok: false, reason: "There is no text in this file.", isScan: false, pages };
}

const pdfs = loadOnce(() => import("./read-pdf.ts"));
const workbooks = loadOnce(() => import("./read-workbook.ts"));

async function* open(format: FileFormat, source: ByteSource, assets: Assets): AsyncGenerator<TextChunk, ReadEnd> {
  switch (format) {
    case "text":
    case "markdown":
    case "json":
      return yield* readPlainChunks(source);
    case "csv":
      return yield* readTableChunks(source);
    case "pdf":
      return yield* (await pdfs()).readPdfChunks(source, assets);
    case "xlsx": {
      const head = await source.read(0, HEAD_BYTES);
      if (contentOf(head) === "zip") return yield* (await workbooks()).readWorkbookChunks(source);
      return yield* fromExtraction(await readFileText("xls", source, assets));
    }
    case "doc":
    case "docx":
    case "xls":
      return yield* fromExtraction(await readFileText(format, source, assets));
    case "jpeg":
    case "png":
    case "gif":
    case "webp":
      return { ok: false, reason: "A picture has no text.", isScan: false, pages: null };
  }
}

/** A text that was read as a whole; the sheets of a workbook stand below their names. */
async function* fromExtraction(read: Extraction): AsyncGenerator<TextChunk, ReadEnd> {
  if (!read.ok) return { ok: false, reason: read.reason, isScan: false, pages: null };
  yield { text: read.text };
  return { ok: true, pages: null, isComplete: read.isComplete };
}
