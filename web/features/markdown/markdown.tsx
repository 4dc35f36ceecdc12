import { useId, useMemo, useState } from "react";
import type { References } from "#shared/markdown/references.ts";
import { BlockView } from "./block-view.tsx";
import { Footnotes } from "./footnotes.tsx";
import { headingLevels } from "./heading-levels.ts";
import "./markdown.css";
import { ReferenceContext, updateReferences } from "./reference-context.ts";
import { useIncrementalMarkdown } from "./use-incremental-markdown.ts";

interface MarkdownProps {
  text: string;
  /** True while the text is still growing. */
  streaming?: boolean;
}

/** Renders markdown; of a growing text only the last block is parsed and rendered again. */
export function Markdown({ text, streaming = false }: MarkdownProps) {
  const { blocks, settled } = useIncrementalMarkdown(text, streaming);
  const idPrefix = useId();
  const [former, setReferences] = useState<References>();
  const references = updateReferences(former, blocks.slice(0, settled));
  if (references !== former) setReferences(references);
  const context = useMemo(() => ({ ...references, idPrefix }), [references, idPrefix]);
  const levels = headingLevels(blocks);
  return (
    <ReferenceContext value={context}>
      <div className="markdown markdown-flow text-15 text-ink">
        {blocks.map(({ start, node, frozen }, index) => (
          <BlockView
            key={`${start} ${node.type}`}
            node={node}
            frozen={frozen}
            level={levels.get(index)}
            open={streaming && index === blocks.length - 1}
          />
        ))}
        {!streaming && <Footnotes />}
      </div>
    </ReferenceContext>
  );
}
