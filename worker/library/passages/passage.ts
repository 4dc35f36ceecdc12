import * as z from "zod/mini";

/** A chunk of a document as its reader gives it, one after the other: joined they are the document's text. */
export type TextChunk = {
  text: string;
  /** Its page, from 1. */
  page?: number;
  sheet?: string;
  /** Of a table's row: which one, from 1, and its table's first row. */
  row?: number;
  header?: string;
};

/** How reading a document ended; `isScan` for a PDF whose pages are pictures. */
export type ReadEnd =
  | { ok: true; pages: number | null; isComplete: boolean }
  | { ok: false; reason: string; isScan: boolean; pages: number | null };

/** A passage of a document: `start` is where its text begins in the document's, in UTF-16 units. */
export const Passage = z.object({
  start: z.number(),
  text: z.string(),
  page: z.nullable(z.number()),
  sheet: z.nullable(z.string()),
  /** Its first row and its last one, from 1; null outside of tables. */
  row: z.nullable(z.number()),
  last_row: z.nullable(z.number()),
  /** The headings that it stands below, outermost first, as one line. */
  heading: z.nullable(z.string()),
  /** The first row of its table, where that stands in another passage. */
  header: z.nullable(z.string()),
});
export type Passage = z.infer<typeof Passage>;

/** Where a passage stands, in words: `page 3`, `Prices, rows 10–24`, `Setup › Network`. Empty where nothing is known of it. */
export function placeOf({
  page,
  sheet,
  row,
  last_row: lastRow,
  heading,
}: Pick<Passage, "page" | "sheet" | "row" | "last_row" | "heading">): string {
  const rows = row === null ? null : lastRow === null || lastRow === row ? `row ${row}` : `rows ${row}–${lastRow}`;
  return [page === null ? null : `page ${page}`, sheet, rows, heading].filter((part) => part !== null).join(", ");
}
