import type { ToolCall, ToolPart } from "#shared/entities/tool-call.ts";
import type { ToolEvent, ToolPartEvent } from "#shared/reply-events.ts";

/** A reply's tool calls after one more event; a part of a call that isn't known changes nothing. */
export function applyToolEvent(calls: readonly ToolCall[], event: ToolEvent | ToolPartEvent): ToolCall[] {
  if (event.type === "tool") {
    const isKnown = calls.some(({ id }) => id === event.call.id);
    return isKnown ? calls.map((call) => (call.id === event.call.id ? event.call : call)) : [...calls, event.call];
  }
  return calls.map((call) => (call.id === event.call_id ? { ...call, parts: applyPart(call.parts, event) } : call));
}

function applyPart(parts: readonly ToolPart[], { part, text }: ToolPartEvent): ToolPart[] {
  const known = parts.find(({ id }) => id === part.id);
  if (!known) return [...parts, { ...part, text }];
  return parts.map((held) => (held === known ? { ...part, text: known.text + text } : held));
}
