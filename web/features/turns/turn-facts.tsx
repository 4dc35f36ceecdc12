import type { Message } from "#shared/entities/message.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { useModelName } from "#web/features/models/use-models.ts";
import { fullTime } from "#web/lib/format.ts";
import { formatCost, formatDuration } from "#web/features/messages/turn-text.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useChat } from "#web/features/messages/use-chat.ts";

const MemoryReceipt = lazyPart<{ ids: readonly string[] }>(async () => (await import("#web/features/memory/memory-receipt.tsx")).default);

const whole = new Intl.NumberFormat("en");

/** What finish reasons mean, in plain words. */
const FINISH_REASONS: Record<string, string> = {
  stop: "Finished",
  length: "The model's limit",
  content_filter: "The provider's content filter",
  tool_calls: "A tool call",
  error: "An error",
};

/** `3 calls, $0.0123 of the cost`. */
function toolFacts(calls: readonly ToolCall[]): string {
  const count = calls.length === 1 ? "1 call" : `${whole.format(calls.length)} calls`;
  const cost = calls.reduce((sum, call) => sum + (call.cost ?? 0), 0);
  return cost === 0 ? count : `${count}, ${formatCost(cost)} of the cost`;
}

/** What there is to say about an answer, row by row. */
export function TurnFacts({ message }: { message: Message }) {
  const asked = useModelName(message.requested_model_id);
  const answered = useModelName(message.model_id);
  const chat = useChat(message.chat_id, true).data?.chat;
  const { usage, cost, finish_reason: reason, tool_calls: calls } = message;
  const rows: [string, string | null][] = [
    ["Asked", message.requested_model_id === null ? null : asked],
    ["Answered", message.model_id === null ? null : answered],
    ["Id", message.model_id],
    ["Persona", message.persona ?? null],
    ["Input", usage && `${whole.format(usage.prompt_tokens)} tokens`],
    ["Output", usage && `${whole.format(usage.completion_tokens)} tokens`],
    ["Reasoning", usage && usage.reasoning_tokens > 0 ? `${whole.format(usage.reasoning_tokens)} tokens` : null],
    ["Tools", calls.length === 0 ? null : toolFacts(calls)],
    ["Cost", cost === null ? null : formatCost(cost)],
    ["Whole chat", chat ? formatCost(chat.cost) : null],
    ["Time", usage && formatDuration(usage.duration_ms)],
    ["Ended by", reason && (FINISH_REASONS[reason] ?? reason)],
    ["At", fullTime(message.created_at)],
  ];
  return (
    <>
      <dl className="grid grid-cols-[auto_1fr] gap-x-16 gap-y-6 text-13">
        {rows.map(
          ([name, value]) =>
            value && (
              <div key={name} className="contents">
                <dt className="text-ink3">{name}</dt>
                <dd className="min-w-0 text-right text-balance break-words text-ink tabular-nums">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {message.memory_ids && <MemoryReceipt ids={message.memory_ids} />}
    </>
  );
}
