import { attachmentsOf, lastUserMessage, type ChatRequest } from "./request.ts";

/** What the engine takes for a page, in US dollars. */
const PAGE_DOLLARS = 0.002;

/** A PDF that was read as pictures, as an answer brings it along. */
export type ParsedFile = { name: string; pages: string[] };

/**
 * The PDFs of the last message, where the request has them read as pictures: the text of a page is what the file's comments say of it, one
 * `%scan: TEXT` a page.
 */
export function parseFiles(request: ChatRequest): ParsedFile[] {
  const isAsked = (request.plugins ?? []).some(({ id, pdf }) => id === "file-parser" && pdf?.engine === "mistral-ocr");
  if (!isAsked) return [];
  return attachmentsOf(lastUserMessage(request.messages).message).flatMap(({ file }) => {
    const [head, data] = (file?.file_data ?? "").split(";base64,");
    if (head !== "data:application/pdf" || data === undefined) return [];
    const text = Buffer.from(data, "base64").toString("latin1");
    const count = text.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    const scannedTexts = [...text.matchAll(/^%scan: (.*)$/gm)].map(([, words = ""]) => words);
    return [{ name: file?.filename ?? "", pages: Array.from({ length: count }, (_, at) => scannedTexts[at] ?? "") }];
  });
}

/** What reading them cost in US dollars. */
export function parsingCost(files: readonly ParsedFile[]): number {
  return files.reduce((sum, { pages }) => sum + pages.length * PAGE_DOLLARS, 0);
}

/** As the answer's annotations say it. */
export function fileAnnotations(files: readonly ParsedFile[]): unknown[] {
  return files.map(({ name, pages }) => ({
    type: "file",
    file: {
      hash: "0".repeat(64),
      name,
      content: [`<file name="${name}">`, ...pages, "</file>"].map((text) => ({ type: "text", text })),
    },
  }));
}
