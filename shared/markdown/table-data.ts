import type { Table, TableCell } from "mdast";
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

/** A row's cells below those of its table's head: what is more is left out, and of what is missing so many columns are empty each. */
export type EvenRow = { cells: readonly TableCell[]; empty: readonly number[] };

/**
 * The rows below a table's head. A missing cell is one of its own, unless a few words would make thousands of them: then what a row
 * lacks is one that spans the rest.
 */
export function rowsOfEqualLength({ children: [head, ...rows] }: Table): EvenRow[] {
  const columns = head?.children.length ?? 0;
  const cut = rows.map(({ children }) => (children.length > columns ? children.slice(0, columns) : children));
  const written = cut.reduce((sum, { length }) => sum + length, columns);
  const isOneByOne = columns * cut.length <= 2 * written + 100;
  return cut.map((cells) => {
    const missing = columns - cells.length;
    return { cells, empty: isOneByOne ? Array.from({ length: missing }, () => 1) : missing > 0 ? [missing] : [] };
  });
}
