import { useMutation } from "@tanstack/react-query";
import { keys, queryClient } from "#web/lib/query.ts";
import { appendPage } from "./chat-pages.ts";
import { type ChatPages, heldPages, type List } from "./held-list.ts";
import { readPage } from "./use-chats.ts";

/** Adds a list's next page, which scrolling near the end and the control there ask for. */
export function useMoreChats() {
  return useMutation({ mutationFn: readMore });
}

async function readMore(list: List): Promise<void> {
  const cursor = heldPages(list)?.pages.at(-1)?.nextCursor;
  if (!cursor) return;
  const page = await readPage(list, cursor);
  queryClient.setQueryData<ChatPages>(keys.chats(list.workspace, list.view), (held) =>
    // Whoever asked twice, or for a list that was read again meanwhile, gets nothing twice.
    held?.pages.at(-1)?.nextCursor === cursor ? appendPage(held, page) : held,
  );
}
