import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import type { MessagePage, MessagePages } from "./message-pages.ts";
import { chatQuery, readCurrent, liveStaleTime } from "./use-chat.ts";

/** How a chat's path is asked for and cached: newest page first. */
export function messagesQuery(chatId: string) {
  return infiniteQueryOptions<MessagePage, Error, MessagePages, readonly unknown[], string | undefined>({
    queryKey: keys.messages(chatId),
    queryFn: ({ pageParam, signal }) =>
      readCurrent(() =>
        call(listMessages, { params: { id: chatId }, query: pageParam === undefined ? {} : { before: pageParam } }, { signal }),
      ),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: liveStaleTime,
  });
}

/** A chat's path; older pages come with `fetchNextPage`. Kept current by its streams and live events. */
export function useMessages(chatId: string | null, enabled: boolean) {
  return useInfiniteQuery({ ...messagesQuery(chatId ?? "none"), enabled: enabled && chatId !== null });
}

/** Fetches a chat before it is opened, so it opens in one frame. */
export function prefetchChat(chatId: string): void {
  void queryClient.prefetchQuery(chatQuery(chatId));
  void queryClient.prefetchInfiniteQuery(messagesQuery(chatId));
}
