import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { listChats } from "#shared/contracts/chats.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { onLive, seenCursor } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { type ChatPages, type ChatsPage, patchChat, removeChat, upsertChat } from "./chat-pages.ts";
import { hasMissed } from "./held-list.ts";

const VIEW = "all";
/** A hub whose count went back, as one restored may, is taken at its word. */
const READ_TRIES = 3;

const chatsQuery = infiniteQueryOptions<ChatsPage, Error, ChatPages, readonly string[], string | undefined>({
  queryKey: keys.chats(VIEW),
  queryFn: ({ pageParam, signal }) => readPage(pageParam, signal),
  initialPageParam: undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
  staleTime: lifetimes.live,
});

/** The person's chats, a page at a time, newest first, kept right by live events. */
export function useChats() {
  const { user } = useSession();
  return useInfiniteQuery({ ...chatsQuery, enabled: user !== null });
}

/** Reads the first page while the list's code is still on its way. */
export function usePrefetchedChats(isWanted: boolean): void {
  useEffect(() => {
    if (isWanted) void queryClient.prefetchInfiniteQuery(chatsQuery);
  }, [isWanted]);
}

/** How many of the person's chats hold something unread. */
export function useUnreadCount(): number {
  return useChats().data?.pages[0]?.unreadCount ?? 0;
}

/** A page no older than the events this tab has seen: one read before them would undo what they told. */
async function readPage(cursor: string | undefined, signal: AbortSignal): Promise<ChatsPage> {
  for (let tries = 1; ; tries += 1) {
    const page = await call(listChats, { query: { view: VIEW, cursor } }, { signal });
    if (Number(page.liveCursor) >= seenCursor() || tries === READ_TRIES) return page;
  }
}

/** Changes the held list, where there is one. */
export function changeChats(change: (held: ChatPages) => ChatPages): void {
  queryClient.setQueryData<ChatPages>(keys.chats(VIEW), (held) => held && change(held));
}

/** Lets other tabs and devices move, add and remove rows. */
export function useLiveChats(): void {
  useEffect(
    () =>
      onLive((event) => {
        if (event.type === "hello" && hasMissed(event.cursor)) void queryClient.invalidateQueries({ queryKey: keys.chats(VIEW) });
        if (event.type === "chat.changed") changeChats((held) => upsertChat(held, event.chat));
        if (event.type === "chat.deleted") changeChats((held) => removeChat(held, event.chat_id));
        if (event.type === "reply.started") changeChats((held) => patchChat(held, event.chat_id, { isStreaming: true }));
        if (event.type === "reply.ended") changeChats((held) => patchChat(held, event.chat_id, { isStreaming: false }));
      }),
    [],
  );
}
