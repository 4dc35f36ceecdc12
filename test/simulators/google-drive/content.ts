/** What the bytes of a file are, as they are downloaded or exported. */
import { docx, pdf, xlsx } from "../../support/office-files.ts";
import { DOCX, GOOGLE, XLSX } from "./corpus.ts";
import type { DriveFile } from "./drives.ts";

/** What each of Google's own types can be exported as. */
const EXPORTS: Record<string, readonly string[]> = {
  [`${GOOGLE}document`]: ["text/markdown", "text/plain", DOCX],
  [`${GOOGLE}spreadsheet`]: ["text/csv", XLSX],
  [`${GOOGLE}presentation`]: ["text/plain", "application/pdf"],
  [`${GOOGLE}drawing`]: ["image/png"],
};

/** A file as a type; null where it can't be that. */
export function exportAs(file: DriveFile, type: string): Uint8Array | null {
  return EXPORTS[file.mimeType]?.includes(type) ? bytesOf(type, file.text) : null;
}

/** A file's own bytes. */
export function download(file: DriveFile): Uint8Array {
  const bytes = bytesOf(file.mimeType, file.text);
  return file.bytes === null || file.bytes <= bytes.byteLength
    ? bytes
    : Buffer.concat([bytes, Buffer.alloc(file.bytes - bytes.byteLength, " ")]);
}

function bytesOf(type: string, text: string): Uint8Array {
  if (type === DOCX) {
    const lines = text.split("\n").map((line) => `<w:p><w:r><w:t xml:space="preserve">${escapeXml(line)}</w:t></w:r></w:p>`);
    return docx(lines.join(""));
  }
  if (type === XLSX) {
    const rows = text.split("\n").map((line, row) => {
      const cells = line.split(",").map((cell, column) => {
        const place = `${String.fromCharCode(65 + column)}${row + 1}`;
        return `<c r="${place}" t="inlineStr"><is><t>${escapeXml(cell)}</t></is></c>`;
      });
      return `<row r="${row + 1}">${cells.join("")}</row>`;
    });
    return xlsx(rows.join(""));
  }
  if (type === "application/pdf") return pdf(text.replaceAll(/\s+/g, " ").replaceAll(/[()\\]/g, ""));
  return Buffer.from(text);
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
