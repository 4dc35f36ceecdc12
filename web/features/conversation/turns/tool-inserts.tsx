import { useMemo } from "react";
import type { Message } from "#shared/entities/message.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { isLive } from "#shared/is-live.ts";
import { isMemoryTool } from "#shared/memory-tools.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import type { Insert } from "#web/features/library/markdown/inserts.ts";
import type { ResearchStepsProps } from "#web/features/conversation/research/research-steps.tsx";
import { SYNTHESIS_TOOL } from "#web/features/conversation/synthesis/sub-answers.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

type ToolRowsProps = { chatId: string; calls: readonly ToolCall[]; isLive: boolean };

const ToolRows = lazyPart<ToolRowsProps>(
  async () => (await import("#web/features/conversation/turns/tool-rows.tsx")).ToolRows,
  RowsPlaceholder,
);

const ResearchSteps = lazyPart<ResearchStepsProps>(
  async () => (await import("#web/features/conversation/research/research-steps.tsx")).ResearchSteps,
  RowsPlaceholder,
);

/** The rows of a message's tool calls, for between the blocks of its text; a research shows its steps as one. */
export function useToolInserts(message: Message): readonly Insert[] {
  const { chat_id: chatId, tool_calls: calls, content, status, created_at: askedAt, working_since: startedAt = askedAt } = message;
  const isWriting = content !== "";
  const live = isLive(status);
  return useMemo(() => {
    const isResearch = calls.some(({ tool }) => tool === RESEARCH_TOOLS.plan);
    const rows = (own: readonly ToolCall[]) =>
      isResearch ? (
        <ResearchSteps calls={own} isLive={live} isWriting={isWriting} startedAt={startedAt} />
      ) : (
        <ToolRows chatId={chatId} calls={own} isLive={live} />
      );
    return groupCalls(calls.filter(hasRow)).map(({ at, calls: own }) => ({ at, key: String(at), node: rows(own) }));
  }, [chatId, calls, isWriting, live, startedAt]);
}

/** What became of memory stands below the answer; its calls have a row as long as they are not done. */
function hasRow({ tool, status }: ToolCall): boolean {
  return !isMemoryTool(tool) || status !== "done";
}

/** The calls of a message by their places in its text, in reading order. */
export function groupCalls(calls: readonly ToolCall[]): { at: number; calls: ToolCall[] }[] {
  const groups = new Map<number, ToolCall[]>();
  for (const call of calls) groups.set(call.at, [...(groups.get(call.at) ?? []), call]);
  return [...groups].map(([at, own]) => ({ at, calls: own })).toSorted((a, b) => a.at - b.at);
}

/** The room that rows take before their code is here. */
function RowsPlaceholder({ calls }: Pick<ToolRowsProps, "calls">) {
  return (
    <div data-tools aria-hidden>
      {calls.map(({ id, tool, parts }) =>
        // A synthesis has a row a model.
        tool === SYNTHESIS_TOOL && parts.length > 0 ? (
          parts.map((part) => <div key={part.id} className="h-39 border-b border-line touch:h-45" />)
        ) : (
          <div key={id} className="h-35 border-b border-line touch:h-45" />
        ),
      )}
    </div>
  );
}
