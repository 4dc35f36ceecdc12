import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Extension } from "micromark-util-types";
import { type KnownReferences, noReferences, withKnownReferences } from "./known-references.ts";
import { bracketBlock, dollarBlock } from "./math-flow.ts";
import { mathNodes } from "./math-nodes.ts";
import { backslashMath, dollarMath } from "./math-text.ts";

const mathSyntax: Extension = {
  flow: { 36: dollarBlock, 92: bracketBlock },
  text: { 36: dollarMath, 92: backslashMath },
};
const syntax = [gfm(), mathSyntax];
const nodes = [gfmFromMarkdown(), mathNodes];

/**
 * Parses CommonMark with GitHub's extensions and formulas in `$`, `$$`, `\(` and `\[`; `known` adds definitions made elsewhere,
 * `more` whatever else the parser should do.
 */
export function parseMarkdown(text: string, known: KnownReferences = noReferences, more: readonly Extension[] = []): Root {
  const isSeeded = known.links.length + known.footnotes.length > 0;
  return fromMarkdown(text, {
    extensions: [...syntax, ...(isSeeded ? [withKnownReferences(known)] : []), ...more],
    mdastExtensions: nodes,
  });
}
