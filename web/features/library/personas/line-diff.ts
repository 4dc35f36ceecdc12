/** A line that two texts share, or that one of them has alone. */
export type DiffLine = { kind: "same" | "removed" | "added"; text: string };

/** Pairs of lines that are compared at most; texts that differ in more are shown as replaced. */
const MOST_PAIRS = 4_000_000;

/** How one text becomes another, line by line, with as many lines kept as can be. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const old = linesOf(before);
  const next = linesOf(after);
  const shorter = Math.min(old.length, next.length);
  let head = 0;
  while (head < shorter && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  return [
    ...old.slice(0, head).map(as("same")),
    ...middleDiff(old.slice(head, old.length - tail), next.slice(head, next.length - tail)),
    ...old.slice(old.length - tail).map(as("same")),
  ];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

function as(kind: DiffLine["kind"]): (text: string) => DiffLine {
  return (text) => ({ kind, text });
}

/** By the longest common subsequence of lines. */
function middleDiff(old: readonly string[], next: readonly string[]): DiffLine[] {
  if (old.length * next.length > MOST_PAIRS) return [...old.map(as("removed")), ...next.map(as("added"))];
  const width = next.length + 1;
  /** How many lines the rests of both texts share, by where the rests begin. */
  const shared = new Uint32Array((old.length + 1) * width);
  const sharedAt = (i: number, j: number) => shared[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = next.length - 1; j >= 0; j -= 1) {
      shared[i * width + j] = old[i] === next[j] ? sharedAt(i + 1, j + 1) + 1 : Math.max(sharedAt(i + 1, j), sharedAt(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < next.length) {
    const [left, right] = [old[i], next[j]];
    if (left !== undefined && left === right) {
      lines.push({ kind: "same", text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || sharedAt(i + 1, j) >= sharedAt(i, j + 1))) {
      lines.push({ kind: "removed", text: left });
      i += 1;
    } else if (right !== undefined) {
      lines.push({ kind: "added", text: right });
      j += 1;
    }
  }
  return lines;
}
