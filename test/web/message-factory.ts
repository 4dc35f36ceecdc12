import type { Message } from "#shared/entities/message.ts";

/** A UUID that tests can recognise: `id(7)`. */
export function id(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** A settled answer, with what the test cares about changed. */
export function answer(change: Partial<Message> = {}): Message {
  const own = change.id ?? id(2);
  return {
    id: own,
    chat_id: id(100),
    parent_id: id(1),
    role: "assistant",
    content: "An answer.",
    author: null,
    model_id: "maker/model",
    requested_model_id: "maker/model",
    status: "done",
    reasoning: null,
    reasoning_ms: null,
    tool_calls: [],
    attachments: [],
    citations: [],
    cost: null,
    usage: null,
    finish_reason: "stop",
    error: null,
    sibling_ids: [own],
    created_at: "2026-11-20T09:41:00.000Z",
    ...change,
  };
}

/** A person's message. */
export function question(change: Partial<Message> = {}): Message {
  return answer({ id: id(1), parent_id: null, role: "user", content: "A question?", model_id: null, requested_model_id: null, ...change });
}
