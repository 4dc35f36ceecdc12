import { ChevronRight, Telescope } from "lucide-react";
import { useId, useState, useEffect } from "react";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { formatDuration } from "#web/features/conversation/messages/turn-text.ts";
import { formatCost } from "#web/lib/dollars.ts";
import { counted } from "#web/lib/format.ts";
import { cx } from "#web/ui/cx.ts";
import { QuestionRows } from "./question-rows.tsx";
import { researchState, stepsMs } from "./research-state.ts";

export type ResearchStepsProps = {
  calls: readonly ToolCall[];
  /** True until the answer has settled. */
  isLive: boolean;
  /** True once the report has begun. */
  isWriting: boolean;
  /** When it was asked for. */
  startedAt: string;
};

/** A research's plan and how far each of its questions is; folds as the report begins. */
export function ResearchSteps({ calls, isLive, isWriting, startedAt }: ResearchStepsProps) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const panelId = useId();
  const { headline, progress, planned, added, sources, cost, isRunning } = researchState(calls, isLive);
  const isOpen = chosen ?? (isLive && !isWriting);
  return (
    <div data-tools data-research className="text-13">
      <div className="border-b border-line">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setChosen(!isOpen)}
          className="group/row flex min-h-34 w-full items-center gap-10 rounded-8 text-left transition-colors duration-120 touch:min-h-44"
        >
          <Telescope aria-hidden className="size-16 shrink-0 text-ink2" />
          <span className="min-w-0 truncate font-medium text-ink">{headline}</span>{" "}
          <span className="min-w-0 flex-1 basis-0 truncate text-ink2 tabular-nums">{progress}</span>{" "}
          <span className="flex shrink-0 items-center gap-6 text-ink3 tabular-nums">
            {sources > 0 && <span className="max-[520px]:hidden">{counted(sources, "source")}</span>}
            {sources > 0 && (
              <span aria-hidden className="max-[520px]:hidden">
                {"·"}
              </span>
            )}
            {isRunning ? <Elapsed since={startedAt} /> : <span>{formatDuration(stepsMs(calls))}</span>}
            {cost > 0 && (
              <span className={cx(isRunning && "max-[520px]:hidden")}>
                <span aria-hidden>{"·\u2002"}</span>
                {formatCost(cost)}
              </span>
            )}
          </span>
          {isRunning && <span aria-hidden className="thinking-dot mr-4 shrink-0 text-ink3" />}
          <ChevronRight
            aria-hidden
            className={cx("size-16 shrink-0 text-ink3 transition-transform duration-120 group-hover/row:text-ink", isOpen && "rotate-90")}
          />
        </button>
      </div>
      <div id={panelId} hidden={!isOpen}>
        {isOpen && (
          <>
            <QuestionRows label="Plan" rows={planned} />
            {added.length > 0 && <QuestionRows label="Gaps" rows={added} />}
          </>
        )}
      </div>
    </div>
  );
}

/** The time since something began, by the second. */
function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span role="timer">{elapsedText(now - Date.parse(since))}</span>;
}

/** Milliseconds in whole seconds: `8 s`, `2 min 5 s`. */
function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
