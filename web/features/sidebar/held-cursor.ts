import { keys, queryClient } from "#web/lib/query.ts";
import type { ChatPages } from "./chat-pages.ts";

/** Where the live events stood when the held list was read; undefined while there is none. */
export function heldCursor(): string | undefined {
  return queryClient.getQueryData<ChatPages>(keys.chats("all"))?.pages[0]?.liveCursor;
}
