import { Fragment, memo, useId, useMemo, useState } from "react";
import { Footnotes } from "./footnotes.tsx";
import { headingLevels } from "./heading-levels.ts";
import { fillGaps, type Insert } from "./inserts.ts";
import { noReferences, ReferenceContext, updateReferences } from "./contexts.ts";
import { useIncrementalMarkdown } from "#web/features/library/markdown/growing/use-incremental-markdown.ts";
import type { Block } from "#shared/markdown/block.ts";
import type { References } from "#shared/markdown/references.ts";
import "./markdown.css";
import { BlockView } from "./block-view.tsx";
import { splitRuns } from "#web/features/library/markdown/growing/runs.ts";

interface BlockRunProps {
  blocks: readonly Block[];
  /** For each block the level it has as a heading. */
  levels: readonly (number | undefined)[];
  /** What stands behind each block; null where nothing does. */
  gaps: readonly (readonly Insert[])[] | null;
  /** True while more text may still arrive in the last block. */
  open: boolean;
}

/**
 * All blocks of a text in runs: only where something changed are they gone through again, laid out and painted. `gaps`
 * begins with what stands ahead of all blocks.
 */
function BlockRuns({ blocks, levels, gaps, open }: BlockRunProps) {
  const ahead = gaps?.[0] ?? [];
  return (
    <>
      {ahead.length > 0 && <div className="markdown-flow">{showInserts(ahead)}</div>}
      {splitRuns(blocks).map(({ from, to }) => (
        <BlockRun
          key={from}
          blocks={blocks.slice(from, to)}
          levels={levels.slice(from, to)}
          // What stands at the end keeps its state when a block comes to stand behind it: it belongs to the block before.
          gaps={gaps && gaps.slice(from + 1, to + 1)}
          open={open && to === blocks.length}
        />
      ))}
    </>
  );
}

const BlockRun = memo(function BlockRun({ blocks, levels, gaps, open }: BlockRunProps) {
  return (
    <div className="markdown-run markdown-flow">
      {blocks.flatMap(({ start, node, frozen }, index) => [
        <BlockView
          key={`${start} ${node.type}`}
          node={node}
          frozen={frozen}
          level={levels[index]}
          open={open && index === blocks.length - 1}
        />,
        ...showInserts(gaps?.[index] ?? []),
      ])}
    </div>
  );
}, isSameRun);

function showInserts(inserts: readonly Insert[]) {
  return inserts.map(({ key, node }) => <Fragment key={`insert ${key}`}>{node}</Fragment>);
}

function isSameRun(former: BlockRunProps, next: BlockRunProps): boolean {
  return (
    former.open === next.open &&
    isSame(former.blocks, next.blocks) &&
    isSame(former.levels, next.levels) &&
    isSame((former.gaps ?? []).flat(), (next.gaps ?? []).flat())
  );
}

function isSame(former: readonly unknown[], next: readonly unknown[]): boolean {
  return former.length === next.length && former.every((part, index) => part === next[index]);
}

interface Settled {
  readonly settled: number;
  readonly last: Block | undefined;
  readonly streaming: boolean;
  readonly references: References;
}

const NOTHING_COLLECTED: Settled = { settled: 0, last: undefined, streaming: true, references: noReferences };

/** What the settled blocks of a text point to, gone through only when a block has settled. */
function useReferences(blocks: readonly Block[], { settled, streaming }: { settled: number; streaming: boolean }): References {
  const [collected, setCollected] = useState(NOTHING_COLLECTED);
  const last = blocks[settled - 1];
  if (collected.settled === settled && collected.last === last && collected.streaming === streaming) return collected.references;
  const references = updateReferences(collected.references, blocks.slice(0, settled));
  setCollected({ settled, last, streaming, references });
  return references;
}

interface MarkdownProps {
  text: string;
  /** True while the text is still growing. */
  streaming?: boolean;
  /** What stands between its blocks, in order. */
  inserts?: readonly Insert[];
  /** Smaller and paler, with headings that are no larger: what stands beside the answer. */
  isQuiet?: boolean;
}

const NO_INSERTS: readonly Insert[] = [];

/** Renders markdown; of a growing text only the last block is parsed and rendered again. */
export function Markdown({ text, streaming = false, inserts = NO_INSERTS, isQuiet }: MarkdownProps) {
  const { blocks, settled } = useIncrementalMarkdown(text, streaming);
  const idPrefix = useId();
  const references = useReferences(blocks, { settled, streaming });
  const context = useMemo(() => ({ ...references, idPrefix }), [references, idPrefix]);
  const gaps =
    inserts.length > 0
      ? fillGaps(
          blocks.map(({ start }) => start),
          inserts,
        )
      : null;
  return (
    <ReferenceContext value={context}>
      <div className={`markdown ${isQuiet ? "markdown-quiet text-14 text-ink2" : "text-15 text-ink"}`}>
        <BlockRuns blocks={blocks} levels={headingLevels(blocks)} gaps={gaps} open={streaming} />
        {!streaming && <Footnotes />}
      </div>
    </ReferenceContext>
  );
}
