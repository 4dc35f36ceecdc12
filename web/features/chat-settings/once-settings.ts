import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import { createKeyedStore } from "#web/lib/keyed-store.ts";

/** What a chat's next message alone is sent with, as a prompt wants it, by the chat's id. */
export const onceSettings = createKeyedStore<ChatSettingsChange | null>(null);

/** Takes what was set for a chat's next message: it is spent with it. */
export function takeOnce(chatId: string | null): ChatSettingsChange | null {
  if (chatId === null) return null;
  const held = onceSettings.get(chatId);
  onceSettings.set(chatId, null);
  return held;
}
