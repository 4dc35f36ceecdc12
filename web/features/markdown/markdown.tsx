import { useId, useMemo, useState } from "react";
import { BlockRuns } from "./block-run.tsx";
import { Footnotes } from "./footnotes.tsx";
import { headingLevels } from "./heading-levels.ts";
import { fillGaps, type Insert } from "./inserts.ts";
import { ReferenceContext, noReferences, updateReferences } from "./reference-context.ts";
import { useIncrementalMarkdown } from "#web/features/markdown/growing/use-incremental-markdown.ts";
import type { Block } from "#shared/markdown/block.ts";
import type { References } from "#shared/markdown/references.ts";
import "./markdown.css";

interface Held {
  readonly settled: number;
  readonly last: Block | undefined;
  readonly streaming: boolean;
  readonly references: References;
}

const nothingHeld: Held = { settled: 0, last: undefined, streaming: true, references: noReferences };

/** What the settled blocks of a text point to, gone through only when a block has settled. */
function useReferences(blocks: readonly Block[], { settled, streaming }: { settled: number; streaming: boolean }): References {
  const [held, setHeld] = useState(nothingHeld);
  const last = blocks[settled - 1];
  if (held.settled === settled && held.last === last && held.streaming === streaming) return held.references;
  const references = updateReferences(held.references, blocks.slice(0, settled));
  setHeld({ settled, last, streaming, references });
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
