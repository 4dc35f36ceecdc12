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
  const sourceOf = ({ from, to }: Stretch) => text.slice(from, to);
  const stretches = stretchesOf(groupBlocks(blocks), text, (group) =>
    group.blocks.some((block) => block.isApproximate || callsDefinitions(block) || (hasKnown && sourceOf(group).includes("["))),
  );
  return stretches.flatMap((stretch, index) => {
    if (!stretch.isParsed) return stretch.blocks;
    const previous = stretches[index - 1]?.last;
    const context = previous ? contextOf(previous.blocks.at(-1)?.node, sourceOf(previous)) : "";
    const nodes = parse(context + sourceOf(stretch), known).children.filter((node) => startOf(node) >= context.length);
    const formers = new Map(stretch.blocks.map((block) => [block.start, block]));
    return toBlocks(nodes, stretch.from - context.length).map((block) => {
      const former = formers.get(block.start);
      const isSame = former?.node.type === block.node.type && !former.isApproximate && !callsDefinitions(former);
      // A block may also call what looked like a definition while its line was incomplete.
      return isSame && !hasReferences(block.node) ? former : block;
    });
  });
}

/** Blocks that follow each other, from here to there in the text. */
interface Stretch {
  blocks: readonly Block[];
  from: number;
  to: number;
}

/** Characters that are parsed again at once where they follow each other: each parse takes its time to begin. */
const AT_ONCE = 4_000;

interface ParsedStretch extends Stretch {
  isParsed: boolean;
  /** Its last group. */
  last: Stretch;
}

function stretchesOf(groups: readonly Block[][], text: string, isParsedAgain: (group: Stretch) => boolean): ParsedStretch[] {
  const stretches: ParsedStretch[] = [];
  for (const [index, blocks] of groups.entries()) {
    const group = { blocks, from: startOfGroup(text, blocks), to: startOfGroup(text, groups[index + 1]) };
    const isParsed = isParsedAgain(group);
    const before = stretches.at(-1);
    if (before && before.isParsed && isParsed && group.to - before.from <= AT_ONCE) {
      stretches[stretches.length - 1] = { blocks: [...before.blocks, ...blocks], from: before.from, to: group.to, isParsed, last: group };
    } else stretches.push({ ...group, isParsed, last: group });
  }
  return stretches;
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
