/** Who looks at a shared chat now, in memory alone: after a restart, those who are still here report it again. */
import { ATTENTION_MS, PRESENT_NAMED, TYPING_MS } from "#shared/live-limits.ts";
import type { Presence, PresentState } from "#worker/conversation/room/rpc.ts";

/** So many are notified of each change; in a fuller chat the others learn of it when their tab next says that it is there. */
const MOST_NOTIFIED = 100;
/** The pause between two rounds of updates, in milliseconds for each person notified: a crowd must not flood its hubs. */
const PAUSE_MS_EACH = 20;

type Person = { displayName: string; seenAt: number; typedAt: number };

type Deps = {
  now(): number;
  sleep(ms: number): Promise<void>;
  /** True while this person may read the chat. */
  mayRead(userId: string): boolean;
  /** Notifies one person's tabs. */
  notify(userId: string, presence: Presence): Promise<void>;
  waitUntil(work: Promise<unknown>): void;
};

export type PresenceKeeper = {
  /** Notes what someone does in the chat, notifies the others of changes, and answers who is here. */
  attend(who: { userId: string; displayName: string }, state: PresentState): Presence;
  /** Removes those who may not read any more, and notifies the others. */
  refresh(): void;
};

/** Keeps who is present in one room. */
export function createPresence({ now, sleep, mayRead, notify, waitUntil }: Deps): PresenceKeeper {
  const people = new Map<string, Person>();
  let isNotifying = false;
  let isStale = false;

  /** Removes those who were silent too long; answers whether anybody was removed. */
  function prune(): boolean {
    const before = people.size;
    for (const [userId, { seenAt }] of people) if (seenAt <= now() - ATTENTION_MS || !mayRead(userId)) people.delete(userId);
    return people.size < before;
  }

  function read(): Presence {
    const since = now() - TYPING_MS;
    const named = [...people]
      .map(([userId, { displayName, typedAt }]) => ({ user_id: userId, display_name: displayName, typing: typedAt > since }))
      .toSorted((a, b) => Number(b.typing) - Number(a.typing));
    return { people: named.slice(0, PRESENT_NAMED), count: named.length };
  }

  async function notifyAll(): Promise<void> {
    isNotifying = true;
    while (isStale) {
      isStale = false;
      prune();
      const presence = read();
      const notified = [...people.keys()].slice(0, MOST_NOTIFIED);
      // A hub that was not reached learns of it when its tab next says that it is there.
      await Promise.allSettled(notified.map((userId) => notify(userId, presence)));
      if (isStale) await sleep(notified.length * PAUSE_MS_EACH);
    }
    isNotifying = false;
  }

  function publish(): void {
    isStale = true;
    if (!isNotifying) waitUntil(notifyAll());
  }

  return {
    attend({ userId, displayName }, { isHere, isTyping }) {
      const before = people.get(userId);
      if (isHere) people.set(userId, { displayName, seenAt: now(), typedAt: isTyping ? now() : 0 });
      else people.delete(userId);
      const wasTyping = before !== undefined && before.typedAt > now() - TYPING_MS;
      const hasChanged = isHere !== (before !== undefined) || isTyping || wasTyping;
      if (prune() || (hasChanged && people.size > (isHere ? 1 : 0))) publish();
      return read();
    },
    refresh() {
      if (prune()) publish();
    },
  };
}
