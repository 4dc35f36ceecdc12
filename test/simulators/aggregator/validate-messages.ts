import type { WireModel } from "./models/build-model.ts";
import { findTamperedReasoning } from "./reasoning.ts";
import { attachmentsOf, textOf, type ChatRequest, type Message } from "./request.ts";
import { contextTooLong, invalidRequest, type ErrorAnswer } from "./status-faults.ts";
import { estimateTokens } from "./tokens.ts";

/** The tokens that a picture or file is taken for. */
const TOKENS_PER_ATTACHMENT = 800;

/** The prompt's size in tokens: texts, tool definitions, attachments. */
export function promptTokensOf(request: ChatRequest): number {
  const texts = request.messages.map((message) => textOf(message) + JSON.stringify(message.tool_calls ?? "")).join("\n");
  const attachments = request.messages.flatMap(attachmentsOf).length;
  return estimateTokens(texts) + estimateTokens(JSON.stringify(request.tools ?? "")) + attachments * TOKENS_PER_ATTACHMENT;
}

/** Why providers would refuse this conversation, or null. */
export function refuseMessages(request: ChatRequest, model: WireModel): ErrorAnswer | null {
  const problem =
    unansweredCall(request.messages) ?? emptyContent(request.messages, model.id) ?? findTamperedReasoning(model.id, request.messages);
  if (problem !== null) return invalidRequest(problem);
  const tokens = promptTokensOf(request);
  return model.context_length !== null && tokens > model.context_length ? contextTooLong(model.context_length, tokens) : null;
}

function unansweredCall(messages: readonly Message[]): string | null {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id ?? "")) return `messages.${index}: a tool result without its tool call`;
      continue;
    }
    if (open.size > 0) return `messages.${index}: tool calls without results: ${[...open].join(", ")}`;
    open = new Set(message.tool_calls?.map((call) => call.id));
  }
  return open.size > 0 ? `tool calls without results: ${[...open].join(", ")}` : null;
}

function emptyContent(messages: readonly Message[], modelId: string): string | null {
  if (!modelId.startsWith("anthropic/")) return null;
  const index = messages.findIndex(
    (message) =>
      (message.role === "user" || message.role === "assistant") &&
      textOf(message).trim() === "" &&
      attachmentsOf(message).length === 0 &&
      !message.tool_calls?.length,
  );
  return index === -1 ? null : `messages.${index}: all messages must have non-empty content`;
}
