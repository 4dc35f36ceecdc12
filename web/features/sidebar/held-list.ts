import type { Chat } from "#shared/entities/chat.ts";
import { seenCursor } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import type { ChatPages } from "./chat-pages.ts";

function heldPages(): ChatPages | undefined {
  return queryClient.getQueryData<ChatPages>(keys.chats("all"));
}

/** Where the live events stood when the held list was read; undefined while there is none. */
export function heldCursor(): string | undefined {
  return heldPages()?.pages[0]?.liveCursor;
}

/** True when the hub had news, at `cursor`, that neither the held list nor an event told this tab. */
export function hasMissed(cursor: string): boolean {
  return Math.max(Number(heldCursor() ?? 0), seenCursor()) < Number(cursor);
}

/** A chat's row as the held list has it. */
export function heldChat(chatId: string): Chat | undefined {
  return heldPages()
    ?.pages.flatMap(({ chats }) => chats)
    .find(({ id }) => id === chatId);
}
