import { Fragment, memo } from "react";
import type { Block } from "#shared/markdown/block.ts";
import { BlockView } from "./block-view.tsx";
import type { Insert } from "./inserts.ts";

/** Blocks in one run: few enough that the last run is quick to go through with every frame of a growing text. */
const runLength = 24;

interface BlockRunProps {
  blocks: readonly Block[];
  /** For each block the level it has as a heading. */
  levels: readonly (number | undefined)[];
  /** What stands behind each block; null where nothing does. */
  gaps: readonly (readonly Insert[])[] | null;
  /** True while more text may still arrive in the last block. */
  open: boolean;
}

/** All blocks of a text in runs, of which only those where something changed are gone through again. `gaps` begins with what stands ahead of all blocks. */
export function BlockRuns({ blocks, levels, gaps, open }: BlockRunProps) {
  const starts = Array.from({ length: Math.ceil(blocks.length / runLength) }, (_, index) => index * runLength);
  return [
    // What stands at the end keeps its state when a block comes to stand behind it: it belongs to the block before.
    ...showInserts(gaps?.[0] ?? []),
    ...starts.map((from) => {
      const to = from + runLength;
      return (
        <BlockRun
          key={from}
          blocks={blocks.slice(from, to)}
          levels={levels.slice(from, to)}
          gaps={gaps && gaps.slice(from + 1, to + 1)}
          open={open && to >= blocks.length}
        />
      );
    }),
  ];
}

const BlockRun = memo(function BlockRun({ blocks, levels, gaps, open }: BlockRunProps) {
  return blocks.flatMap(({ start, node, frozen }, index) => [
    <BlockView
      key={`${start} ${node.type}`}
      node={node}
      frozen={frozen}
      level={levels[index]}
      open={open && index === blocks.length - 1}
    />,
    ...showInserts(gaps?.[index] ?? []),
  ]);
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
