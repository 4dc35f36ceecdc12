/** How far beyond its edges a list is drawn, in px. */
const BUFFER_PX = 360;
/** The list is drawn again when it was scrolled this far, in px: less than what is drawn beyond its edges. */
export const STEP_PX = 120;

/** Where each row begins, and after the last one where the list ends; in px. */
export function startsOf(heights: readonly number[]): number[] {
  const starts = [0];
  for (const height of heights) starts.push((starts.at(-1) ?? 0) + height);
  return starts;
}

/** The rows to draw where `top` to `top + view` is seen, the last one excluded. */
export function rowsInView(starts: readonly number[], top: number, view: number): { from: number; to: number } {
  const count = starts.length - 1;
  const firstBelow = (edge: number) => {
    const found = starts.findIndex((start) => start > edge);
    return found === -1 ? count : found;
  };
  return { from: Math.max(0, firstBelow(top - BUFFER_PX) - 1), to: Math.min(count, firstBelow(top + view + BUFFER_PX)) };
}

/** How far to scroll for a row to be seen, or to stand in the middle; as it is where it is seen. */
export function scrollFor(
  row: { start: number; end: number },
  { top, view }: { top: number; view: number },
  align: "nearest" | "center",
): number {
  if (align === "center") return Math.max(0, (row.start + row.end - view) / 2);
  if (row.start < top) return row.start;
  return row.end > top + view ? row.end - view : top;
}
