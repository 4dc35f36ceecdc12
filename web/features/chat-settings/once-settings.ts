import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import { createKeptStore } from "#web/lib/kept-store.ts";
import * as shape from "#web/lib/shape.ts";

const change = shape.record<ChatSettingsChange>({
  model_id: shape.optional(shape.nullable(shape.text)),
  persona_id: shape.optional(shape.nullable(shape.text)),
  tool_categories: shape.optional(shape.listOf(shape.text)),
  context_ids: shape.optional(shape.listOf(shape.text)),
  off_record: shape.optional(shape.flag),
});

/** What a chat's next message alone is sent with, as a prompt wants it, by the chat's id; it is kept as the draft is. */
export const onceSettings = createKeptStore<ChatSettingsChange | null>("once", shape.nullable(change), null);

/** Takes what was set for a chat's next message: it is spent with it. */
export function takeOnce(chatId: string | null): ChatSettingsChange | null {
  if (chatId === null) return null;
  const held = onceSettings.get(chatId);
  onceSettings.set(chatId, null);
  return held;
}
