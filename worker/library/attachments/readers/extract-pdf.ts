import type { ByteSource } from "./byte-source.ts";
import type { getDocument, PDFDocumentProxy } from "./pdfjs.ts";
import { EXTRACTION_BYTES, type Extraction, TEXT_LENGTH, toExtraction } from "./extraction.ts";
import type { Assets } from "./pdf-file.ts";
import { readFields } from "./pdf-fields.ts";
import { pdfFiles } from "./pdf-files.ts";
import { readWithinLimits, TooMuchWork } from "./pdf-meter.ts";
import { serveRanges } from "./pdf-ranges.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

/** More pages are not read: a book has hundreds. */
const PAGES = 2_000;

const machinery = loadOnce(() => import("./pdfjs.ts"));

/** How far a PDF is read; `pages` of it have been. */
type Progress = { document: PDFDocumentProxy | null; text: string; pages: number };

/**
 * A PDF's text, page by page, or its beginning where all of it takes too much work. Its machinery, 500 KB, is loaded with the
 * first PDF. Throws PdfFileMissing where a file that it needs besides could not be fetched.
 */
export async function extractPdf(source: ByteSource, assets: Assets): Promise<Extraction> {
  const { version } = await machinery();
  const { options, missing } = pdfFiles(assets, version);
  const read = await readPdf(source, options);
  const cause = missing();
  // Read without it, its text has gaps, or is none.
  if (cause) throw cause;
  return read;
}

type Files = ReturnType<typeof pdfFiles>["options"];

async function readPdf(source: ByteSource, files: Files): Promise<Extraction> {
  const bytes = source.size > EXTRACTION_BYTES ? null : await source.read(0, source.size);
  let lost: { cause: unknown } | null = null;
  const progress: Progress = { document: null, text: "", pages: 0 };
  try {
    await readWithinLimits(async (over) => {
      if (bytes) return readDocument(progress, { data: bytes, ...files(over) });
      const { PDFDataRangeTransport } = await machinery();
      const { transport: range, failed } = serveRanges(source, new PDFDataRangeTransport(source.size, null), over);
      failed.catch((cause: unknown) => (lost = { cause }));
      // The next chunk is asked for where it is needed, and no sooner.
      await Promise.race([failed, readDocument(progress, { range, disableAutoFetch: true, disableStream: true, ...files(over) })]);
    });
  } catch (cause) {
    if (lost && !(cause instanceof TooMuchWork)) throw cause;
    if (cause instanceof TooMuchWork) {
      const reason = "This PDF takes too much work to be read. It may be damaged.";
      return withPages(progress, toExtraction(progress.text, { isComplete: false, reason }));
    }
    if (progress.document) {
      const reason = "This PDF is damaged and could not be read.";
      return withPages(progress, toExtraction(progress.text, { isComplete: false, reason }));
    }
    // Its classes are not exported, its names are.
    const isLocked = cause instanceof Error && cause.name === "PasswordException";
    return { ok: false, reason: isLocked ? "This PDF is protected by a password." : "This is no PDF that can be read." };
  } finally {
    await progress.document?.loadingTask.destroy();
  }
  const { document, text, pages } = progress;
  const read = toExtraction(text, {
    isComplete: pages === document?.numPages,
    reason: pages === 0 ? "This PDF has no pages." : "There is no text in this PDF: its pages may be pictures.",
  });
  return withPages(progress, read);
}

function withPages({ document }: Progress, read: Extraction): Extraction {
  return document ? { ...read, pages: document.numPages } : read;
}

type Opened = Parameters<typeof getDocument>[0];

async function readDocument(progress: Progress, opened: Opened & object): Promise<void> {
  const { getDocument } = await machinery();
  progress.document = await getDocument({ useSystemFonts: true, verbosity: 0, ...opened }).promise;
  await readPages(progress.document, progress);
}

async function readPages(document: PDFDocumentProxy, progress: Progress): Promise<void> {
  const last = Math.min(document.numPages, PAGES);
  while (progress.pages < last && progress.text.length <= TEXT_LENGTH) {
    const number = progress.pages + 1;
    // Kept before the fields are read: these may take more work than is left.
    let head = `[Page ${number}]\n`;
    await readPage(document, number, (words) => {
      if (words === "") return;
      progress.text += `${head}${words}\n\n`;
      head = "";
    });
    progress.pages = number;
  }
}

async function readPage(document: PDFDocumentProxy, number: number, keep: (words: string) => void): Promise<void> {
  const page = await document.getPage(number);
  let text = "";
  try {
    for await (const { items } of page.streamTextContent()) {
      for (const item of items) if ("str" in item) text += item.str + (item.hasEOL ? "\n" : "");
      if (text.length > TEXT_LENGTH) break;
    }
    keep(text.trim());
    keep((await readFields(page)).join("\n"));
  } finally {
    page.cleanup();
  }
}
