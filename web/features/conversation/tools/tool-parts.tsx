import { ChevronRight, Globe } from "lucide-react";
import { memo, useId, useState } from "react";
import type { ToolPart } from "#shared/entities/tool-call.ts";
import { formatCost } from "#web/lib/dollars.ts";
import { AS_LINK, ImageContext } from "#web/features/library/markdown/contexts.ts";
import { Markdown } from "#web/features/library/markdown/markdown.tsx";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { useModelName } from "#web/features/conversation/models/use-models.ts";
import { cx } from "#web/ui/cx.ts";
import { tailOf } from "./tool-line.ts";

/** The legs or steps of a call, each with its model and cost; a running one shows what it writes, an open one all of it. */
export function ToolParts({ parts }: { parts: readonly ToolPart[] }) {
  if (parts.length === 0) return null;
  return (
    <ul aria-label="Steps" className="pb-8 desk:pl-26">
      {parts.map((part) => (
        <PartRow key={part.id} part={part} />
      ))}
    </ul>
  );
}

const PartRow = memo(function PartRow({ part }: { part: ToolPart }) {
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  const model = useModelName(part.model_id);
  const isRunning = part.status === "running";
  const isSame = part.title === model || part.title === "";
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen(!isOpen)}
        className="group/part flex min-h-34 w-full items-center gap-8 rounded-8 text-left touch:min-h-44"
      >
        {part.model_id === null ? (
          // What no model did was done on the web.
          <Globe aria-hidden className="mx-1 size-16 shrink-0 text-ink2" />
        ) : (
          <ModelTile id={part.model_id} name={model} />
        )}
        <span className="max-w-1/2 shrink-0 truncate text-ink">{isSame ? model : part.title}</span>{" "}
        {isRunning && !isOpen ? (
          <span aria-hidden className="flex min-w-0 flex-1 justify-end overflow-hidden text-ink3">
            <span className="min-w-full shrink-0 whitespace-nowrap">{tailOf(part.text)}</span>
          </span>
        ) : (
          <span className="min-w-0 flex-1 truncate text-ink3">{!isSame && part.model_id !== null && model}</span>
        )}{" "}
        {part.status === "failed" && <span className="text-danger">Failed</span>}
        {isRunning && (
          <>
            <span aria-hidden className="thinking-dot mr-4 shrink-0 text-ink3" />
            <span className="sr-only">Running</span>
          </>
        )}
        {part.cost !== null && part.cost > 0 && <span className="shrink-0 text-ink3 tabular-nums">{formatCost(part.cost)}</span>}
        <ChevronRight
          aria-hidden
          className={cx("size-16 text-ink3 transition-transform duration-120 group-hover/part:text-ink", isOpen && "rotate-90")}
        />
      </button>
      <div id={panelId} hidden={!isOpen}>
        {isOpen && (
          <div className="pt-2 pb-12 pl-26">
            {part.text === "" ? (
              <p className="text-ink3">Nothing yet</p>
            ) : (
              // Its text is no message's: what stands in it is a link.
              <ImageContext value={AS_LINK}>
                <Markdown text={part.text} streaming={isRunning} />
              </ImageContext>
            )}
          </div>
        )}
      </div>
    </li>
  );
});
