import { useSyncExternalStore, useRef } from "react";
import type { Chat } from "#shared/entities/chat.ts";
import { queryClient } from "#web/lib/query.ts";
import { cachedChats } from "./cached-lists.ts";

/** Chats as the lists hold them now; one that no list holds as it was given. */
export function useCachedChats(given: readonly Chat[]): readonly Chat[] {
  const last = useRef(given);
  return useSyncExternalStore(subscribe, () => {
    const cached = cachedChats(given.map(({ id }) => id));
    const now = given.map((chat, index) => cached[index] ?? chat);
    const isSame = now.length === last.current.length && now.every((chat, index) => chat === last.current[index]);
    if (!isSame) last.current = now;
    return last.current;
  });
}

function subscribe(listener: () => void): () => void {
  return queryClient.getQueryCache().subscribe(listener);
}
