import type { Block } from "#shared/markdown/block.ts";

/** A turn's own heading is of level 2. */
const topLevel = 3;

/**
 * The levels of the headings among the blocks, by index: they follow the outline from level 3 on without leaving one
 * out, whatever depths the text uses, and depend on nothing further down, so they hold while it grows.
 */
export function headingLevels(blocks: readonly Block[]): ReadonlyMap<number, number> {
  const levels = new Map<number, number>();
  const outline: number[] = [];
  for (const [index, { node }] of blocks.entries()) {
    if (node.type !== "heading") continue;
    while ((outline.at(-1) ?? 0) >= node.depth) outline.pop();
    levels.set(index, Math.min(6, topLevel + outline.length));
    outline.push(node.depth);
  }
  return levels;
}
