import { ChevronRight } from "lucide-react";
import { memo, useId, useState } from "react";
import type { ToolPart } from "#shared/entities/tool-call.ts";
import { AS_LINK, ImageContext } from "#web/features/library/markdown/contexts.ts";
import { Markdown } from "#web/features/library/markdown/markdown.tsx";
import { formatDuration } from "#web/features/conversation/messages/turn-text.ts";
import { formatCost } from "#web/lib/dollars.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { tailOf } from "#web/features/conversation/tools/tool-line.ts";
import { cx } from "#web/ui/cx.ts";
import { firstSentenceOf } from "./sub-answers.ts";

/** The models that were asked, each with the gist of its answer, its time and its cost; a press shows all of it. */
export function SubAnswerRows({ parts }: { parts: readonly ToolPart[] }) {
  return (
    <ul aria-label="Steps">
      {parts.map((part) => (
        <SubAnswerRow key={part.id} part={part} />
      ))}
    </ul>
  );
}

const SubAnswerRow = memo(function SubAnswerRow({ part }: { part: ToolPart }) {
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  const { title, text, status, cost, model_id: modelId, duration_ms: took } = part;
  const isRunning = status === "running";
  const isFree = cost === null || cost === 0;
  return (
    <li className="border-b border-line">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen(!isOpen)}
        className="group/part flex min-h-38 w-full items-center gap-8 rounded-8 text-left touch:min-h-44"
      >
        {modelId !== null && <ModelTile id={modelId} name={title} />}
        <span className="max-w-1/2 shrink-0 truncate font-medium text-ink">{title}</span>{" "}
        {isRunning && !isOpen ? (
          <span aria-hidden className="flex min-w-0 flex-1 justify-end overflow-hidden text-ink3">
            <span className="min-w-full shrink-0 whitespace-nowrap">{tailOf(text)}</span>
          </span>
        ) : (
          <span dir="auto" className={cx("min-w-0 flex-1 truncate", status === "failed" ? "text-danger" : "text-ink2")}>
            {isRunning ? "" : firstSentenceOf(part)}
          </span>
        )}{" "}
        {isRunning && (
          <>
            <span aria-hidden className="thinking-dot mr-4 shrink-0 text-ink3" />
            <span className="sr-only">Running</span>
          </>
        )}
        {took !== undefined && status === "done" && (
          <span className="w-52 shrink-0 text-right text-12 text-ink2 tabular-nums max-[520px]:hidden">{formatDuration(took)} </span>
        )}
        {!isRunning && (
          <span className="w-72 shrink-0 text-right text-12 text-ink2 tabular-nums">
            {isFree ? status === "failed" && "not charged" : formatCost(cost)}
          </span>
        )}
        <ChevronRight
          aria-hidden
          className={cx("size-16 shrink-0 text-ink3 transition-transform duration-120 group-hover/part:text-ink", isOpen && "rotate-90")}
        />
      </button>
      <div id={panelId} hidden={!isOpen}>
        {isOpen && (
          <div className="pt-2 pb-12 pl-26">
            {text === "" ? (
              <p className="text-ink3">Nothing yet</p>
            ) : (
              // Its text is no message's: what stands in it is a link.
              <ImageContext value={AS_LINK}>
                <Markdown text={text} streaming={isRunning} />
              </ImageContext>
            )}
          </div>
        )}
      </div>
    </li>
  );
});
