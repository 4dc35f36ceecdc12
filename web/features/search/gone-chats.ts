import { useSyncExternalStore } from "react";
import type { LiveEvent } from "#shared/live-events.ts";
import { onLive } from "#web/lib/live.ts";
import { queryClient } from "#web/lib/query.ts";

let gone: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function set(next: ReadonlySet<string>): void {
  gone = next;
  for (const listener of listeners) listener();
}

function follow(event: LiveEvent): void {
  if (event.type === "chat.deleted") set(new Set([...gone, event.chat_id]));
  if (event.type === "chat.changed" && gone.has(event.chat.id)) set(new Set([...gone].filter((id) => id !== event.chat.id)));
  // Which chats are gone was not told one by one.
  if (event.type === "chats.changed" || (event.type === "hello" && event.reset)) void queryClient.resetQueries({ queryKey: ["search"] });
}

// From when the palette's code is there: before, nothing was found that could be kept.
onLive(follow);

/** Chats that were deleted or lost while this page was open: hits in them that were found before, or are on their way, are none. */
export function useGoneChats(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => gone,
  );
}
