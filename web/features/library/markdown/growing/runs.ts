import type { Block } from "#shared/markdown/block.ts";

/** Blocks of a run: few enough that the last one is quick to lay out with every frame of a growing text. */
const runLength = 16;

/** A stretch of blocks, by index; `to` is behind its last. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/**
 * Splits blocks into runs that what comes later does not change. None ends with a heading or a rule: the room below
 * those is their own affair.
 */
export function splitRuns(blocks: readonly Block[]): Run[] {
  const runs: Run[] = [];
  let from = 0;
  for (const [index, { node }] of blocks.entries()) {
    const isLast = index === blocks.length - 1;
    if (!isLast && (index - from + 1 < runLength || node.type === "heading" || node.type === "thematicBreak")) continue;
    runs.push({ from, to: index + 1 });
    from = index + 1;
  }
  return runs;
}
