import type { Root } from "mdast";
import { type Block, joinedChildren, toBlocks } from "./block.ts";
import { type Parse, withoutByteOrderMark } from "./byte-order-mark.ts";
import { parseMarkdown } from "./parse.ts";

/** Parses a text that is complete. */
export function parseDocument(text: string, parse: Parse = parseMarkdown): readonly Block[] {
  return toBlocks(parse(withoutByteOrderMark(text)).children, 0);
}

/** The blocks as one tree. */
export function toRoot(blocks: readonly Block[]): Root {
  return {
    type: "root",
    children: blocks.map((block) =>
      block.node.type === "paragraph" && block.frozen ? { type: "paragraph", children: [...joinedChildren(block)] } : block.node,
    ),
  };
}
