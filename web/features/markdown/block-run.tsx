import { Fragment, memo } from "react";
import type { Block } from "#shared/markdown/block.ts";
import { BlockView } from "./block-view.tsx";
import type { Insert } from "./inserts.ts";
import { splitRuns } from "#web/features/markdown/growing/runs.ts";

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
export function BlockRuns({ blocks, levels, gaps, open }: BlockRunProps) {
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
