import * as z from "zod/mini";
import { loadOnce } from "../load-once.ts";

/** Pairs of equal lines that are compared at most: beyond, two texts full of the same line would take minutes. */
const PAIRS_MAX = 2_000_000;
/** Lines of one text times those of another: beyond, also lines that stand once take too long. */
const LINES_SQUARED_MAX = 50_000_000;

const merging = loadOnce(async () => {
  const { diff3Merge } = await import("node-diff3");
  return { diff3Merge };
});

const Regions = z.array(z.union([z.object({ ok: z.array(z.string()) }), z.object({ conflict: z.unknown() })]));

/** Both changes of one text taken together by lines; null where they touch the same ones, or where that cannot be found out in time. */
export async function mergeTexts(base: string, mine: string, theirs: string): Promise<string | null> {
  if (mine === theirs || theirs === base) return mine;
  if (mine === base) return theirs;
  const all = [base, mine, theirs].map((text) => text.split("\n"));
  const start = commonStart(all);
  const end = commonEnd(all, start);
  const [before = [], one = [], other = []] = all.map((lines) => lines.slice(start, lines.length - end));
  if (before.length * Math.max(one.length, other.length) > LINES_SQUARED_MAX) return null;
  if (pairsOf(before, one) > PAIRS_MAX || pairsOf(before, other) > PAIRS_MAX) return null;
  const { diff3Merge } = await merging();
  const merged: string[] = [];
  for (const region of Regions.parse(diff3Merge(one, before, other, { excludeFalseConflicts: true }))) {
    if (!("ok" in region)) return null;
    for (const line of region.ok) merged.push(line);
  }
  const first = all[0] ?? [];
  return [...first.slice(0, start), ...merged, ...first.slice(first.length - end)].join("\n");
}

function commonStart(all: string[][]): number {
  const [first = [], ...others] = all;
  let start = 0;
  while (start < first.length && others.every((lines) => start < lines.length && lines[start] === first[start])) start += 1;
  return start;
}

function commonEnd(all: string[][], start: number): number {
  const [first = [], ...others] = all;
  const shortest = Math.min(...all.map(({ length }) => length)) - start;
  let end = 0;
  while (end < shortest && others.every((lines) => lines.at(-1 - end) === first.at(-1 - end))) end += 1;
  return end;
}

function pairsOf(first: string[], second: string[]): number {
  const counts = new Map<string, number>();
  for (const line of first) counts.set(line, (counts.get(line) ?? 0) + 1);
  return second.reduce((pairs, line) => pairs + (counts.get(line) ?? 0), 0);
}
