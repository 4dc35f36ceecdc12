import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { search, type SearchKind } from "#shared/contracts/search.ts";
import { inWorkspace } from "#web/features/conversation/chat-cache/use-chats.ts";
import { useWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import type { LiveEvent } from "#shared/live-events.ts";
import { onLive } from "#web/lib/live.ts";
import { createStore, useStore } from "#web/lib/store.ts";

const deletedChatIds = createStore<ReadonlySet<string>>(new Set());

function follow(event: LiveEvent): void {
  if (event.type === "chat.deleted") deletedChatIds.set(new Set([...deletedChatIds.get(), event.chat_id]));
  if (event.type === "chat.changed" && deletedChatIds.get().has(event.chat.id))
    deletedChatIds.set(new Set([...deletedChatIds.get()].filter((id) => id !== event.chat.id)));
  // Which chats are gone was not reported one by one.
  if (event.type === "chats.changed" || (event.type === "hello" && event.reset)) void queryClient.resetQueries({ queryKey: ["search"] });
}

// From when the palette's code is there: before, nothing was found that could be kept.
onLive(follow);

/** Chats that were deleted or lost while this page was open: hits in them that were found before, or are on their way, are none. */
function useDeletedChatIds(): ReadonlySet<string> {
  return useStore(deletedChatIds);
}

/** The server is asked this long after the last key, in milliseconds. */
const PAUSE_MS = 80;
/** While texts are still being read there, it is asked again this often, in milliseconds. */
const AGAIN_MS = 700;

type Answer = ResponseOf<typeof search>;

/** What the server finds; an empty search has it read what changed, so the first word finds all. The last answer stays until the next is there. */
export function useSearch({ q, kind }: { q: string; kind: SearchKind | null }, enabled: boolean) {
  const asked = usePaused(q);
  const deletedIds = useDeletedChatIds();
  const workspace = useWorkspace();
  const query = useInfiniteQuery({
    queryKey: keys.search(asked, kind, workspace),
    queryFn: ({ pageParam, signal }) =>
      call(
        search,
        { query: { q: asked, ...(kind && { kind }), ...inWorkspace(workspace), ...(pageParam !== "" && { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: (page: Answer) => page.nextCursor,
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (asked !== "" && state.data?.pages.some((page) => page.isIncomplete) ? AGAIN_MS : false),
  });
  return {
    hits: query.data?.pages.flatMap((page) => page.hits).filter(({ chat }) => !deletedIds.has(chat.id)) ?? [],
    artifacts: query.data?.pages.flatMap((page) => page.artifacts ?? []) ?? [],
    /** Names of folders and tags that there are not. */
    unknown: query.data?.pages[0]?.unknown ?? [],
    isIncomplete: query.data?.pages.some((page) => page.isIncomplete) ?? false,
    /** True while what stands here answers an earlier text. */
    isBehind: enabled && (asked !== q || query.isPlaceholderData || query.isPending),
    hasMore: query.hasNextPage && !query.isPlaceholderData,
    readMore: () => void query.fetchNextPage(),
    error: query.isPlaceholderData ? null : query.error,
    retry: () => void query.refetch(),
  };
}

/** The text as it stood when the keys last paused; emptied at once. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === "" ? "" : paused;
}
