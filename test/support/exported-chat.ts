import { EXPORT_FORMAT, EXPORT_VERSION, type ExportedChat, type ExportedMessage } from "#shared/sharing/exported-chat.ts";

const AT = "2026-11-20T09:41:00.000Z";

type Given = Partial<ExportedMessage> & Pick<ExportedMessage, "id" | "parent_id" | "role">;

/** A message as an exported chat has it. */
export function exportedMessage(message: Given): ExportedMessage {
  const isUser = message.role === "user";
  return {
    content: "Text",
    author: isUser ? "Ada" : null,
    model_id: isUser ? null : "openai/gpt-5-mini",
    requested_model_id: isUser ? null : "openai/gpt-5-mini",
    autopilot: null,
    persona: null,
    status: "done",
    reasoning: null,
    reasoning_ms: null,
    tool_rounds: [],
    attachments: [],
    citations: [],
    cost: null,
    usage: null,
    finish_reason: isUser ? null : "stop",
    error: null,
    created_at: AT,
    ...message,
  };
}

/** A whole exported chat of these messages, looked at where the last one stands. */
export function exportedChat(messages: readonly Given[], own: Partial<ExportedChat> = {}): ExportedChat {
  return {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    exported_at: AT,
    title: "Lanterns",
    model_id: "openai/gpt-5-mini",
    tool_categories: [],
    created_at: AT,
    forked_from: null,
    head_id: messages.at(-1)?.id ?? null,
    messages: messages.map(exportedMessage),
    compactions: [],
    ...own,
  };
}

/** A chat of this many messages, each answering the one before it. */
export function longExport(count: number): ExportedChat {
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  return exportedChat(
    ids.map((id, index) => ({
      id,
      parent_id: ids[index - 1] ?? null,
      role: index % 2 === 0 ? "user" : "assistant",
      content: `Message ${index + 1}: ${"words of it ".repeat(20)}`,
    })),
  );
}
