import type { List } from "mdast";

/** Whether a list's items stand apart: one blank line between two of them, or between two blocks of one of them, loosens all. */
export function isLooseList({ spread, children }: List): boolean {
  return Boolean(spread) || children.some((item) => item.spread);
}
