/** Options that Page Up and Page Down skip: about what the list shows at once. */
const PAGE = 7;

/** Where a key moves the highlight in a list of `count` options, or null for a key that moves nothing. Arrows go round, pages stop at the ends. */
export function moveHighlight(key: string, index: number, count: number): number | null {
  if (count === 0) return null;
  const last = count - 1;
  switch (key) {
    case "ArrowDown":
      return index >= last ? 0 : index + 1;
    case "ArrowUp":
      return index <= 0 ? last : index - 1;
    case "PageDown":
      return Math.min(last, index + PAGE);
    case "PageUp":
      return Math.max(0, index - PAGE);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}
