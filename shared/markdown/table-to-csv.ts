import type { Table } from "mdast";
import { inlineText } from "./inline-text.ts";
import { isFigure } from "./table-data.ts";

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The table as CSV (RFC 4180). A cell that a spreadsheet would run as a formula gets an apostrophe in front;
 * figures with a sign are left alone.
 */
export function tableToCsv(table: Table): string {
  const cell = (text: string) => (/^[=+\-@\0\t\r\n]/.test(text) && !isFigure(text) ? `'${text}` : text);
  const columns = table.children[0]?.children.length;
  const rows = table.children.map((row) => row.children.slice(0, columns));
  return rows.map((cells) => cells.map((column) => field(cell(inlineText(column)))).join(",")).join("\r\n");
}
