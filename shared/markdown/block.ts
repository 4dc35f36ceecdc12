import type { PhrasingContent, Root, RootContent } from "mdast";
import { isRightBelow } from "./interruption.ts";

/** A top-level piece of a document. */
export interface Block {
  /** Where it begins in the text, in UTF-16 units: its identity while the text grows. */
  readonly start: number;
  readonly node: RootContent;
  /** Finished pieces of a long paragraph, which come before the node's own children. */
  readonly frozen?: readonly (readonly PhrasingContent[])[];
  /** True where a piece was frozen although its markup might still have met its counterpart. */
  readonly isApproximate?: boolean;
  /** True where a definition ends on the line before, so the two can only be parsed together. */
  readonly isGlued?: boolean;
}

/** The offset at which the line of `offset` begins. */
export function lineStart(text: string, offset: number): number {
  // The second search stays within the line: most texts have no such ending, and it would go back to their start each time.
  const line = text.lastIndexOf("\n", offset - 1) + 1;
  return line + text.slice(line, offset).lastIndexOf("\r") + 1;
}

/** The offset behind the line of `offset` and its ending; the text's length if there is none. */
export function nextLineStart(text: string, offset: number) {
  const ending = /\r\n|\n|\r/g;
  ending.lastIndex = offset;
  return ending.test(text) ? ending.lastIndex : text.length;
}

/** Whether the line at `offset` has its line ending: only then is it settled what the line begins. */
export function isLineComplete(text: string, offset: number): boolean {
  return text.includes("\n", offset) || text.includes("\r", offset);
}

/** The node's first offset in the parsed text; top-level nodes always have one. */
export function startOf(node: RootContent): number {
  return node.position?.start.offset ?? 0;
}

/** Turns parsed top-level nodes into blocks; `shift` is added to their offsets. */
export function toBlocks(nodes: readonly RootContent[], shift: number): Block[] {
  return nodes.map((node, index) => {
    const previous = nodes[index - 1];
    const isGlued = previous?.type === "definition" && isRightBelow(previous, node);
    return { start: startOf(node) + shift, node, ...(isGlued && { isGlued }) };
  });
}

/** A paragraph's children with its frozen pieces joined, as one parse would have made them. */
export function joinedChildren(block: Block): readonly PhrasingContent[] {
  if (block.node.type !== "paragraph") return [];
  const joined: PhrasingContent[] = [];
  for (const child of [...(block.frozen ?? []).flat(), ...block.node.children]) {
    const last = joined.at(-1);
    if (child.type === "text" && last?.type === "text") joined[joined.length - 1] = { type: "text", value: last.value + child.value };
    else joined.push(child);
  }
  return joined;
}

export function toRoot(blocks: readonly Block[]): Root {
  return {
    type: "root",
    children: blocks.map((block) =>
      block.node.type === "paragraph" && block.frozen ? { type: "paragraph", children: [...joinedChildren(block)] } : block.node,
    ),
  };
}
