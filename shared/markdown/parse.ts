import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Extension } from "micromark-util-types";
import { boundedLinks, boundedTransforms, runsOfMarks } from "./bounded-links.ts";
import { type KnownReferences, noReferences, withKnownReferences } from "./known-references.ts";
import { bracketBlock, dollarBlock } from "./math-flow.ts";
import { mathNodes } from "./math-nodes.ts";
import { backslashMath, dollarMath } from "./math-text.ts";

const mathSyntax: Extension = {
  flow: { 36: dollarBlock, 92: bracketBlock },
  text: { 36: dollarMath, 92: backslashMath },
};
const github = gfm();
const githubInTime = boundedLinks(github);
const nodes = [gfmFromMarkdown().map(boundedTransforms), mathNodes];

/**
 * Parses CommonMark with GitHub's extensions and formulas in `$`, `$$`, `\(` and `\[`; `known` adds definitions made elsewhere,
 * `more` whatever else the parser should do.
 */
export function parseMarkdown(text: string, known: KnownReferences = noReferences, more: readonly Extension[] = []): Root {
  const crowded = runsOfMarks(text);
  const links = crowded.length === 0 ? githubInTime : boundedLinks(github, crowded);
  const isSeeded = known.links.length + known.footnotes.length > 0;
  return fromMarkdown(text, {
    extensions: [links, mathSyntax, ...(isSeeded ? [withKnownReferences(known)] : []), ...more],
    mdastExtensions: nodes,
  });
}
