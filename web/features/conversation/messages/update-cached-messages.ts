import { keys, queryClient } from "#web/lib/query.ts";
import type { MessagePages } from "./message-pages.ts";

/** Changes what is held of a chat's path. What is on its way may have been read before that, and would undo it: it is asked for anew. */
export function updateCachedMessages(chatId: string, change: (pages: MessagePages | undefined) => MessagePages | undefined): void {
  const queryKey = keys.messages(chatId);
  queryClient.setQueryData<MessagePages>(queryKey, change);
  if (queryClient.isFetching({ queryKey }) > 0) void queryClient.invalidateQueries({ queryKey, refetchType: "all" });
}
