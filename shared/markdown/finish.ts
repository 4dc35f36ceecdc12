import { type Block, lineStart, startOf, toBlocks } from "./block.ts";
import { keepingMarks, type Parse } from "./byte-order-mark.ts";
import type { MarkdownDocument } from "./incremental.ts";
import { contextOf } from "./interruption.ts";
import { parseMarkdown } from "./parse.ts";
import { hasReferences, identifiersIn } from "./references.ts";

/**
 * The blocks of a text whose end has arrived, equal to a parse of the whole: blocks frozen on a guess and those that
 * may call definitions from further down are parsed again, all others stay the same objects.
 */
export function finishDocument(document: MarkdownDocument, given: Parse = parseMarkdown): readonly Block[] {
  const parse = keepingMarks(given);
  const { text, blocks } = document;
  const known = identifiersIn(blocks.map(({ node }) => node));
  const hasKnown = known.links.length + known.footnotes.length > 0;
  const all = groupBlocks(blocks);
  const sourceOf = (index: number) => text.slice(startOfGroup(text, all[index]), startOfGroup(text, all[index + 1]));
  return all.flatMap((group, index) => {
    const source = sourceOf(index);
    const isGuess = group.some((block) => block.isApproximate);
    // A block may also call what looked like a definition while its line was incomplete.
    const hasCalls = group.some(callsDefinitions);
    if (!isGuess && !hasCalls && !(hasKnown && source.includes("["))) return group;
    const previous = all[index - 1]?.at(-1);
    const context = previous ? contextOf(previous.node, sourceOf(index - 1)) : "";
    const nodes = parse(context + source, known).children.filter((node) => startOf(node) >= context.length);
    return toBlocks(nodes, startOfGroup(text, group) - context.length).map((block) => {
      const former = group.find(({ start: from, node }) => from === block.start && node.type === block.node.type);
      return isGuess || hasCalls || hasReferences(block.node) ? block : (former ?? block);
    });
  });
}

function callsDefinitions({ node, frozen }: Block) {
  return hasReferences(node) || (frozen ?? []).flat().some(hasReferences);
}

function startOfGroup(text: string, group: readonly Block[] | undefined) {
  return group?.[0] ? lineStart(text, group[0].start) : text.length;
}

/** Blocks that can only be parsed together: a run of definitions and what stands right below. */
function groupBlocks(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.isGlued && last) last.push(block);
    else groups.push([block]);
  }
  return groups;
}
