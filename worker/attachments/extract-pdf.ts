import type { getDocumentProxy } from "unpdf";
import { type Extraction, TEXT_LENGTH, toExtraction } from "./extraction.ts";

/** More pages are not read: a book has hundreds. */
const PAGES = 2_000;

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

/** A PDF's text, page by page. Its machinery, 500 KB, is loaded with the first PDF. */
export async function extractPdf(bytes: Uint8Array): Promise<Extraction> {
  const { getDocumentProxy } = await import("unpdf");
  let document: Document;
  try {
    document = await getDocumentProxy(bytes, { verbosity: 0 });
  } catch (cause) {
    // Its classes are not exported, its names are.
    const isLocked = cause instanceof Error && cause.name === "PasswordException";
    return { ok: false, reason: isLocked ? "This PDF is protected by a password." : "This is no PDF that can be read." };
  }
  try {
    return await readPages(document);
  } finally {
    await document.loadingTask.destroy();
  }
}

async function readPages(document: Document): Promise<Extraction> {
  const last = Math.min(document.numPages, PAGES);
  let text = "";
  let page = 1;
  for (; page <= last && text.length <= TEXT_LENGTH; page += 1) {
    const words = await readPage(document, page);
    if (words !== "") text += `[Page ${page}]\n${words}\n\n`;
  }
  return toExtraction(text, { isWhole: page > document.numPages, reason: "There is no text in this PDF: its pages may be pictures." });
}

async function readPage(document: Document, number: number): Promise<string> {
  const page = await document.getPage(number);
  try {
    const { items } = await page.getTextContent();
    return items
      .map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : ""))
      .join("")
      .trim();
  } finally {
    page.cleanup();
  }
}
