import type { Query, QueryClient } from "@tanstack/react-query";
import { ApiError } from "#web/lib/api.ts";
import { keys } from "#web/lib/query.ts";
import type { SessionAnswer } from "#web/features/session/use-session.ts";
import { type KeptQuery, keptQuery } from "./kept-queries.ts";
import type { OfflineStore } from "./offline-store.ts";

/** Chats whose transcripts are kept: those opened last. */
const CHATS = 30;
const OPENED = "opened";
/** What changed is written together, in milliseconds: a list may change with every event. */
const WRITE_AFTER_MS = 1_000;

type Keeping = {
  client: QueryClient;
  store: OfflineStore;
  /** The account that an earlier page remembered, before the first answer says who is here. */
  remembered: () => string | null;
  /** True while the server is known to be out of reach. */
  isOffline: () => boolean;
  /** A request found no server. */
  onUnreachable: (error: Error) => void;
};

export type Keeper = { /** Writes what waits. */ flush: () => Promise<void>; stop: () => void };

/** Keeps the lists and the chats opened last for the account that is here, and shows them where the server cannot be reached. */
export function keepOffline({ client, store, remembered, isOffline, onUnreachable }: Keeping): Keeper {
  const cache = client.getQueryCache();
  /** What is to be written, with the account whose it is. */
  const changed = new Map<string, { owner: string; query: Query; kept: KeptQuery }>();
  const asked = new WeakSet<Query>();
  let opened: Promise<string[]> | null = null;
  let openedBy: string | null = null;
  let settledOwner: string | null | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReviving = false;

  const owner = (): string | null => {
    const session = client.getQueryState<SessionAnswer>(keys.session);
    if (session?.data === undefined) return remembered();
    return session.data.user?.id ?? null;
  };

  function note(query: Query): void {
    const kept = keptQuery(query.queryKey);
    const who = owner();
    if (!kept || who === null || query.state.data === undefined) return;
    changed.set(kept.name, { owner: who, query, kept });
    timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS);
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const all = [...changed.values()];
    changed.clear();
    for (const { owner: who, query, kept } of all) {
      const { data } = query.state;
      if (who !== owner() || data === undefined) continue;
      try {
        if (kept.chatId !== null) await noteOpened(who, kept.chatId);
        const trimmed = kept.trim(data);
        if (trimmed !== null) await store.write(who, kept.name, trimmed);
        // Signed out while it was being written: nothing stays.
        if (who !== owner()) await store.remove(who, kept.name);
      } catch {
        // A full disk or a private window: half of the chats go, and what still finds no room is not kept.
        await forgetOldest(who, CHATS / 2).catch(() => undefined);
      }
    }
  }

  function openedOf(who: string): Promise<string[]> {
    if (opened === null || openedBy !== who) {
      openedBy = who;
      opened = store.read(who, OPENED).then(
        (ids) => (Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : []),
        () => [],
      );
    }
    return opened;
  }

  async function noteOpened(who: string, chatId: string): Promise<void> {
    const before = await openedOf(who);
    if (before[0] === chatId) return;
    opened = Promise.resolve([chatId, ...before.filter((id) => id !== chatId)]);
    await forgetOldest(who, CHATS);
  }

  /** Leaves so many chats, those opened last. */
  async function forgetOldest(who: string, left: number): Promise<void> {
    const ids = await openedOf(who);
    opened = Promise.resolve(ids.slice(0, left));
    for (const id of ids.slice(left)) {
      for (const key of [keys.chat(id), keys.messages(id)]) await store.remove(who, JSON.stringify(key));
    }
    await store.write(who, OPENED, ids.slice(0, left));
  }

  /** Shows what was kept of a query that has no answer; the server is asked again as soon as it can be. */
  async function revive(query: Query): Promise<void> {
    const kept = keptQuery(query.queryKey);
    const who = owner();
    if (!kept || who === null || asked.has(query)) return;
    asked.add(query);
    const data = kept.revive(await store.read(who, kept.name).catch(() => null));
    if (data === null || query.state.data !== undefined || who !== owner()) return;
    isReviving = true;
    client.setQueryData(query.queryKey, data);
    isReviving = false;
    await client.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: "none" });
  }

  /** What is kept of others goes as soon as the server has said who is here. */
  function settle(): void {
    const session = client.getQueryState<SessionAnswer>(keys.session);
    if (!session?.data || session.dataUpdatedAt === 0) return;
    const who = session.data.user?.id ?? null;
    if (who === settledOwner) return;
    // Signed out: what waits here is of whoever was here; a visitor's waits for them to sign in.
    if (who === null && settledOwner !== undefined) store.forgetShared().catch(() => undefined);
    settledOwner = who;
    changed.clear();
    opened = null;
    store.keepOnly(who).catch(() => undefined);
  }

  function look(query: Query): void {
    const { data, error, fetchFailureReason: reason, fetchStatus } = query.state;
    const failure = [reason, error].find((cause) => cause instanceof ApiError && cause.code === "OFFLINE");
    if (failure) onUnreachable(failure);
    if (data === undefined && (failure || fetchStatus === "paused" || isOffline())) void revive(query);
  }

  settle();
  for (const query of cache.getAll()) {
    note(query);
    look(query);
  }
  const unsubscribe = cache.subscribe((event) => {
    if (event.type !== "updated" && event.type !== "added") return;
    if (event.query.queryKey[0] === keys.session[0]) settle();
    if (event.type === "updated" && event.action.type === "success") {
      if (!isReviving) note(event.query);
    } else look(event.query);
  });
  return {
    flush,
    stop() {
      unsubscribe();
      clearTimeout(timer);
    },
  };
}
