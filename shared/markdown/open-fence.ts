import type { Code } from "mdast";
import { type Block, lineStart } from "./block.ts";

/** An unclosed code fence at the end of the text: what arrives is appended without parsing. */
export interface OpenFence {
  readonly kind: "fence";
  readonly block: Block & { readonly node: Code };
  readonly contentStart: number;
  /** The first line not yet searched for the closing fence. */
  readonly searched: number;
  readonly closing: RegExp;
}

/** The text after a fence, once its closing line is complete. */
export interface FenceProgress {
  readonly open: OpenFence;
  readonly block: Block;
  readonly closedAt?: number;
}

const nextLineEnding = /\r\n|\n|\r/g;

/** Recognises an unindented, unclosed fence whose opening line is complete. */
export function openFence(text: string, block: Block): OpenFence | undefined {
  const { node, start } = block;
  if (node.type !== "code" || node.data?.closed || lineStart(text, start) !== start) return undefined;
  const opening = /^(`{3,}(?!`)|~{3,}(?!~))[^\r\n]*(?:\r\n|\n|\r(?!$))/.exec(text.slice(start, start + 1_000));
  const marker = opening?.[1];
  if (!opening || !marker) return undefined;
  const contentStart = start + opening[0].length;
  const closing = new RegExp(`^ {0,3}${marker.charAt(0)}{${marker.length},}[ \\t]*$`);
  return { kind: "fence", block: { ...block, node }, contentStart, searched: contentStart, closing };
}

function lineEndingFrom(text: string, from: number) {
  nextLineEnding.lastIndex = from;
  return nextLineEnding.exec(text);
}

function withoutLastLineEnding(text: string) {
  return text.replace(/(?:\r\n|\n|\r)$/, "");
}

/** Appends what `text` has beyond the last call; looks at each line once, at the unfinished last one again. */
export function growFence(open: OpenFence, text: string): FenceProgress {
  let line = open.searched;
  for (let ending = lineEndingFrom(text, line); ending; ending = lineEndingFrom(text, line)) {
    if (open.closing.test(text.slice(line, ending.index))) {
      return { open, block: withValue(open, text, { end: line, isClosed: true }), closedAt: ending.index + ending[0].length };
    }
    line = ending.index + ending[0].length;
  }
  const isClosed = open.closing.test(text.slice(line));
  const grown = { ...open, searched: line };
  return { open: grown, block: withValue(open, text, { end: isClosed ? line : text.length, isClosed }) };
}

function withValue({ block, contentStart }: OpenFence, text: string, { end, isClosed }: { end: number; isClosed: boolean }): Block {
  const value = withoutLastLineEnding(text.slice(contentStart, end));
  return { ...block, node: { ...block.node, value, data: isClosed ? { closed: true } : undefined } };
}
