import type { Block } from "#shared/markdown/block.ts";
import type { MarkdownDocument } from "#shared/markdown/incremental.ts";

/** How a text that grows is taken in at the cost of what was added, and what it comes to when it has ended. */
export type Growing = {
  grow: (former: MarkdownDocument | null, text: string) => MarkdownDocument;
  finish: (document: MarkdownDocument) => readonly Block[];
};

let known: Growing | null = null;

/** Brought along by what makes texts grow, a reply's stream: until it is here, none does. */
export function takeGrowing(way: Growing): void {
  known = way;
}

/** Null as long as nothing has made a text grow. */
export function growing(): Growing | null {
  return known;
}
