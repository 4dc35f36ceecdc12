import type { PhrasingContent, Table, TableCell } from "mdast";
import { inlineText } from "#shared/markdown/inline-text.ts";

export type Stance = "says" | "denies" | "silent";

export type StanceRow =
  | { kind: "group"; title: string }
  /** Null where the cell is still to come. */
  | { kind: "point"; nodes: readonly PhrasingContent[]; stances: readonly (Stance | null)[] };

export type Stances = { head: string; names: readonly string[]; rows: readonly StanceRow[] };

const MARKS: ReadonlyMap<string, Stance> = new Map([
  ["✓", "says"],
  ["✔", "says"],
  ["yes", "says"],
  ["✗", "denies"],
  ["✘", "denies"],
  ["×", "denies"],
  ["no", "denies"],
  ["–", "silent"],
  ["—", "silent"],
  ["-", "silent"],
]);

/** A table whose cells, except the first of each row, say where each of these models stands; null for any other. */
export function readStances({ children: [head, ...body] }: Table, models: readonly string[]): Stances | null {
  const [corner, ...names] = (head?.children ?? []).map(inlineText);
  if (corner === undefined || names.filter((name) => models.some((model) => isSameName(model, name))).length < 2) return null;
  const rows: StanceRow[] = [];
  for (const { children } of body) {
    const [first, ...cells] = children;
    const row = first && readRow(first, cells, names.length);
    if (!row) return null;
    rows.push(row);
  }
  const isMarked = rows.some((row) => row.kind === "point" && row.stances.some((stance) => stance !== null));
  return isMarked ? { head: corner, names, rows } : null;
}

/** True where a table's column is headed by this model's name. */
export function isSameName(model: string, heading: string): boolean {
  return model.trim().toLowerCase() === heading.trim().toLowerCase();
}

function readRow(first: TableCell, cells: readonly TableCell[], count: number): StanceRow | null {
  const marks = cells.slice(0, count).map((cell) => inlineText(cell).trim().replaceAll("\ufe0f", "").toLowerCase());
  const [only] = first.children;
  if (first.children.length === 1 && only?.type === "strong" && marks.every((mark) => mark === "")) {
    return { kind: "group", title: inlineText(first) };
  }
  if (marks.some((mark) => mark !== "" && !MARKS.has(mark))) return null;
  return {
    kind: "point",
    nodes: first.children,
    stances: Array.from({ length: count }, (_, index) => MARKS.get(marks[index] ?? "") ?? null),
  };
}
