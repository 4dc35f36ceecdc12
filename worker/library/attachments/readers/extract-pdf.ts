import * as z from "zod/mini";
import type { ByteSource } from "./byte-source.ts";
import type { getDocument, PDFDocumentProxy, PDFPageProxy, PDFDataRangeTransport } from "./pdfjs.ts";
import { EXTRACTION_BYTES, type Extraction, TEXT_LENGTH, toExtraction } from "./extraction.ts";
import type { Assets } from "./pdf-file.ts";
import { pdfFiles } from "./pdf-files.ts";
import { readWithinLimits, TooMuchWork, claim } from "./pdf-meter.ts";
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

const Text = z.nullish(z.string());

/** What lies on a page beside its text, as far as somebody wrote it: a form's field, or a note. */
const Annotation = z.object({
  subtype: z.string(),
  hidden: z.optional(z.boolean()),
  password: z.optional(z.boolean()),
  fieldType: Text,
  fieldName: Text,
  /** How a field is called where people read it. */
  alternativeText: Text,
  fieldValue: z.nullish(z.union([z.string(), z.array(z.string())])),
  checkBox: z.optional(z.boolean()),
  radioButton: z.optional(z.boolean()),
  exportValue: Text,
  buttonValue: Text,
  options: z.optional(z.array(z.object({ exportValue: Text, displayValue: Text }))),
  textContent: z.nullish(z.array(z.string())),
  contentsObj: z.nullish(z.object({ str: z.string() })),
});
type Annotation = z.infer<typeof Annotation>;

/** What was typed into a page's fields, chosen in them and noted on it, a line each: `Full name: Ada Lovelace`. */
async function readFields(page: PDFPageProxy): Promise<string[]> {
  const annotations: unknown[] = await page.getAnnotations();
  return annotations.flatMap((annotation) => {
    const parsed = Annotation.safeParse(annotation);
    const line = parsed.success && parsed.data.hidden !== true ? lineOf(parsed.data) : null;
    return line === null || line.trim() === "" ? [] : [line];
  });
}

function lineOf(annotation: Annotation): string | null {
  if (annotation.subtype === "FreeText") return annotation.textContent?.join("\n").trim() || (annotation.contentsObj?.str ?? null);
  if (annotation.subtype !== "Widget" || annotation.password === true) return null;
  const value = valueOf(annotation)?.trim();
  return value ? `${nameOf(annotation)}: ${value}` : null;
}

/** A field's own words for itself, else the last part of its technical name: of `form[0].page[0].Street[0]` the street. */
function nameOf({ alternativeText: text, fieldName }: Annotation): string {
  return (
    text?.trim() ||
    (fieldName ?? "")
      .split(".")
      .at(-1)
      ?.replaceAll(/\[\d+\]/g, "") ||
    "Field"
  );
}

function valueOf({ fieldType, fieldValue: value, ...field }: Annotation): string | null {
  if (fieldType === "Btn") {
    const own = field.radioButton ? field.buttonValue : field.checkBox ? field.exportValue : null;
    if (!own || value !== own) return null;
    return /^(yes|on|true|1)$/i.test(own) ? "yes" : own;
  }
  if (fieldType === "Ch") {
    const chosen = typeof value === "string" ? [value] : (value ?? []);
    return chosen.map((one) => field.options?.find(({ exportValue }) => exportValue === one)?.displayValue || one).join(", ");
  }
  return typeof value === "string" ? value : null;
}

/** How PDF.js gets what it asks for of a large file, one range after the other; `failed` ends with what could not be read. */
type PdfRanges = { transport: PDFDataRangeTransport; failed: Promise<never> };

/** Serves the ranges of a file to PDF.js; what all of them take together counts as arrays do. Nothing comes after `over`. */
function serveRanges(source: ByteSource, transport: PDFDataRangeTransport, over: AbortSignal): PdfRanges {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  let last = Promise.resolve();
  async function serve(begin: number, end: number): Promise<void> {
    if (over.aborted) return;
    try {
      const bytes = await source.read(begin, claim(end - begin));
      if (!over.aborted) transport.onDataRange(begin, bytes);
    } catch (cause) {
      reject(cause);
    }
  }
  transport.requestDataRange = (begin: number, end: number) => {
    last = last.then(() => serve(begin, end));
  };
  return { transport, failed };
}
