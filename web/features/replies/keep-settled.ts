import { afterWords } from "#web/lib/first-words.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { changeHeld } from "#web/features/messages/change-held.ts";
import { pathOf, replaceMessage } from "#web/features/messages/message-pages.ts";
import { type ReplyState, isWhole, withReply } from "./reply-state.ts";

/** Keeps with its chat how a reply ended, as its stream reported; what the stream doesn't know is read again. */
export function keepSettled(chatId: string, replyId: string, state: ReplyState): void {
  let isHeld = false;
  changeHeld(chatId, (pages) => {
    const held = pathOf(pages).find((message) => message.id === replyId);
    isHeld = held !== undefined;
    return pages && held ? replaceMessage(pages, withReply(held, state)) : pages;
  });
  if (!isHeld || !isWhole(state)) void queryClient.invalidateQueries({ queryKey: keys.messages(chatId) });
  void afterWords().then(() => queryClient.invalidateQueries({ queryKey: keys.chat(chatId) }));
}
