import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { type ChatView, listChats } from "#shared/contracts/chats.ts";
import { CHATS_PAGE, CHATS_PAGE_MAX } from "#shared/limits.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { seenCursor } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import type { ChatPages, HeldPage } from "./held-list.ts";

/** A hub whose count went back, as one restored may, is taken at its word. */
const READ_TRIES = 3;

function chatsQuery(view: ChatView) {
  return queryOptions<ChatPages>({
    queryKey: keys.chats(view),
    // The first page alone: further ones are added to it, so that no change told meanwhile is lost.
    queryFn: async ({ signal }) => ({ pages: [await readPage(view, undefined, signal)] }),
    staleTime: lifetimes.live,
    // What stays the same stays the same object without being compared.
    structuralSharing: false,
    // The other tab's list is there at once, where it was left.
    gcTime: lifetimes.live,
  });
}

/** A view of the person's chats, kept right by live events. */
export function useChats(view: ChatView) {
  const { user } = useSession();
  return useQuery({ ...chatsQuery(view), enabled: user !== null });
}

/** Reads the first page while the list's code is still on its way. */
export function usePrefetchedChats(view: ChatView, isWanted: boolean): void {
  useEffect(() => {
    if (isWanted) void queryClient.prefetchQuery(chatsQuery(view));
  }, [view, isWanted]);
}

/** How many of the person's chats hold something unread. */
export function useUnreadCount(): number {
  const { user } = useSession();
  return useQuery({ ...chatsQuery("inbox"), enabled: user !== null, select: unreadIn }).data ?? 0;
}

function unreadIn({ pages }: ChatPages): number {
  return pages[0]?.unreadCount ?? 0;
}

/** A page no older than the events this tab has seen: one read before them would undo what they told. */
export async function readPage(view: ChatView, cursor?: string, signal?: AbortSignal): Promise<HeldPage> {
  const limit = cursor === undefined ? CHATS_PAGE : CHATS_PAGE_MAX;
  for (let tries = 1; ; tries += 1) {
    const page = await call(listChats, { query: { view, cursor, limit } }, signal && { signal });
    if (Number(page.liveCursor) >= seenCursor() || tries === READ_TRIES) return { ...page, end: page.chats.at(-1) };
  }
}
