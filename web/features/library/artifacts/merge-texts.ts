import { diff3Merge } from "node-diff3";

/** Steps that a comparison may take: each pair of equal lines is looked for among the lines in common. Beyond, the page would stand still. */
const STEPS_MAX = 100_000_000;

/** Two texts that both came from a third, as one where no line was changed by both; null where some was, or where finding out would take too long. */
export function mergeTexts({ base, mine, theirs }: { base: string; mine: string; theirs: string }): string | null {
  if (mine === theirs || base === theirs) return mine;
  if (base === mine) return theirs;
  const [whole, one, other] = [base.split("\n"), mine.split("\n"), theirs.split("\n")];
  const shortest = Math.min(whole.length, one.length, other.length);
  const start = countWhile(shortest, (at) => one[at] === whole[at] && other[at] === whole[at]);
  const end = countWhile(shortest - start, (at) => one.at(-1 - at) === whole.at(-1 - at) && other.at(-1 - at) === whole.at(-1 - at));
  const between = (lines: string[]) => lines.slice(start, lines.length - end);
  const before = between(whole);
  if (stepsOf(before, between(one)) > STEPS_MAX || stepsOf(before, between(other)) > STEPS_MAX) return null;
  const merged = whole.slice(0, start);
  for (const { ok } of diff3Merge(between(one), before, between(other), { excludeFalseConflicts: true })) {
    if (!ok) return null;
    for (const line of ok) merged.push(line);
  }
  return [...merged, ...whole.slice(whole.length - end)].join("\n");
}

function countWhile(most: number, holds: (at: number) => boolean): number {
  let count = 0;
  while (count < most && holds(count)) count += 1;
  return count;
}

function stepsOf(first: readonly string[], second: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of first) counts.set(line, (counts.get(line) ?? 0) + 1);
  const pairs = second.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
  return pairs * Math.min(first.length, second.length);
}

/** Characters that are compared at once: that many letters one by one would hold up whoever types in a long text. */
const STRETCH = 4_096;

/** The one stretch in which two texts differ: what of the first gives way to which text of the second. */
export function singleChange(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const end = Math.min(before.length, after.length);
  let from = 0;
  while (from + STRETCH <= end && before.slice(from, from + STRETCH) === after.slice(from, from + STRETCH)) from += STRETCH;
  while (from < end && before.charCodeAt(from) === after.charCodeAt(from)) from += 1;
  const most = end - from;
  let tail = 0;
  const stretchOf = (text: string) => text.slice(text.length - tail - STRETCH, text.length - tail);
  while (tail + STRETCH <= most && stretchOf(before) === stretchOf(after)) tail += STRETCH;
  while (tail < most && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail += 1;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}
