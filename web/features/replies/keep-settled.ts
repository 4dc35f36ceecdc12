import { afterWords } from "#web/lib/first-words.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { type MessagePages, pathOf, replaceMessage } from "#web/features/messages/message-pages.ts";
import { type ReplyState, isWhole, withReply } from "./reply-state.ts";

/** Keeps with its chat how a reply ended, as its stream told; what the stream doesn't know is read again. */
export function keepSettled(chatId: string, replyId: string, state: ReplyState): void {
  const queryKey = keys.messages(chatId);
  queryClient.setQueryData<MessagePages>(queryKey, (pages) => {
    const held = pathOf(pages).find((message) => message.id === replyId);
    return pages && held ? replaceMessage(pages, withReply(held, state)) : pages;
  });
  // What is on its way may have been read before the end, and would undo it.
  const isBeingRead = queryClient.getQueryState(queryKey)?.fetchStatus === "fetching";
  if (isBeingRead || !isWhole(state)) void queryClient.invalidateQueries({ queryKey });
  void afterWords().then(() => queryClient.invalidateQueries({ queryKey: keys.chat(chatId) }));
}
