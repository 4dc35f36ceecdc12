/** Texts that may have been made to keep their reader busy, parsed for no more than a share of work: on the server and in browsers alike. */
import type { Nodes, RootContent } from "mdast";
import { type Block, toRoot } from "./block.ts";
import { type Parse, withoutByteOrderMark } from "./byte-order-mark.ts";
import { finishDocument } from "./finish.ts";
import { emptyDocument, growDocument, type MarkdownDocument } from "./incremental.ts";
import { noReferences } from "./known-references.ts";
import { parseMarkdown } from "./parse.ts";
import { collectReferences } from "./references.ts";
import { TooMuchWork, WorkMeter } from "./work-meter.ts";

/** Characters of the first piece, and at least of each further one. */
const CHUNK_LENGTH = 4_000;

/** Units of work that a text may take: some eight times what people and models write for each character, and more where it is short. */
const TEXT_UNITS = 3_000_000;
const CHARACTER_UNITS = 150;

/** Units of work that a text may take each time it grows, besides those of what is new: some frames. */
const GROWTH_UNITS = 5_000_000;

/** Units of work that a parse takes before it reads anything. */
const START_UNITS = 10_000;

/** Nodes within nodes that a text may have: whoever goes through them needs room on the stack for each. */
const DEPTH = 200;

/** Characters of addresses that references may stand for, besides as many as the text has: each stands in what is made of it. */
const REFERRED_LENGTH = 100_000;

/** Units of work for all texts of one request, about a second. */
export const REQUEST_UNITS = 20_000_000;

/**
 * The top-level nodes of a text; null where it takes more than its share of the work, or more than `work` has left, or its markup
 * is nested more deeply than anyone writes.
 */
export function parseWithin(text: string, work: WorkMeter): readonly RootContent[] | null {
  const blocks = within({ work, units: unitsFor(text) }, (parse) => finished(growInChunks(emptyDocument, text, parse), parse));
  return blocks && toRoot(blocks).children;
}

/** The blocks of a text that is complete; its source as one where it takes more than its share of the work. */
export function parseDocument(text: string): readonly Block[] {
  return finishWithin(emptyDocument, text);
}

/** Takes in a longer text. What takes too much work is its source from then on. */
export function growWithin(former: MarkdownDocument, text: string): MarkdownDocument {
  if (former.isSource && text.startsWith(former.text)) return sourceDocument(text);
  const units = GROWTH_UNITS + Math.max(0, text.length - former.text.length) * CHARACTER_UNITS;
  return within({ units }, (parse) => growInChunks(former, text, parse)) ?? sourceDocument(text);
}

/** The blocks of a text that has ended, of which `document` has the beginning. */
export function finishWithin(document: MarkdownDocument, text: string): readonly Block[] {
  const begun = document.isSource ? emptyDocument : document;
  const blocks = within({ units: unitsFor(text) }, (parse) => finished(growInChunks(begun, text, parse), parse));
  return blocks ?? [sourceBlock(text)];
}

/** Units of work that a text may take. */
export function unitsFor({ length }: string): number {
  return TEXT_UNITS + length * CHARACTER_UNITS;
}

export function countedParse(meter: WorkMeter): Parse {
  return (source, known = noReferences) => {
    meter.spend(START_UNITS + known.links.length + known.footnotes.length);
    const root = parseMarkdown(source, known, [meter.syntax]);
    if (isDeep(root.children)) throw new TooMuchWork("This text is nested too deeply.");
    return root;
  };
}

/** Whether a parse ended as it would have taken too much work. */
export function isTooMuchWork(error: unknown): boolean {
  // The parser's own loops go deeper than ours, down to the end of the stack.
  return error instanceof TooMuchWork || error instanceof RangeError;
}

export function sourceBlock(text: string): Block {
  return { start: 0, node: { type: "html", value: text } };
}

function sourceDocument(text: string): MarkdownDocument {
  return { ...emptyDocument, text, blocks: [sourceBlock(text)], isSource: true };
}

type Share = { work?: WorkMeter; units: number };

function within<Made>({ work = new WorkMeter(Infinity), units }: Share, make: (parse: Parse) => Made): Made | null {
  const most = Math.min(work.left, units);
  const share = new WorkMeter(most);
  try {
    return make(countedParse(share));
  } catch (error) {
    if (isTooMuchWork(error)) return null;
    throw error;
  } finally {
    work.spend(most - share.left);
  }
}

/** In one piece a long text takes more than its share; each piece is as long as what is still open, which is parsed again with it. */
function growInChunks(begun: MarkdownDocument, text: string, parse: Parse): MarkdownDocument {
  let document = withoutByteOrderMark(text).startsWith(begun.text) ? begun : emptyDocument;
  // By what was given: of a mark at its start the document keeps nothing.
  for (let end = document.text.length; end < text.length;) {
    end += Math.max(CHUNK_LENGTH, document.text.length - document.offset);
    document = growDocument(document, text.slice(0, end), parse);
  }
  return document;
}

function finished(document: MarkdownDocument, parse: Parse): readonly Block[] {
  const blocks = finishDocument(document, parse);
  const referred = referredLength(toRoot(blocks).children);
  if (referred > REFERRED_LENGTH + document.text.length) throw new TooMuchWork("This text refers to too much.");
  return blocks;
}

/** Characters of all addresses and titles that references stand for. */
function referredLength(nodes: readonly RootContent[]): number {
  const { definitions } = collectReferences(nodes);
  if (definitions.size === 0) return 0;
  let length = 0;
  const left: Nodes[] = [...nodes];
  for (let node = left.pop(); node; node = left.pop()) {
    if (node.type === "linkReference" || node.type === "imageReference") {
      const { url = "", title } = definitions.get(node.identifier) ?? {};
      length += url.length + (title?.length ?? 0);
    }
    if ("children" in node) for (const child of node.children) left.push(child);
  }
  return length;
}

function isDeep(nodes: readonly Nodes[]): boolean {
  let level = nodes;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === DEPTH) return true;
    level = level.flatMap((node) => ("children" in node ? node.children : []));
  }
  return false;
}
