import type { ReactNode } from "react";

/** Something that stands between the blocks of a text: at `at` (UTF-16 units from its start) or the next end of a block. */
export type Insert = { at: number; key: string; node: ReactNode };

/**
 * Sorts inserts into the gaps of blocks that start at `starts`: the first array goes ahead of the first block, the last one
 * behind the last. Within a gap they keep their order; nothing is put inside a block.
 */
export function fillGaps<Item extends { at: number }>(starts: readonly number[], inserts: readonly Item[]): Item[][] {
  const gaps: Item[][] = Array.from({ length: starts.length + 1 }, () => []);
  for (const insert of inserts) {
    const next = starts.findIndex((start) => start >= insert.at);
    gaps[next === -1 ? starts.length : next]?.push(insert);
  }
  return gaps;
}
