import { useId, useMemo } from "react";
import { BlockRuns } from "./block-run.tsx";
import { Footnotes } from "./footnotes.tsx";
import { headingLevels } from "./heading-levels.ts";
import { type Insert, fillGaps } from "./inserts.ts";
import "./markdown.css";
import { ReferenceContext } from "./reference-context.ts";
import { useIncrementalMarkdown } from "#web/features/markdown/growing/use-incremental-markdown.ts";
import { useReferences } from "./use-references.ts";

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
