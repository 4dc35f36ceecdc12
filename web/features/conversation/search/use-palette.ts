import { useState, useEffect } from "react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { type SearchKind, search } from "#shared/contracts/search.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import type { LiveEvent } from "#shared/live-events.ts";
import { useArtifactsOn } from "#web/features/library/artifacts/artifacts-on.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useChats, inWorkspace } from "#web/features/conversation/chat-cache/use-chats.ts";
import { useFolders } from "#web/features/conversation/filing/use-folders.ts";
import { useWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { onLive } from "#web/lib/live.ts";
import { createStore, useStore } from "#web/lib/store.ts";
import { groupHits, hitOfChat, type SearchGroup } from "./search-groups.ts";
import { NO_INPUT, withKind, withoutLast, withText, withToggled } from "./search-input.ts";
import { type FilterName, foldersNamed, namesFor, withName } from "./search-names.ts";
import { type Chip, titleMatches, toQuery } from "./search-text.ts";

/** Recent chats, and chats by title while the server has not answered. */
const LOCAL_ROWS = 5;

/** What stands in the palette: what is asked, and what is known of it by now. */
export function usePalette() {
  const [{ text, chips, kind }, setInput] = useState(NO_INPUT);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const { user } = useSession();
  const hasArtifacts = useArtifactsOn() === "on";
  const recent = useChats("all").data?.pages.flatMap((page) => page.chats) ?? [];
  const filed = useFolders();
  const q = toQuery(text, chips);
  const found = useSearch({ q, kind }, user !== null);

  const isAsking = q !== "";
  // Titles that this page knows stand there with the key; what the server finds takes their place.
  const local = recent
    .filter(({ title }) => !isAsking || (chips.length === 0 && (kind === null || kind === "chat") && titleMatches(title, text)))
    .slice(0, LOCAL_ROWS);
  const isLocal = !isAsking || (found.isBehind && found.hits.length === 0) || found.error !== null;
  const groups: SearchGroup[] = isLocal ? groupHits(local.map(hitOfChat)) : groupHits(found.hits);

  return {
    text,
    chips,
    kind,
    isAsking,
    groups,
    artifacts: isAsking && !isLocal && hasArtifacts ? found.artifacts : [],
    names: namesFor(text, filed),
    folders: isAsking && kind === null ? foldersNamed(text, filed.folders) : [],
    /** Names of folders and tags in what was answered that there are not. */
    unknown: isLocal ? [] : found.unknown,
    unfolded,
    hasMore: !isLocal && found.hasMore,
    /** True once the server has answered what is asked, and all of it. */
    isSettled: user === null || (!found.isBehind && !found.isIncomplete),
    isIncomplete: isAsking && found.isIncomplete,
    error: isAsking ? found.error : null,
    retry: found.retry,
    readMore: found.readMore,
    setKind: (next: SearchKind | null) => setInput((held) => withKind(held, next)),
    toggle: (chip: Chip) => setInput((held) => withToggled(held, chip)),
    /** The text as it now reads; `isReplaced` where nothing of the earlier one is left. */
    type: (next: string, isReplaced: boolean) => setInput((held) => withText(held, next, isReplaced)),
    /** Writes the name that is being typed to its end, which makes a filter of it. */
    complete: (name: FilterName) => setInput((held) => withText(held, withName(held.text, name), false)),
    /** Takes the last filter away, as a step back at the start of the text does. */
    dropLast: () => setInput(withoutLast),
    unfold: (chatId: string) => setUnfolded((held) => new Set([...held, chatId])),
  };
}

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
function useSearch({ q, kind }: { q: string; kind: SearchKind | null }, enabled: boolean) {
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
