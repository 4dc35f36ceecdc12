import { memo, type RefObject, useId, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { useScrollToPassage } from "#web/features/library/artifact-passage/use-scroll-to-passage.ts";
import type { OpenedPassage } from "#web/features/library/artifact-passage/use-passage.ts";
import { BlockView } from "#web/features/library/markdown/block-view.tsx";
import { Footnotes } from "#web/features/library/markdown/footnotes.tsx";
import { headingLevels } from "#web/features/library/markdown/heading-levels.ts";
import { ImageContext, type ImageUse, noReferences, ReferenceContext, updateReferences } from "#web/features/library/markdown/contexts.ts";
import "#web/features/library/markdown/markdown.css";
import type { PreviewBlock, PreviewDocument } from "./preview-document.ts";

/** Blocks from which on only those in sight are drawn; paper gets them all. */
const MANY = 1_200;
/** About so many blocks make a run, which is drawn again as one. */
const RUN = 16;
const RUN_PX = 700;
/** The artifact's title is the page's heading. */
const TOP_LEVEL = 2;

type Run = { key: number; blocks: readonly PreviewBlock[]; levels: readonly (number | undefined)[] };
type PreviewProps = {
  document: PreviewDocument;
  scroller: RefObject<HTMLDivElement | null>;
  drawsAllBlocks?: boolean;
  /** What the reader came for. */
  passage?: OpenedPassage | null;
};

const PICTURES: ImageUse = { kind: "artifact" };

/** An artifact as it reads. Where its text changes, only the blocks that changed are drawn again. */
export function Preview({ document: { blocks, text }, scroller, drawsAllBlocks = false, passage = null }: PreviewProps) {
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const idPrefix = useId();
  const [references, setReferences] = useState(noReferences);
  const next = useMemo(() => updateReferences(references, blocks), [references, blocks]);
  if (next !== references) setReferences(next);
  const context = useMemo(() => ({ ...next, idPrefix }), [next, idPrefix]);
  const runs = useMemo(() => toRuns(blocks), [blocks]);
  const starts = useMemo(() => runs.map(({ key, blocks: [first] }) => ({ key, start: first?.start ?? 0 })), [runs]);
  useScrollToPassage({ box, list, text, runs: starts, passage });
  const drawn = runs.map((run) => <RunView key={run.key} run={run} />);
  return (
    <ReferenceContext value={context}>
      <ImageContext value={PICTURES}>
        <div ref={box} data-answer className="markdown min-w-0 text-15 [overflow-wrap:anywhere] text-ink">
          {blocks.length > MANY && !drawsAllBlocks ? (
            <Virtualizer ref={list} scrollRef={scroller} itemSize={RUN_PX}>
              {drawn}
            </Virtualizer>
          ) : (
            drawn
          )}
          <Footnotes />
        </div>
      </ImageContext>
    </ReferenceContext>
  );
}

const RunView = memo(
  function RunView({ run: { blocks, levels, key } }: { run: Run }) {
    return (
      <div data-run={key} className="markdown-run markdown-flow pt-12 first:pt-0 [&>:first-child]:mt-0!">
        {blocks.map(({ key: id, node, frozen }, index) => (
          <BlockView key={id} node={node} frozen={frozen} level={levels[index]} open={false} />
        ))}
      </div>
    );
  },
  ({ run: former }, { run: next }) =>
    former.blocks.length === next.blocks.length &&
    former.blocks.every(({ key, node }, index) => {
      const other = next.blocks[index];
      return other?.key === key && other.node === node && former.levels[index] === next.levels[index];
    }),
);

/** Blocks in runs that begin at the same blocks whatever comes and goes before them. */
function toRuns(blocks: readonly PreviewBlock[]): Run[] {
  const levels = headingLevels(blocks, TOP_LEVEL);
  const runs: { key: number; blocks: PreviewBlock[]; levels: (number | undefined)[] }[] = [];
  for (const [index, block] of blocks.entries()) {
    let run = runs.at(-1);
    const before = run?.blocks.at(-1)?.node.type;
    // The room below a heading or a rule is their own affair.
    const mayEnd = before !== "heading" && before !== "thematicBreak";
    if (!run || (mayEnd && (block.key % RUN === 0 || run.blocks.length >= 2 * RUN))) {
      run = { key: block.key, blocks: [], levels: [] };
      runs.push(run);
    }
    run.blocks.push(block);
    run.levels.push(levels[index]);
  }
  return runs;
}
