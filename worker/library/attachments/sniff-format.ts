import { type FileFormat, formatOfName } from "#shared/attachment-rules.ts";
import { announcedEncoding } from "#worker/library/attachments/readers/decode-text.ts";

/** What a file's first bytes say it is; `text` where nothing else is said and no text is broken by it. */
export type Content = "jpeg" | "png" | "gif" | "webp" | "pdf" | "zip" | "compound" | "biff" | "text" | "other";

const PDF_HEADER = [0x25, 0x50, 0x44, 0x46, 0x2d];
/** Other bytes may stand before a PDF's header, which is looked for in so many (PDF 1.7, appendix H.3, 13). */
const PDF_HEADER_WITHIN = 1_024;

/** Leading bytes; null stands for any byte. */
const SIGNATURES: { content: Content; bytes: (number | null)[] }[] = [
  { content: "jpeg", bytes: [0xff, 0xd8, 0xff] },
  { content: "png", bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { content: "gif", bytes: [0x47, 0x49, 0x46, 0x38, 0x37, 0x61] },
  { content: "gif", bytes: [0x47, 0x49, 0x46, 0x38, 0x39, 0x61] },
  // RIFF, the length, and what is in it.
  { content: "webp", bytes: [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50] },
  { content: "pdf", bytes: PDF_HEADER },
  { content: "zip", bytes: [0x50, 0x4b, 0x03, 0x04] },
  // Microsoft's compound files: Word and Excel before 2007, and later ones under a password.
  { content: "compound", bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] },
  // Workbooks of Excel 2, 3 and 4, and those of later ones that some programs write without a compound file around them.
  { content: "biff", bytes: [0x09, 0x00, 0x04, 0x00] },
  { content: "biff", bytes: [0x09, 0x02, 0x06, 0x00] },
  { content: "biff", bytes: [0x09, 0x04, 0x06, 0x00] },
  { content: "biff", bytes: [0x09, 0x08, 0x08, 0x00] },
  { content: "biff", bytes: [0x09, 0x08, 0x10, 0x00] },
];

/** What each format's content may be. Word files are taken by their extension, and so also as what Word itself would open. */
const CONTENTS: Record<FileFormat, readonly Content[]> = {
  jpeg: ["jpeg"],
  png: ["png"],
  gif: ["gif"],
  webp: ["webp"],
  pdf: ["pdf"],
  text: ["text"],
  markdown: ["text"],
  json: ["text"],
  csv: ["text"],
  doc: ["compound", "zip", "text", "other"],
  docx: ["zip", "compound", "text", "other"],
  xls: ["compound", "biff"],
  // With a password Excel wraps a workbook in a compound file.
  xlsx: ["zip", "compound"],
};

/** The format of a file by its name and its first bytes; null where it is none that is taken, or one says another than the other. */
export function sniffFormat(name: string, head: Uint8Array): FileFormat | null {
  const format = formatOfName(name);
  if (format === null) return null;
  const content = contentOf(head);
  const isTaken = CONTENTS[format].includes(content) || (format === "pdf" && isUnknown(content) && hasPdfHeader(head));
  return isTaken ? format : null;
}

function isUnknown(content: Content): boolean {
  return content === "text" || content === "other";
}

function hasPdfHeader(head: Uint8Array): boolean {
  const start = head.subarray(0, PDF_HEADER_WITHIN);
  return start.some((_, at) => PDF_HEADER.every((byte, index) => start[at + index] === byte));
}

/** What the bytes at a file's beginning say. */
export function contentOf(head: Uint8Array): Content {
  const known = SIGNATURES.find(({ bytes }) => bytes.every((byte, index) => byte === null || head[index] === byte));
  if (known) return known.content;
  return announcedEncoding(head) !== null || !head.includes(0) ? "text" : "other";
}
