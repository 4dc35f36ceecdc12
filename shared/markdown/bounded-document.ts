import type { Nodes, RootContent } from "mdast";
import { toRoot } from "./document.ts";
import { finishDocument } from "./finish.ts";
import { type Parse, withoutByteOrderMark } from "./byte-order-mark.ts";
import { emptyDocument, growDocument } from "./incremental.ts";
import { parseMarkdown } from "./parse.ts";
import { TooMuchWork, WorkMeter } from "./work-meter.ts";

/** Characters of the first piece, and at least of each further one. */
const PIECE = 4_000;

/** Units of work that a text may take: some eight times what people and models write for each character, and more where it is short. */
const TEXT_UNITS = 3_000_000;
const CHARACTER_UNITS = 150;

/** Nodes within nodes that a text may have: whoever goes through them needs room on the stack for each. */
const DEPTH = 200;

/** Units of work for all texts of one request, about a second. */
export const REQUEST_UNITS = 20_000_000;

/**
 * The top-level nodes of a text that may have been made to keep its reader busy; null where the text takes more than its share
 * of the work, or more than `work` has left, or its markup is nested more deeply than anyone writes.
 */
export function parseWithin(text: string, work: WorkMeter): readonly RootContent[] | null {
  const share = new WorkMeter(Math.min(work.left, TEXT_UNITS + text.length * CHARACTER_UNITS));
  const units = share.left;
  const parse: Parse = (source, known) => parseMarkdown(source, known, [share.syntax]);
  try {
    const { children } = toRoot(finishDocument(growInPieces(withoutByteOrderMark(text), parse), parse));
    return isDeep(children) ? null : children;
  } catch (error) {
    // The parser's own loops go deeper than ours, down to the end of the stack.
    if (error instanceof TooMuchWork || error instanceof RangeError) return null;
    throw error;
  } finally {
    work.spend(units - share.left);
  }
}

/** In one piece a long text takes more than its share; each piece is as long as what is still open, which is parsed again with it. */
function growInPieces(text: string, parse: Parse) {
  let document = emptyDocument;
  while (document.text.length < text.length) {
    const { length } = document.text;
    document = growDocument(document, text.slice(0, length + Math.max(PIECE, length - document.offset)), parse);
  }
  return document;
}

function isDeep(nodes: readonly Nodes[]): boolean {
  let level = nodes;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === DEPTH) return true;
    level = level.flatMap((node) => ("children" in node ? node.children : []));
  }
  return false;
}
