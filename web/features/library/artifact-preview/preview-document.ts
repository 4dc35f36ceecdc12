import type { Block } from "#shared/markdown/block.ts";
import { lineStart } from "#shared/markdown/block.ts";
import { countedParse, isTooMuchWork, sourceBlock, unitsFor } from "#shared/markdown/bounded-document.ts";
import type { Parse } from "#shared/markdown/byte-order-mark.ts";
import { emptyDocument, growDocument, type MarkdownDocument } from "#shared/markdown/incremental.ts";
import type { KnownReferences } from "#shared/markdown/known-references.ts";
import { identifiersIn } from "#shared/markdown/references.ts";
import { WorkMeter } from "#shared/markdown/work-meter.ts";
import { singleChange } from "#web/features/library/artifacts/merge-texts.ts";

/** A block with an identity that lasts while the text around it changes. */
export type PreviewBlock = Block & { readonly key: number };
/** A text that is edited anywhere, with its blocks. */
export type PreviewDocument = { readonly text: string; readonly blocks: readonly PreviewBlock[]; readonly definitions: string };

/** Characters that are parsed in one step, and at least of each further one: some milliseconds of a slow device. */
const STEP = 6_000;
/** Blocks ahead of a change that are parsed again, as they may come to reach into it. */
const LEAD = 2;

export const emptyPreview: PreviewDocument = { text: "", blocks: [], definitions: "" };

const DEFINITION = /^ {0,3}\[([^\]\n]{1,200})\]:/gm;
let nextKey = 1;

/**
 * Takes in an edited text at the cost of what was changed: parses from a little before the change until a block ends where one
 * did before. Yields after each step, so others can have their turn; the last value is the new document, which is the text's source
 * where it takes too much work.
 */
export function* editDocument(former: PreviewDocument, text: string): Generator<null, PreviewDocument> {
  if (text === former.text) return former;
  try {
    return yield* readChanged(former, { text, given: countedParse(new WorkMeter(unitsFor(text))) });
  } catch (error) {
    if (isTooMuchWork(error)) return { text, blocks: keyed(former.blocks, [sourceBlock(text)]), definitions: "" };
    throw error;
  }
}

type Changed = { text: string; given: Parse };

function* readChanged(former: PreviewDocument, { text, given }: Changed): Generator<null, PreviewDocument> {
  const guess = former.text === "" ? definitionsIn(text) : former.definitions;
  const document = yield* parseChanged(former, { text, given, definitions: guess });
  const definitions = definitionsOf(document.blocks);
  // What is defined elsewhere decides what brackets are: with another definition the whole text is read again.
  if (definitions === guess) return document;
  const again = yield* parseChanged(emptyPreview, { text, given, definitions });
  return { ...again, blocks: keyed(document.blocks, again.blocks) };
}

function* parseChanged(former: PreviewDocument, next: Changed & { definitions: string }): Generator<null, PreviewDocument> {
  const { text, given, definitions } = next;
  const change = singleChange(former.text, text) ?? { from: 0, to: 0, insert: "" };
  const first = Math.max(0, firstTouched(former.blocks, change.from) - LEAD);
  const from = first === 0 ? 0 : lineStart(former.text, former.blocks[first]?.start ?? 0);
  const shift = text.length - former.text.length;
  const known = toKnown(definitions);
  const parse = (source: string, own: KnownReferences = known) => given(source, joined(own, known));
  const source = from === 0 ? text : text.slice(from);
  const changeEnd = change.from + change.insert.length - from;
  // Where a block stood that the change left alone, as an offset from here on.
  const rest = new Map<number, number>();
  for (let index = former.blocks.length - 1; index >= first; index -= 1) {
    const start = (former.blocks[index]?.start ?? 0) + shift - from;
    if (start <= changeEnd) break;
    rest.set(start, index);
  }
  let grown: MarkdownDocument = emptyDocument;
  let checked = 0;
  for (let length = 0; ;) {
    length = Math.min(source.length, length + Math.max(STEP, grown.text.length - grown.offset));
    grown = growDocument(grown, source.slice(0, length), parse);
    const met = length === source.length ? null : meeting(grown, { former, rest, shift: shift - from, checked });
    checked = Math.max(0, grown.settled - 1);
    if (met) {
      const made = grown.blocks.slice(0, met.count).map((block) => moved(block, from));
      const tail = former.blocks.slice(met.index).map((block) => (shift === 0 ? block : { ...block, start: block.start + shift }));
      return {
        text,
        definitions,
        blocks: [...former.blocks.slice(0, first), ...keyed(former.blocks.slice(first, met.index), made), ...tail],
      };
    }
    if (length === source.length) break;
    yield null;
  }
  const made = settledBlocks(grown, parse).map((block) => moved(block, from));
  return { text, definitions, blocks: [...former.blocks.slice(0, first), ...keyed(former.blocks.slice(first), made)] };
}

/** The document of a text at once. */
export function previewOf(text: string, former: PreviewDocument = emptyPreview): PreviewDocument {
  const steps = editDocument(former, text);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

type Meeting = { former: PreviewDocument; rest: ReadonlyMap<number, number>; shift: number; checked: number };

/** Where the new blocks meet the old ones: two in a row that begin as before and are of the same kind. */
function meeting(grown: MarkdownDocument, { former, rest, shift, checked }: Meeting): { count: number; index: number } | null {
  for (let at = checked; at + 1 < grown.settled; at += 1) {
    const [block, next] = [grown.blocks[at], grown.blocks[at + 1]];
    const index = block && rest.get(block.start);
    if (index === undefined || !block || !next || block.isApproximate || block.frozen) continue;
    const [old, oldNext] = [former.blocks[index], former.blocks[index + 1]];
    if (old?.node.type === block.node.type && oldNext?.node.type === next.node.type && oldNext.start + shift === next.start) {
      return { count: at, index };
    }
  }
  return null;
}

/** The blocks of a text that has ended: what was frozen on a guess is parsed again. */
function settledBlocks(grown: MarkdownDocument, parse: (source: string) => { children: Block["node"][] }): readonly Block[] {
  return grown.blocks.flatMap((block, index) => {
    if (!block.isApproximate && !block.frozen) return [block];
    const start = lineStart(grown.text, block.start);
    const next = grown.blocks[index + 1];
    const nodes = parse(grown.text.slice(start, next ? lineStart(grown.text, next.start) : grown.text.length)).children;
    return nodes.map((node) => ({ start: start + (node.position?.start.offset ?? 0), node }));
  });
}

function firstTouched(blocks: readonly PreviewBlock[], offset: number): number {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blocks[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

function moved(block: Block, by: number): Block {
  return by === 0 ? block : { ...block, start: block.start + by };
}

/** New blocks with the identities of those they take the place of: from the front and from the end, as far as their kinds agree. */
function keyed(old: readonly PreviewBlock[], made: readonly Block[]): PreviewBlock[] {
  const keys = new Map<number, number>();
  const most = Math.min(old.length, made.length);
  let head = 0;
  for (; head < most && old[head]?.node.type === made[head]?.node.type; head += 1) keys.set(head, old[head]?.key ?? 0);
  for (let tail = 1; tail <= most - head && old.at(-tail)?.node.type === made.at(-tail)?.node.type; tail += 1) {
    keys.set(made.length - tail, old.at(-tail)?.key ?? 0);
  }
  return made.map((block, index) => {
    const before = old.find(({ key }) => key === keys.get(index));
    // An unchanged block keeps its node, so it is not drawn again.
    const node = before && isSameNode(before.node, block.node) ? before.node : block.node;
    return { ...block, node, key: keys.get(index) ?? nextKey++ };
  });
}

/** True for nodes that say the same, wherever they stand. */
function isSameNode(one: Block["node"], other: Block["node"]): boolean {
  return one.type === other.type && bare(one) === bare(other);
}

const bares = new WeakMap<Block["node"], string>();

function bare(node: Block["node"]): string {
  const known = bares.get(node);
  if (known !== undefined) return known;
  const text = JSON.stringify(node, (name, value: unknown) => (name === "position" ? undefined : value));
  bares.set(node, text);
  return text;
}

/** What a text seems to define, one name a line; a footnote's begins with a caret. */
function definitionsIn(text: string): string {
  if (!text.includes("]:")) return "";
  return inOrder(Array.from(text.matchAll(DEFINITION), ([, name = ""]) => name.toLowerCase().replaceAll(/\s+/g, " ")));
}

/** What the blocks define, in the same way. */
function definitionsOf(blocks: readonly Block[]): string {
  const { links, footnotes } = identifiersIn(blocks.map(({ node }) => node));
  return inOrder([...links, ...footnotes.map((name) => `^${name}`)]);
}

function inOrder(names: readonly string[]): string {
  return [...new Set(names)].toSorted().join("\n");
}

function toKnown(definitions: string): KnownReferences {
  const all = definitions === "" ? [] : definitions.split("\n");
  return {
    links: all.filter((name) => !name.startsWith("^")),
    footnotes: all.filter((name) => name.startsWith("^")).map((name) => name.slice(1)),
  };
}

function joined(one: KnownReferences, other: KnownReferences): KnownReferences {
  if (other.links.length + other.footnotes.length === 0) return one;
  return { links: [...one.links, ...other.links], footnotes: [...one.footnotes, ...other.footnotes] };
}
