import type { Table } from "mdast";
import { inlineText } from "./inline-text.ts";

const amount = /^[-+−±~≈<>]?\s?[$€£¥₹]?\s?[-+−]?\d+(?:[.,\s'’]\d+)*/;
const unit = /^\s?(?:[%‰×°$€£¥₹]|tokens|[a-zµ]{1,4}(?:\/[a-z]{1,3})?)?$/i;
const isEmpty = /^[-–—\s]*$|^n\/a$/i;

/** Whether a table cell holds a figure: a number, perhaps with sign, currency or a short unit. */
export function isFigure(text: string): boolean {
  const [figure] = amount.exec(text.trim()) ?? [];
  return figure !== undefined && unit.test(text.trim().slice(figure.length));
}

/** How each column is aligned: as the markdown says, else right where all cells below the head are figures. */
export function columnAlignments(table: Table): readonly ("left" | "right" | "center")[] {
  const [head, ...rows] = table.children;
  const columns = (head?.children ?? []).map(() => ({ hasFigure: false, hasText: false }));
  // Cell by cell, as rows may lack most of the columns.
  for (const row of rows) {
    for (const [index, cell] of row.children.entries()) {
      const column = columns[index];
      if (!column || table.align?.[index] || column.hasText) continue;
      const text = inlineText(cell);
      if (isFigure(text)) column.hasFigure = true;
      else if (!isEmpty.test(text)) column.hasText = true;
    }
  }
  return columns.map(({ hasFigure, hasText }, index) => table.align?.[index] ?? (hasFigure && !hasText ? "right" : "left"));
}

/** Characters of each column's longest cell, counted up to `limit`. */
export function columnLengths(table: Table, limit: number): number[] {
  const lengths = (table.children[0]?.children ?? []).map(() => 0);
  for (const row of table.children) {
    for (const [index, cell] of row.children.entries()) {
      const known = lengths[index];
      if (known === undefined || known >= limit) continue;
      lengths[index] = Math.min(limit, Math.max(known, inlineText(cell).length));
    }
  }
  return lengths;
}

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The table as CSV (RFC 4180). A cell that a spreadsheet would run as a formula gets an apostrophe in front;
 * figures with a sign are left alone.
 */
export function tableToCsv(table: Table): string {
  const cell = (text: string) => (/^[=+\-@\t\r]/.test(text) && !isFigure(text) ? `'${text}` : text);
  return table.children.map((row) => row.children.map((column) => field(cell(inlineText(column)))).join(",")).join("\r\n");
}
