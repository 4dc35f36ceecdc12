import { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import { createPersistentStore } from "#web/lib/persistent-store.ts";
import * as z from "zod/mini";

/** What a chat's next message alone is sent with, as a prompt wants it, by the chat's id; it is kept as the draft is. */
export const onceSettings = createPersistentStore<ChatSettingsChange | null>("once", z.nullable(ChatSettingsChange), null);

/** Takes what was set for a chat's next message: it is spent with it. */
export function consumeOnceSettings(chatId: string | null): ChatSettingsChange | null {
  if (chatId === null) return null;
  const settings = onceSettings.get(chatId);
  onceSettings.set(chatId, null);
  return settings;
}
