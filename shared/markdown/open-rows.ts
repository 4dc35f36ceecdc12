import type { List, RootContent, Table } from "mdast";
import { isLineComplete, lineStart, nextLineStart, startOf } from "./block.ts";
import { contextOf, isRightBelow } from "./interruption.ts";

/** A list or table at the end of the text whose finished items or rows are not parsed again. */
export interface OpenRows {
  readonly kind: "rows";
  /** The node so far, with the finished items or rows alone. */
  readonly finished: List | Table;
  /** What the rest needs in front of it to be parsed as part of the same node: its first child stands for it. */
  readonly prefix: string;
  readonly start: number;
}

/** Joins the finished rows with the parse of the rest; undefined where that does not continue the same node. */
export function joinRows(open: OpenRows, rest: RootContent | undefined): List | Table | undefined {
  const { finished } = open;
  if (finished.type === "list" && rest?.type === "list" && rest.ordered === finished.ordered) {
    const children = open.prefix ? rest.children.slice(1) : rest.children;
    return { ...finished, spread: Boolean(finished.spread || rest.spread), children: finished.children.concat(children) };
  }
  if (finished.type === "table" && rest?.type === "table") {
    return { ...finished, children: finished.children.concat(rest.children.slice(1)) };
  }
  return undefined;
}

/**
 * Splits the last list or table of `source` (its parse is `rest`, joined with earlier rows it is `node`) where it cannot
 * change any more: before the last item, behind the last whole row. The rest begins at `cut` in `source`.
 */
export function freezeRows(source: string, { node, rest, open }: { node: List | Table; rest: List | Table; open: OpenRows | undefined }) {
  const index = rest.children.findLastIndex((child) => isLineComplete(source, startOf(child)));
  const row = rest.children[index];
  if (!row || index < 1) return undefined;
  const line = lineStart(source, startOf(row));
  const count = node.children.length - rest.children.length + index;
  if (node.type === "table") {
    const prefix = source.slice(startOf(rest), nextLineStart(source, nextLineStart(source, startOf(rest))));
    return { cut: nextLineStart(source, line), prefix, finished: { ...node, children: node.children.slice(0, count + 1) } };
  }
  if (/^(?: {4}| {0,3}\t)/.test(source.slice(line, line + 4))) return undefined;
  const previous = rest.children[index - 1];
  const prefix = previous ? contextOf(previous, source.slice(lineStart(source, startOf(previous)), line)) : "";
  const wasSpread = open?.finished.type === "list" && open.finished.spread;
  const spread = Boolean(wasSpread) || isParted(rest.children.slice(0, index + 1));
  return { cut: line, prefix, finished: { ...node, children: node.children.slice(0, count), spread } };
}

/** Whether a blank line stands between any of these: behind them too, but what follows may turn out to be no item. */
function isParted(items: readonly RootContent[]): boolean {
  return items.some((item, index) => index > 0 && !isRightBelow(items[index - 1], item));
}
