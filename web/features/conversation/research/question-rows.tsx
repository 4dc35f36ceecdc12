import { Check, ChevronRight, CircleAlert, CircleSlash } from "lucide-react";
import { memo, useId, useState } from "react";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { formatCost } from "#web/lib/dollars.ts";
import { ToolParts } from "#web/features/conversation/tools/tool-parts.tsx";
import { cx } from "#web/ui/cx.ts";
import type { QuestionRow } from "./research-state.ts";

type QuestionRowsProps = { label: "Plan" | "Gaps"; rows: readonly QuestionRow[] };

/** The sub-questions of a plan, or those added to it, each with its state and behind a press its steps. */
export function QuestionRows({ label, rows }: QuestionRowsProps) {
  if (rows.length === 0) return null;
  return (
    <>
      {label === "Gaps" && <p className="pt-12 pb-2 text-12 font-medium text-ink3 desk:pl-26">Added to fill gaps</p>}
      <ol aria-label={label} className="pb-4 desk:pl-26">
        {rows.map((row) => (
          <Question key={row.call.id} row={row} />
        ))}
      </ol>
    </>
  );
}

const Question = memo(
  function Question({ row: { call, question, note, found } }: { row: QuestionRow }) {
    const [isOpen, setIsOpen] = useState(false);
    const panelId = useId();
    const isRunning = call.status === "running";
    return (
      <li className="border-b border-line last:border-b-0">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setIsOpen(!isOpen)}
          className="group/part flex min-h-34 w-full items-start gap-10 rounded-8 py-7 text-left touch:min-h-44 touch:py-12"
        >
          <State status={call.status} />
          <span className="min-w-0 flex-1">
            <span className={cx("block leading-20", call.status === "stopped" ? "text-ink2" : "text-ink")}>{question}</span>
            {isRunning && found.length > 0 && <span className="block truncate text-12 leading-18 text-ink3">{found.join(", ")}</span>}
          </span>{" "}
          <span className={cx("shrink-0 leading-20 tabular-nums", call.status === "failed" ? "text-danger" : "text-ink3")}>{note}</span>
          {call.cost !== null && call.cost > 0 && (
            <span className="-ml-4 shrink-0 leading-20 text-ink3 tabular-nums max-[520px]:hidden">
              <span aria-hidden>{"·\u2002"}</span>
              {formatCost(call.cost)}
            </span>
          )}
          <ChevronRight
            aria-hidden
            className={cx(
              "mt-2 size-16 shrink-0 text-ink3 transition-transform duration-120 group-hover/part:text-ink",
              isOpen && "rotate-90",
            )}
          />
        </button>
        <div id={panelId} hidden={!isOpen}>
          {isOpen && (
            <>
              {call.status === "failed" && call.output !== null && <p className="pb-8 pl-26 text-ink2">{call.output}</p>}
              <div className="pl-26 desk:pl-0">
                <ToolParts parts={call.parts} />
              </div>
            </>
          )}
        </div>
      </li>
    );
  },
  (before, after) => before.row.call === after.row.call,
);

function State({ status }: { status: ToolCall["status"] }) {
  const place = "mt-2 flex size-16 shrink-0 items-center justify-center";
  if (status === "running") {
    return (
      <span className={place}>
        <span aria-hidden className="thinking-dot text-ink3" />
      </span>
    );
  }
  if (status === "done") {
    return (
      <>
        <Check aria-hidden className={cx(place, "text-accent")} />
        <span className="sr-only">Done: </span>
      </>
    );
  }
  if (status === "failed") return <CircleAlert aria-hidden className={cx(place, "text-danger")} />;
  return <CircleSlash aria-hidden className={cx(place, "text-ink3")} />;
}
