import { useMemo } from "react";
import type { Message } from "#shared/entities/message.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import type { Insert } from "#web/features/markdown/inserts.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

type ToolRowsProps = { chatId: string; calls: readonly ToolCall[] };

const ToolRows = lazyPart<ToolRowsProps>(async () => (await import("#web/features/tools/tool-rows.tsx")).ToolRows, RowsPlaceholder);

/** The rows of a message's tool calls, for between the blocks of its text. */
export function useToolInserts({ chat_id: chatId, tool_calls: calls }: Message): readonly Insert[] {
  return useMemo(
    () => groupCalls(calls).map(({ at, calls: own }) => ({ at, key: String(at), node: <ToolRows chatId={chatId} calls={own} /> })),
    [chatId, calls],
  );
}

/** The calls of a message by their places in its text, in reading order. */
export function groupCalls(calls: readonly ToolCall[]): { at: number; calls: ToolCall[] }[] {
  const groups = new Map<number, ToolCall[]>();
  for (const call of calls) groups.set(call.at, [...(groups.get(call.at) ?? []), call]);
  return [...groups].map(([at, own]) => ({ at, calls: own })).toSorted((a, b) => a.at - b.at);
}

/** The room that rows take before their code is here. */
function RowsPlaceholder({ calls }: ToolRowsProps) {
  return (
    <div data-tools aria-hidden>
      {calls.map(({ id }) => (
        <div key={id} className="h-35 border-b border-line touch:h-45" />
      ))}
    </div>
  );
}
