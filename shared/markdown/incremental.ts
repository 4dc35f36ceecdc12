import type { Code, List, Paragraph, RootContent, Table } from "mdast";
import { type Block, isLineComplete, lineStart, nextLineStart, startOf, toBlocks } from "./block.ts";
import { contextOf, isRightBelow } from "./interruption.ts";
import { keepingMarks, type Parse, withoutByteOrderMark } from "./byte-order-mark.ts";
import { type KnownReferences, noReferences } from "./known-references.ts";
import { continuesParagraph, freezeSegment, type FrozenSegment, sentinel, withoutSentinel } from "./open-paragraph.ts";
import { parseMarkdown } from "./parse.ts";
import { identifiersIn } from "./references.ts";

/** An unclosed code fence at the end of the text: what arrives is appended without parsing. */
interface OpenFence {
  readonly kind: "fence";
  readonly block: Block & { readonly node: Code };
  readonly contentStart: number;
  /** The first line not yet searched for the closing fence. */
  readonly searched: number;
  readonly closing: RegExp;
}

/** The text after a fence, once its closing line is complete. */
interface FenceProgress {
  readonly open: OpenFence;
  readonly block: Block;
  readonly closedAt?: number;
}

const nextLineEnding = /\r\n|\n|\r/g;

/** Recognises an unindented, unclosed fence whose opening line is complete. */
function openFence(text: string, block: Block): OpenFence | undefined {
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
function growFence(open: OpenFence, text: string): FenceProgress {
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

interface OpenParagraph {
  readonly kind: "paragraph";
  readonly start: number;
  readonly segments: readonly FrozenSegment[];
}

/** A text that grows at its end, with the blocks it has so far. */
export interface MarkdownDocument {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** How many of the blocks can no longer change. */
  readonly settled: number;
  /** Where the part begins that is parsed again. */
  readonly offset: number;
  /** What stands in front of that part when it is parsed. */
  readonly lead: string;
  /** What is known about the last block beyond its text from `offset`. */
  readonly open: OpenFence | OpenParagraph | OpenRows | undefined;
  /** What the settled blocks define. */
  readonly known: KnownReferences;
  /** True where parsing it takes too much work, so its one block is its source. */
  readonly isSource?: boolean;
}

export const emptyDocument: MarkdownDocument = {
  text: "",
  blocks: [],
  settled: 0,
  offset: 0,
  lead: "",
  open: undefined,
  known: noReferences,
};

/**
 * Takes in a longer text at the cost of what was added: CommonMark closes blocks for good, so only the last top-level
 * block is parsed again. A text that does not continue the former one starts over.
 */
export function growDocument(former: MarkdownDocument, whole: string, given: Parse = parseMarkdown): MarkdownDocument {
  const text = withoutByteOrderMark(whole);
  // Two strings are compared in a fraction of the time that `startsWith` takes, which long texts notice.
  if (text.slice(0, former.text.length) !== former.text) return growDocument(emptyDocument, whole, given);
  if (text.length === former.text.length) return former;
  const parse = keepingMarks(given);
  return former.open?.kind === "fence" ? growInFence(former, former.open, { text, parse }) : growByParsing(former, text, parse);
}

function growInFence(former: MarkdownDocument, open: OpenFence, { text, parse }: { text: string; parse: Parse }): MarkdownDocument {
  const { open: grown, block, closedAt } = growFence(open, text);
  const blocks = [...former.blocks.slice(0, -1), block];
  if (closedAt === undefined) return { ...former, text, blocks, open: grown };
  return growByParsing({ ...former, text, blocks, settled: blocks.length, offset: closedAt, lead: "", open: undefined }, text, parse);
}

/** Where a parsed source lies in the whole text, and its first block with what was frozen before. */
interface Tail {
  source: string;
  /** Add to an offset in `source` to get one in the text. */
  shift: number;
  nodes: readonly RootContent[];
  blocks: readonly Block[];
}

function parseTail(former: MarkdownDocument, text: string, parse: Parse): Tail | undefined {
  const { open, offset, lead, known } = former;
  const rest = text.slice(offset);
  if (open?.kind === "paragraph") {
    const source = sentinel + rest;
    const shift = offset - sentinel.length;
    const nodes = parse(source, known).children;
    const [first] = nodes;
    if (!continuesParagraph(first, source.slice(0, nodes[1] ? startOf(nodes[1]) : source.length))) return undefined;
    const node: Paragraph = { ...first, children: withoutSentinel(first.children) };
    const frozen = open.segments.map(({ children }) => children);
    const isApproximate = open.segments.some((piece) => piece.isApproximate);
    return { source, shift, nodes, blocks: [{ start: open.start, node, frozen, isApproximate }, ...toBlocks(nodes, shift).slice(1)] };
  }
  if (open?.kind === "rows") {
    const source = open.prefix + rest;
    const shift = offset - open.prefix.length;
    const nodes = parse(source, known).children;
    const node = joinRows(open, nodes[0]);
    return node && { source, shift, nodes, blocks: [{ start: open.start, node }, ...toBlocks(nodes, shift).slice(1)] };
  }
  const source = lead + rest;
  const shift = offset - lead.length;
  const parsed = parse(source, known).children;
  const nodes = parsed.filter((node) => startOf(node) >= lead.length);
  return lead && nodes.length === parsed.length ? undefined : { source, shift, nodes, blocks: toBlocks(nodes, shift) };
}

function growByParsing(former: MarkdownDocument, text: string, parse: Parse): MarkdownDocument {
  const tail = parseTail(former, text, parse);
  if (!tail) return growByParsing({ ...former, offset: lineStart(text, startOfOpen(former)), lead: "", open: undefined }, text, parse);

  const { source, shift, nodes, blocks } = tail;
  const cut = findCut(source, nodes);
  const settled = former.settled + cut;
  const grown = { ...former, text, blocks: former.blocks.slice(0, former.settled).concat(blocks), settled };
  if (cut > 0) {
    const known = identifiersIn(blocks.slice(0, cut).map(({ node }) => node));
    const start = nodes[cut];
    grown.known = { links: [...former.known.links, ...known.links], footnotes: [...former.known.footnotes, ...known.footnotes] };
    grown.offset = start ? lineStart(source, startOf(start)) + shift : former.offset;
    grown.lead = contextBefore(source, nodes[cut - 1], start);
    grown.open = undefined;
  }
  return cut === nodes.length - 1 ? freezeLast(grown, tail, parse) : grown;
}

function contextBefore(source: string, previous: RootContent | undefined, node: RootContent | undefined) {
  return previous && node ? contextOf(previous, source.slice(lineStart(source, startOf(previous)), lineStart(source, startOf(node)))) : "";
}

function startOfOpen({ open, offset }: MarkdownDocument) {
  return open && open.kind !== "fence" ? open.start : offset;
}

/**
 * Whether what begins with this node can no longer turn out to belong to the one before: its first line is complete
 * (`*` may become `**bold**`) and, right below another block, the next one too (which may make a table's head of it).
 */
function isDecided(source: string, node: RootContent, previous: RootContent | undefined) {
  const start = startOf(node);
  return isLineComplete(source, isRightBelow(previous, node) ? nextLineStart(source, start) : start);
}

/** The index of the first node that may still change: the last one, or one before it that it may yet belong to. */
function findCut(source: string, nodes: readonly RootContent[]): number {
  let index = nodes.length - 1;
  const last = nodes[index];
  if (last && index > 0 && !isDecided(source, last, nodes[index - 1])) index -= 1;
  while (index > 0 && nodes[index - 1]?.type === "definition" && isRightBelow(nodes[index - 1], nodes[index])) index -= 1;
  return Math.max(0, index);
}

/** Keeps the finished part of the last block, if it is of a kind that can grow long. */
function freezeLast(grown: MarkdownDocument, { source, shift, nodes }: Tail, parse: Parse): MarkdownDocument {
  const block = grown.blocks.at(-1);
  const node = nodes.at(-1);
  if (!block || !node) return grown;
  if (node.type === "code") return { ...grown, open: openFence(grown.text, block) };
  if (node.type === "paragraph") return freezeParagraph(grown, { block, node, source, shift, parse });
  if ((node.type === "list" || node.type === "table") && (block.node.type === "list" || block.node.type === "table")) {
    const open = grown.open?.kind === "rows" ? grown.open : undefined;
    const frozen = freezeRows(source, { node: block.node, rest: node, open });
    if (!frozen) return grown;
    const { cut, finished, prefix } = frozen;
    return { ...grown, offset: cut + shift, open: { kind: "rows", finished, prefix, start: block.start } };
  }
  return grown;
}

function freezeParagraph(
  grown: MarkdownDocument,
  { block, node, source, shift, parse }: { block: Block; node: Paragraph; source: string; shift: number; parse: Parse },
): MarkdownDocument {
  const open = grown.open?.kind === "paragraph" ? grown.open : undefined;
  const from = open ? 0 : startOf(node);
  const frozen =
    from === 0 && freezeSegment(source, { node, hasSentinel: open !== undefined, parse: (piece) => parse(piece, grown.known) });
  if (!frozen) return grown;
  return {
    ...grown,
    offset: shift + (open ? sentinel.length : 0) + frozen.length,
    open: { kind: "paragraph", start: block.start, segments: [...(open?.segments ?? []), frozen] },
  };
}

/** A list or table at the end of the text whose finished items or rows are not parsed again. */
interface OpenRows {
  readonly kind: "rows";
  /** The node so far, with the finished items or rows alone. */
  readonly finished: List | Table;
  /** What the rest needs in front of it to be parsed as part of the same node: its first child stands for it. */
  readonly prefix: string;
  readonly start: number;
}

/** Joins the finished rows with the parse of the rest; undefined where that does not continue the same node. */
function joinRows(open: OpenRows, rest: RootContent | undefined): List | Table | undefined {
  const { finished } = open;
  if (finished.type === "list" && rest?.type === "list" && rest.ordered === finished.ordered) {
    const children = open.prefix ? rest.children.slice(1) : rest.children;
    return { ...finished, spread: Boolean(finished.spread || rest.spread), children: finished.children.concat(children) };
  }
  if (finished.type === "table" && rest?.type === "table") {
    return { ...finished, children: finished.children.concat(rest.children.slice(1)) };
  }
  return undefined;
}

/**
 * Splits the last list or table of `source` (its parse is `rest`, joined with earlier rows it is `node`) where it cannot
 * change any more: before the last item, behind the last whole row. The rest begins at `cut` in `source`.
 */
function freezeRows(source: string, { node, rest, open }: { node: List | Table; rest: List | Table; open: OpenRows | undefined }) {
  const index = rest.children.findLastIndex((child) => isLineComplete(source, startOf(child)));
  const row = rest.children[index];
  if (!row || index < 1) return undefined;
  const line = lineStart(source, startOf(row));
  const count = node.children.length - rest.children.length + index;
  if (node.type === "table") {
    const prefix = source.slice(startOf(rest), nextLineStart(source, nextLineStart(source, startOf(rest))));
    return { cut: nextLineStart(source, line), prefix, finished: { ...node, children: node.children.slice(0, count + 1) } };
  }
  if (/^(?: {4}| {0,3}\t)/.test(source.slice(line, line + 4))) return undefined;
  const previous = rest.children[index - 1];
  const prefix = previous ? contextOf(previous, source.slice(lineStart(source, startOf(previous)), line)) : "";
  const wasSpread = open?.finished.type === "list" && open.finished.spread;
  const spread = Boolean(wasSpread) || isParted(rest.children.slice(0, index + 1));
  return { cut: line, prefix, finished: { ...node, children: node.children.slice(0, count), spread } };
}

/** Whether a blank line stands between any of these: behind them too, but what follows may turn out to be no item. */
function isParted(items: readonly RootContent[]): boolean {
  return items.some((item, index) => index > 0 && !isRightBelow(items[index - 1], item));
}
