/** PDFs made of their objects. */
import { joinBytes } from "./office-files.ts";

const encoder = new TextEncoder();
const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

/** An object, or a stream with what its dictionary says besides its length. */
export type Part = string | { dictionary: string; data: Uint8Array | string };

/** A PDF of these objects, numbered from 1: the first is the catalog. Without a table of where they are, which readers make by themselves. */
export function pdfOf(objects: readonly Part[], trailer = ""): Uint8Array {
  const chunks = objects.flatMap((part, index) => {
    const head = encoder.encode(`${index + 1} 0 obj\n`);
    if (typeof part === "string") return [head, encoder.encode(`${part}\nendobj\n`)];
    const data = typeof part.data === "string" ? encoder.encode(part.data) : part.data;
    const start = encoder.encode(`<< /Length ${data.byteLength} ${part.dictionary} >>\nstream\n`);
    return [head, start, data, encoder.encode("\nendstream\nendobj\n")];
  });
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\n%%EOF`;
  return joinBytes(encoder.encode("%PDF-1.7\n"), ...chunks, encoder.encode(end));
}

/** A PDF's first object, which says that the second one holds its pages. */
export const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>";
const PAGES = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";

/** A PDF of one page that says `before` and then what is asked for: `contents` are the page's further streams, `font` is its second font, F2, and `fonts` are further ones. */
export function page({ before = "before", contents = "", font = FONT, fonts = "", resources = "", objects = [] as Part[] }): Uint8Array {
  return pdfOf([
    CATALOG,
    PAGES,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents [4 0 R ${contents}] /Resources << /Font << /F1 5 0 R /F2 6 0 R ${fonts} >> ${resources} >> >>`,
    { dictionary: "", data: `BT /F1 12 Tf 72 720 Td (${before}) Tj ET` },
    FONT,
    font,
    ...objects,
  ]);
}
