import type { Chat } from "#shared/entities/chat.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import type { ChatPages } from "./chat-pages.ts";

function heldPages(): ChatPages | undefined {
  return queryClient.getQueryData<ChatPages>(keys.chats("all"));
}

/** Where the live events stood when the held list was read; undefined while there is none. */
export function heldCursor(): string | undefined {
  return heldPages()?.pages[0]?.liveCursor;
}

/** A chat's row as the held list has it. */
export function heldChat(chatId: string): Chat | undefined {
  return heldPages()
    ?.pages.flatMap(({ chats }) => chats)
    .find(({ id }) => id === chatId);
}
