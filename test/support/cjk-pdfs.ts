/** PDFs in Chinese, Japanese and Korean as most programs write them: their fonts name a table of characters that every reader is to have. */
import { page, type Part } from "./pdf-objects.ts";

/** A font whose codes mean what a table (CMap) says, and that has the characters of one country: GB1, CNS1, Japan1 or Korea1. */
export function cjkFont(cmap: string, characters: string): string {
  const system = `/CIDSystemInfo << /Registry (Adobe) /Ordering (${characters}) /Supplement 2 >>`;
  const descendant = `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song ${system} /DW 1000 >>`;
  return `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding ${cmap} /DescendantFonts [${descendant}] >>`;
}

/** A PDF of one page that shows these bytes, written as hexadecimal digits, in this font; `objects` are further ones, from the eighth. */
export function fontPdf(font: string, hex: string, objects: Part[] = []): Uint8Array {
  return page({
    before: "",
    font,
    contents: "7 0 R",
    objects: [{ dictionary: "", data: `BT /F2 12 Tf 72 720 Td <${hex}> Tj ET` }, ...objects],
  });
}

/** A text as UTF-16 in hexadecimal digits. */
export function utf16(text: string): string {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index).toString(16).padStart(4, "0")).join("");
}
