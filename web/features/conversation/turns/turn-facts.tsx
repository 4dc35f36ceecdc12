import type { Message } from "#shared/entities/message.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { useModelName } from "#web/features/conversation/models/use-models.ts";
import { counted, shortMoment } from "#web/lib/format.ts";
import { formatDuration } from "#web/features/conversation/messages/turn-text.ts";
import { formatCost } from "#web/lib/dollars.ts";
import MemoryReceipt from "#web/features/conversation/receipts/memory-receipt.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import PassageReceipt from "#web/features/conversation/receipts/passage-receipt.tsx";
import { passagesOf } from "#web/features/conversation/receipts/passages-of.ts";
import ToolReceipt from "#web/features/conversation/receipts/tool-receipt.tsx";
import { useChat } from "#web/features/conversation/messages/use-chat.ts";

const integers = new Intl.NumberFormat("en");

/** How an answer ended where that is news. */
const ENDINGS: Record<string, string> = {
  length: "Ended at the model's limit",
  content_filter: "Ended by the provider's filter",
  tool_calls: "Ended by a tool call",
  error: "Ended by an error",
};

type Fact = { name: string; value: string; notes: readonly (string | null)[] };

/** What there is to say about an answer, in six rows at most. */
export function TurnFacts({ message }: { message: Message }) {
  const asked = useModelName(message.requested_model_id);
  const answered = useModelName(message.model_id);
  const chat = useChat(message.chat_id, true).data?.chat;
  const facts = factsOf(message, { asked, answered, chatCost: chat?.cost ?? null });
  const { isGuest } = useSession();
  const { passages, wholes } = passagesOf(message);
  return (
    <>
      <dl className="space-y-8 text-13">
        {facts.map(({ name, value, notes }) => (
          <div key={name} className="flex items-baseline gap-8">
            <dt className="w-52 shrink-0 text-ink3">{name}</dt>
            <dd className="min-w-0 flex-1 break-words text-ink tabular-nums">
              {value}
              {notes.map(
                (note) =>
                  note && (
                    <span key={note} className="block text-12 text-ink3">
                      {note}
                    </span>
                  ),
              )}
            </dd>
          </div>
        ))}
      </dl>
      {!isGuest && message.role === "assistant" && <MemoryReceipt message={message} />}
      {passages.length + wholes.length > 0 && <PassageReceipt citations={message.citations} knowledge={message.knowledge} />}
      {message.tool_calls.length > 0 && <ToolReceipt calls={message.tool_calls} />}
    </>
  );
}

type Known = { asked: string; answered: string; chatCost: number | null };

function factsOf(message: Message, { asked, answered, chatCost }: Known): Fact[] {
  const { usage, cost, finish_reason: reason, tool_calls: calls, model_id, requested_model_id, persona } = message;
  const model = model_id === null ? asked : answered;
  const isOther = requested_model_id !== null && model_id !== null && requested_model_id !== model_id;
  const at = shortMoment(message.created_at);
  const ending = reason === null || reason === "stop" ? null : (ENDINGS[reason] ?? reason);
  return [
    ...(model_id === null && requested_model_id === null
      ? []
      : [{ name: "Model", value: model, notes: [model_id === model ? null : model_id, isOther ? `Asked: ${asked}` : null] }]),
    ...(persona ? [{ name: "Persona", value: persona, notes: [] }] : []),
    ...(usage
      ? [
          {
            name: "Tokens",
            value: `${integers.format(usage.prompt_tokens)} in`,
            notes: [
              usage.cached_tokens ? `${integers.format(usage.cached_tokens)} of them from the cache` : null,
              `${integers.format(usage.completion_tokens)} out`,
              usage.reasoning_tokens > 0 ? `${integers.format(usage.reasoning_tokens)} of them reasoning` : null,
            ],
          },
        ]
      : []),
    ...(calls.length > 0 ? [{ name: "Tools", value: counted(calls.length, "call"), notes: [costOf(calls)] }] : []),
    ...(cost === null
      ? []
      : [{ name: "Cost", value: formatCost(cost), notes: [chatCost === null ? null : `${formatCost(chatCost)} in this chat`] }]),
    { name: "Time", value: usage ? formatDuration(usage.duration_ms) : at, notes: [usage ? at : null, ending] },
  ];
}

/** What of the answer's cost its tools are. */
function costOf(calls: readonly ToolCall[]): string | null {
  const cost = calls.reduce((sum, call) => sum + (call.cost ?? 0), 0);
  return cost === 0 ? null : `${formatCost(cost)} of the cost`;
}
