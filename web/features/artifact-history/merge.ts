import { diff3Merge } from "node-diff3";

/** Two texts that both came from a third, as one where no line was changed by both; null where some was. */
export function mergeTexts({ base, mine, theirs }: { base: string; mine: string; theirs: string }): string | null {
  if (mine === theirs || base === theirs) return mine;
  if (base === mine) return theirs;
  const regions = diff3Merge(mine.split("\n"), base.split("\n"), theirs.split("\n"), { excludeFalseConflicts: true });
  const lines: string[] = [];
  for (const { ok } of regions) {
    if (!ok) return null;
    for (const line of ok) lines.push(line);
  }
  return lines.join("\n");
}

/** The one stretch in which two texts differ: what of the first gives way to which text of the second. */
export function singleChange(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const end = Math.min(before.length, after.length);
  let from = 0;
  while (from < end && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  let tail = 0;
  while (tail < end - from && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail += 1;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}
