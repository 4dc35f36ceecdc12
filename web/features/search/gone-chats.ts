import type { LiveEvent } from "#shared/live-events.ts";
import { onLive } from "#web/lib/live.ts";
import { queryClient } from "#web/lib/query.ts";
import { createStore, useStore } from "#web/lib/store.ts";

const gone = createStore<ReadonlySet<string>>(new Set());

function follow(event: LiveEvent): void {
  if (event.type === "chat.deleted") gone.set(new Set([...gone.get(), event.chat_id]));
  if (event.type === "chat.changed" && gone.get().has(event.chat.id))
    gone.set(new Set([...gone.get()].filter((id) => id !== event.chat.id)));
  // Which chats are gone was not told one by one.
  if (event.type === "chats.changed" || (event.type === "hello" && event.reset)) void queryClient.resetQueries({ queryKey: ["search"] });
}

// From when the palette's code is there: before, nothing was found that could be kept.
onLive(follow);

/** Chats that were deleted or lost while this page was open: hits in them that were found before, or are on their way, are none. */
export function useGoneChats(): ReadonlySet<string> {
  return useStore(gone);
}
