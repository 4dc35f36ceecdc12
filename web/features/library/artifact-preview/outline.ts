import { inlineText } from "#shared/markdown/inline-text.ts";
import type { PreviewBlock } from "./preview-document.ts";

/** A heading of a document: where it begins in the text, and how deep it stands below those around it. */
export type OutlineEntry = { key: number; text: string; depth: number; start: number };

/** The headings of a document as an outline without gaps. */
export function outlineOf(blocks: readonly PreviewBlock[]): OutlineEntry[] {
  const open: number[] = [];
  return blocks.flatMap(({ key, start, node }) => {
    if (node.type !== "heading") return [];
    while ((open.at(-1) ?? 0) >= node.depth) open.pop();
    open.push(node.depth);
    return [{ key, text: node.children.map(inlineText).join("").trim() || "Untitled", depth: open.length, start }];
  });
}
