import { useEffect } from "react";
import type { PresentPerson } from "#shared/live-events.ts";
import { createKeyedStore } from "#web/features/chat/keyed-store.ts";
import { onLive } from "#web/lib/live.ts";

export type Presence = { people: readonly PresentPerson[]; count: number };

const NOBODY: Presence = { people: [], count: 0 };

/** Who looks at each shared chat, as the hub last told this tab. */
export const presences = createKeyedStore<Presence>(NOBODY);

/** Follows who is here; after a lost connection nobody is known until it is told again. */
export function useFollowPresence(chatId: string): void {
  useEffect(() => {
    const stop = onLive((event) => {
      if (event.type === "hello") presences.set(chatId, NOBODY);
      if (event.type === "presence.changed") presences.set(event.chat_id, { people: event.people, count: event.count });
    });
    return () => {
      stop();
      presences.set(chatId, NOBODY);
    };
  }, [chatId]);
}

/** What is said of those who write: 'Ines is typing…', 'Ines and Jonas are typing…', '3 people are typing…'; empty for nobody. */
export function typingLine(people: readonly PresentPerson[], ownId: string | null): string {
  const names = people.filter(({ typing, user_id: id }) => typing && id !== ownId).map(({ display_name: name }) => name);
  if (names.length === 0) return "";
  if (names.length > 2) return `${names.length} people are typing…`;
  return `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} typing…`;
}
