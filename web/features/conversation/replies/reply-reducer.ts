import type { ReplyEvent } from "#shared/reply-events.ts";
import type { ReplyPosition } from "#shared/reply-position.ts";
import { applyToolEvent } from "#shared/tools/tool-call-events.ts";
import type { ReplyState } from "./reply-state.ts";

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
