import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { type ChatView, listChats } from "#shared/contracts/chat/chats.ts";
import { CHATS_PAGE, CHATS_PAGE_MAX } from "#shared/limits.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import { keepWaitingCount } from "#web/features/conversation/approvals/waiting-count.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { seenCursor } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { type ChatPages, cachedPages, type CachedPage, type List, type ListScope } from "./cached-lists.ts";

/** A hub whose count went back, as one restored may, is taken at its word. */
const READ_TRIES = 3;

function chatsQuery(list: List) {
  return queryOptions<ChatPages>({
    queryKey: keys.chats(list.workspace, list.view, list.scope),
    // The first page alone: further ones are added to it, so no change reported meanwhile is lost.
    queryFn: async ({ signal }) => ({ pages: [await readPage(list, undefined, signal)] }),
    staleTime: lifetimes.live,
    // What stays the same stays the same object without being compared.
    structuralSharing: false,
    // The other tab's list is there at once, where it was left.
    gcTime: lifetimes.live,
  });
}

/** A view of the chats in the person's workspace, kept right by live events. */
export function useChats(view: ChatView, scope?: ListScope) {
  const { user } = useSession();
  const workspace = useWorkspace();
  return useQuery({
    ...chatsQuery({ workspace, view, scope }),
    enabled: user !== null,
    // With the first folder those in none are asked for: until they come, the whole list stands there.
    placeholderData: () => (scope?.folder === "none" ? cachedPages({ workspace, view }) : undefined),
  });
}

/** Reads the first page while the list's code is still on its way. */
export function usePrefetchedChats(view: ChatView, scope: ListScope | undefined, isWanted: boolean): void {
  const workspace = useWorkspace();
  useEffect(() => {
    if (isWanted) void queryClient.prefetchQuery(chatsQuery({ workspace, view, scope }));
  }, [workspace, view, scope, isWanted]);
}

/** How many chats of the person's workspace hold something unread. */
export function useUnreadCount(): number {
  const { user } = useSession();
  const workspace = useWorkspace();
  return useQuery({ ...chatsQuery({ workspace, view: "inbox" }), enabled: user !== null, select: unreadIn }).data ?? 0;
}

/** Names the workspace where it is not all: that is what the server answers anyway. */
export function inWorkspace(workspace: WorkspaceId): { workspace?: WorkspaceId } {
  return workspace === "all" ? {} : { workspace };
}

function unreadIn({ pages }: ChatPages): number {
  return pages[0]?.unreadCount ?? 0;
}

/** A page no older than the events this tab has seen: one read before them would undo them. */
export async function readPage({ workspace, view, scope }: List, cursor?: string, signal?: AbortSignal): Promise<CachedPage> {
  const limit = cursor === undefined ? CHATS_PAGE : CHATS_PAGE_MAX;
  for (let tries = 1; ; tries += 1) {
    const page = await call(listChats, { query: { view, cursor, limit, ...inWorkspace(workspace), ...scope } }, signal && { signal });
    if (Number(page.liveCursor) < seenCursor() && tries < READ_TRIES) continue;
    const { waitingCount, ...held } = page;
    keepWaitingCount(waitingCount);
    return { ...held, end: held.chats.at(-1) };
  }
}
