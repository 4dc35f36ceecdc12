import type { Block } from "#shared/markdown/block.ts";

/** A turn's own heading is of level 2. */
const topLevel = 3;

/**
 * The level of each block that is a heading, at its index: they follow the outline from the top level on without leaving one
 * out, whatever depths the text uses, and depend on nothing further down, so they hold while it grows.
 */
export function headingLevels(blocks: readonly Block[], top = topLevel): readonly (number | undefined)[] {
  const outline: number[] = [];
  return blocks.map(({ node }) => {
    if (node.type !== "heading") return undefined;
    while ((outline.at(-1) ?? 0) >= node.depth) outline.pop();
    outline.push(node.depth);
    return Math.min(6, top + outline.length - 1);
  });
}
