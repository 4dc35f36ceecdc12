import { keys, queryClient } from "#web/lib/query.ts";

const listeners = new Set<(chatId: string) => void>();

/** Forgets what was read of a chat that was deleted or is no longer this person's, wherever it is kept. */
export function forgetChat(chatId: string): void {
  queryClient.removeQueries({ queryKey: keys.messages(chatId) });
  queryClient.removeQueries({ queryKey: keys.chat(chatId) });
  for (const listener of listeners) listener(chatId);
}

/** Calls back with each chat that is gone; returns how to stop. */
export function onChatGone(listener: (chatId: string) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
