import { ChevronRight } from "lucide-react";
import { memo, useId, useState } from "react";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import type { RunCardProps } from "#web/features/conversation/runs/run-card.tsx";
import { cx } from "#web/ui/cx.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { ToolDetails } from "./tool-details.tsx";
import { ToolIcon } from "./tool-icon.tsx";
import { ToolImages } from "./tool-images.tsx";
import { toolLineOf } from "./tool-line.ts";
import { ToolParts } from "./tool-parts.tsx";

const ArtifactCall = lazyPart(async () => (await import("#web/features/library/artifact-history/artifact-call.tsx")).ArtifactCall);

const RunCard = lazyPart<RunCardProps>(async () => (await import("#web/features/conversation/runs/run-card.tsx")).RunCard);

/** Tools whose work goes on outside after they have answered. */
const RUN_TOOLS = new Set(["codegenCreateAgentRun", "blandCall"]);

/** Tools that make or change an artifact. */
const WRITING = new Set(["createArtifact", "copyArtifact", "editArtifact"]);

type ToolRowProps = { chatId: string; call: ToolCall; readerId: string | undefined };

/** One tool call: what it does or did in plain words, and on a press what it was given and gave. Its images and legs stand below. */
export const ToolRow = memo(function ToolRow({ chatId, call, readerId }: ToolRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  const { state, verb, about, stats } = toolLineOf(call, readerId);
  return (
    <div data-call={call.id} className="border-b border-line">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen(!isOpen)}
        className="group/row flex min-h-34 w-full items-center gap-10 rounded-8 text-left transition-colors duration-120 touch:min-h-44"
      >
        <ToolIcon tool={call.tool} className="size-16 text-ink2" />
        <span className={cx("min-w-0 truncate font-medium", state === "done" || state === "busy" ? "text-ink" : "text-ink2")}>
          {verb}
        </span>{" "}
        <span className="min-w-0 flex-1 basis-0 truncate text-ink2">{about}</span>{" "}
        <Figures figures={stats} isFailed={state === "failed"} isWaiting={call.status === "waiting"} />
        {call.status === "running" && <span aria-hidden className="thinking-dot mr-4 shrink-0 text-ink3" />}
        <ChevronRight
          aria-hidden
          className={cx("size-16 text-ink3 transition-transform duration-120 group-hover/row:text-ink", isOpen && "rotate-90")}
        />
      </button>
      <div id={panelId} hidden={!isOpen}>
        {isOpen && <ToolDetails call={call} />}
      </div>
      {call.status === "done" && WRITING.has(call.tool) && <ArtifactCall call={call} />}
      {call.status === "done" && RUN_TOOLS.has(call.tool) && <RunCard chatId={chatId} callId={call.id} />}
      <ToolImages images={call.images} />
      <ToolParts parts={call.parts} />
    </div>
  );
});

function Figures({ figures, isFailed, isWaiting }: { figures: string[]; isFailed: boolean; isWaiting: boolean }) {
  if (figures.length === 0) return null;
  return (
    <span className="flex max-w-1/2 min-w-0 shrink-0 items-center gap-6 text-ink3 tabular-nums">
      {isWaiting && <span aria-hidden className="size-7 shrink-0 rounded-full bg-signal" />}
      {figures.map((figure, index) => (
        <span key={figure} className={cx("truncate", index === 0 && isFailed && "text-danger", isWaiting && "text-signal-ink")}>
          {index > 0 && <span aria-hidden>{"·\u2002"}</span>}
          {figure}
        </span>
      ))}
    </span>
  );
}
