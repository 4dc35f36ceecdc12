import { useMutation } from "@tanstack/react-query";
import type { ChatView } from "#shared/contracts/chats.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { appendPage } from "./chat-pages.ts";
import { type ChatPages, heldPages } from "./held-list.ts";
import { readPage } from "./use-chats.ts";

/** Adds a view's next page, which scrolling near the end and the control there ask for. */
export function useMoreChats() {
  return useMutation({ mutationFn: readMore });
}

async function readMore(view: ChatView): Promise<void> {
  const cursor = heldPages(view)?.pages.at(-1)?.nextCursor;
  if (!cursor) return;
  const page = await readPage(view, cursor);
  queryClient.setQueryData<ChatPages>(keys.chats(view), (held) =>
    // Whoever asked twice, or for a list that was read anew meanwhile, gets nothing twice.
    held?.pages.at(-1)?.nextCursor === cursor ? appendPage(held, page) : held,
  );
}
