import type { Compaction } from "#shared/entities/compaction.ts";
import type { Citation, Message } from "#shared/entities/message.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import type { SettledEvent } from "#shared/reply-events.ts";
import type { ReplyPosition } from "#shared/reply-position.ts";

/** A reply as far as this reader has followed it. */
export type ReplyState = {
  /** The last event taken; what is at or before it in its generation is a repetition. */
  position: ReplyPosition | null;
  text: string;
  reasoning: string;
  reasoningMs: number | null;
  modelId: string | null;
  toolCalls: ToolCall[];
  /** Null until the stream reported any: the stored message knows more. */
  citations: Citation[] | null;
  /** What became of the messages before the question, as far as the stream reported. */
  compaction: Compaction | null;
  retry: { attempt: number; reason: string } | null;
  settled: SettledEvent | null;
  /** False until a first piece came: until then the stored message knows more. */
  hasContent: boolean;
};

export const EMPTY_REPLY: ReplyState = {
  position: null,
  text: "",
  reasoning: "",
  reasoningMs: null,
  modelId: null,
  toolCalls: [],
  citations: null,
  compaction: null,
  retry: null,
  settled: null,
  hasContent: false,
};

/** True when every piece of a settled reply arrived, by its length; else the message must be read again. */
export function isComplete(state: ReplyState): boolean {
  return state.settled !== null && state.settled.text === state.text.length;
}

/** The stored message with what the stream has sent since. */
export function withReply(stored: Message, state: ReplyState): Message {
  const message = state.compaction ? { ...stored, compaction: state.compaction } : stored;
  const modelId = state.modelId ?? message.model_id;
  if (state.settled !== null) return { ...message, ...ending(message, state, state.settled), model_id: state.settled.model_id ?? modelId };
  if (!state.hasContent) return { ...message, model_id: modelId };
  return {
    ...message,
    model_id: modelId,
    status: isWaiting(state.toolCalls) ? "waiting" : "streaming",
    content: state.text,
    reasoning: state.reasoning === "" ? null : state.reasoning,
    reasoning_ms: state.reasoningMs,
    tool_calls: state.toolCalls,
    citations: state.citations ?? message.citations,
  };
}

/** True while nothing continues without a person's decision. */
function isWaiting(calls: readonly ToolCall[]): boolean {
  return calls.some(({ status }) => status === "waiting") && !calls.some(({ status }) => status === "running");
}

function ending(message: Message, state: ReplyState, settled: SettledEvent): Partial<Message> {
  return {
    status: settled.status,
    content: isComplete(state) || state.text.length > message.content.length ? state.text : message.content,
    reasoning: state.reasoning === "" ? message.reasoning : state.reasoning,
    reasoning_ms: settled.reasoning_ms,
    tool_calls: state.hasContent ? state.toolCalls : message.tool_calls,
    citations: settled.citations,
    cost: settled.cost,
    usage: settled.usage,
    finish_reason: settled.finish_reason,
    error: settled.error,
  };
}
