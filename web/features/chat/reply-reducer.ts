import type { Compaction } from "#shared/entities/compaction.ts";
import type { Citation, Message } from "#shared/entities/message.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import type { ReplyEvent, ReplyPosition, SettledEvent } from "#shared/reply-events.ts";
import { applyToolEvent } from "#shared/tool-call-events.ts";

/** A reply as far as this reader has followed it. */
export type ReplyState = {
  /** The last event taken; what is at or before it in its generation is a repetition. */
  position: ReplyPosition | null;
  text: string;
  reasoning: string;
  reasoningMs: number | null;
  modelId: string | null;
  toolCalls: ToolCall[];
  /** Null until the stream told of any: the stored message knows more. */
  citations: Citation[] | null;
  /** What became of the messages before the question, as far as the stream told. */
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

/** One step of a reply: takes each event once, in order, and drops repetitions after a resumed connection. */
export function reduceReply(state: ReplyState, event: ReplyEvent, position: ReplyPosition | null): ReplyState {
  if (state.settled !== null || isRepetition(state.position, position)) return state;
  const next = applyEvent(state, event);
  return position === null ? next : { ...next, position };
}

function isRepetition(held: ReplyPosition | null, incoming: ReplyPosition | null): boolean {
  if (held === null || incoming === null) return false;
  if (incoming.generation !== held.generation) return incoming.generation < held.generation;
  return incoming.seq <= held.seq;
}

function applyEvent(state: ReplyState, event: ReplyEvent): ReplyState {
  switch (event.type) {
    case "text":
      return { ...state, text: state.text + event.text, retry: null, hasContent: true };
    case "reasoning":
      return { ...state, reasoning: state.reasoning + event.text, reasoningMs: event.ms, retry: null, hasContent: true };
    case "replace":
      return { ...state, text: state.text.slice(0, event.text), reasoning: state.reasoning.slice(0, event.reasoning) };
    case "tool":
      return { ...state, toolCalls: applyToolEvent(state.toolCalls, event), retry: null, hasContent: true };
    case "tool_part":
      return { ...state, toolCalls: applyToolEvent(state.toolCalls, event) };
    case "citations":
      return { ...state, citations: event.citations };
    case "compaction":
      return { ...state, compaction: event.compaction };
    case "model":
      return { ...state, modelId: event.model_id };
    case "retry":
      return { ...state, retry: { attempt: event.attempt, reason: event.reason } };
    case "settled":
      return { ...state, settled: event, retry: null };
  }
}

/** True when every piece of a settled reply arrived, by its length; else the message must be read again. */
export function isWhole(state: ReplyState): boolean {
  return state.settled !== null && state.settled.text === state.text.length;
}

/** The stored message with what the stream has told since. */
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

/** True while nothing goes on but for a person's word. */
function isWaiting(calls: readonly ToolCall[]): boolean {
  return calls.some(({ status }) => status === "waiting") && !calls.some(({ status }) => status === "running");
}

function ending(message: Message, state: ReplyState, settled: SettledEvent): Partial<Message> {
  return {
    status: settled.status,
    content: isWhole(state) || state.text.length > message.content.length ? state.text : message.content,
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
