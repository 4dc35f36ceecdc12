import { keys, queryClient } from "#web/lib/query.ts";
import { createListeners } from "#web/lib/store.ts";

const { notify, subscribe } = createListeners<[chatId: string]>();

/** Forgets what was read of a chat that was deleted or is no longer this person's, wherever it is kept. */
export function forgetChat(chatId: string): void {
  queryClient.removeQueries({ queryKey: keys.messages(chatId) });
  queryClient.removeQueries({ queryKey: keys.chat(chatId) });
  notify(chatId);
}

/** Calls back with each chat that is gone; returns how to stop. */
export const onChatForgotten = subscribe;
