import type { Block } from "#shared/markdown/block.ts";

/** Characters of all cached texts together: some hundred messages, so a chat opened again paints at once. */
const capacity = 1_000_000;

/** Characters of a text that is worth keeping: a longer one's tree, some forty times its size, goes with the chat that shows it. */
const longest = capacity / 4;

const documents = new Map<string, readonly Block[]>();
let size = 0;

/** The parsed blocks of a complete text, parsed at most once while it is among the recent ones. */
export function cachedDocument(text: string, parse: (text: string) => readonly Block[]): readonly Block[] {
  if (text.length > longest) return parse(text);
  const known = documents.get(text);
  const blocks = known ?? parse(text);
  if (known) documents.delete(text);
  else size += text.length;
  documents.set(text, blocks);
  for (const [oldest] of documents) {
    if (size <= capacity || oldest === text) break;
    documents.delete(oldest);
    size -= oldest.length;
  }
  return blocks;
}
