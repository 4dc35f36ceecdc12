import type { Query, QueryClient } from "@tanstack/react-query";
import { ApiError } from "#web/lib/api.ts";
import { keys } from "#web/lib/query.ts";
import type { SessionAnswer } from "#web/features/people/session/use-session.ts";
import { type OfflineQuery, offlineQueryOf } from "./offline-queries.ts";
import type { OfflineStore } from "#web/lib/offline-store.ts";

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
  /** Calls back with each chat that was deleted or is no longer this person's; returns how to stop. */
  onChatForgotten: (listener: (chatId: string) => void) => () => void;
};

export type Keeper = { /** Writes what waits. */ flush: () => Promise<void>; stop: () => void };

/** Keeps the lists and the chats opened last for the account that is here, and shows them where the server cannot be reached. */
export function keepOffline({ client, store, remembered, isOffline, onUnreachable, onChatForgotten }: Keeping): Keeper {
  const cache = client.getQueryCache();
  /** What to write, with the account it belongs to. */
  const changed = new Map<string, { owner: string; query: Query; offline: OfflineQuery }>();
  const asked = new WeakSet<Query>();
  /** Chats that are gone: an answer that was on its way brings none of them back. */
  const deletedIds = new Set<string>();
  let settledOwner: string | null | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReviving = false;

  const owner = (): string | null => {
    const session = client.getQueryState<SessionAnswer>(keys.session);
    if (session?.data === undefined) return remembered();
    return session.data.user?.id ?? null;
  };

  function note(query: Query): void {
    const offline = offlineQueryOf(query.queryKey);
    const who = owner();
    if (!offline || who === null || query.state.data === undefined || (offline.chatId !== null && deletedIds.has(offline.chatId))) return;
    changed.set(offline.name, { owner: who, query, offline });
    timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS);
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const all = [...changed.values()];
    changed.clear();
    for (const { owner: who, query, offline } of all) {
      const { data } = query.state;
      if (who !== owner() || data === undefined) continue;
      try {
        if (offline.chatId !== null) await noteOpened(who, offline.chatId);
        const trimmed = offline.trim(data);
        if (trimmed !== null) await store.write(who, offline.name, trimmed);
        // Signed out, or deleted, while it was being written: nothing stays.
        if (who !== owner()) await store.remove(who, offline.name);
        else if (offline.chatId !== null && deletedIds.has(offline.chatId)) await forget(who, [offline.chatId]);
      } catch {
        // A full disk or a private window: half of the chats go, and what still finds no room is not kept.
        await forgetOldest(who, CHATS / 2).catch(() => undefined);
      }
    }
  }

  async function noteOpened(who: string, chatId: string): Promise<void> {
    await changeOpened(who, (ids) => (ids[0] === chatId ? ids : [chatId, ...ids.filter((id) => id !== chatId)]), CHATS);
  }

  /** Leaves so many chats, those opened last. */
  function forgetOldest(who: string, left: number): Promise<void> {
    return changeOpened(who, (ids) => ids, left);
  }

  async function forget(who: string, chatIds: readonly string[]): Promise<void> {
    await changeOpened(who, (ids) => ids.filter((id) => !chatIds.includes(id)), CHATS);
    await removeRecords(who, chatIds);
  }

  /** Changes which chats were opened last as all tabs have noted it, and removes what falls off. */
  async function changeOpened(who: string, change: (ids: string[]) => string[], left: number): Promise<void> {
    let fallen: string[] = [];
    await store.change(who, OPENED, (stored) => {
      const ids = Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [];
      const next = change(ids);
      fallen = next.slice(left);
      return next === ids && fallen.length === 0 ? undefined : next.slice(0, left);
    });
    await removeRecords(who, fallen);
  }

  async function removeRecords(who: string, chatIds: readonly string[]): Promise<void> {
    for (const id of chatIds) {
      for (const key of [keys.chat(id), keys.messages(id)]) await store.remove(who, JSON.stringify(key));
    }
  }

  /** What was deleted or withdrawn cannot be read here any more either. */
  function lose(chatId: string): void {
    const who = owner();
    for (const [name, { offline }] of changed) if (offline.chatId === chatId) changed.delete(name);
    deletedIds.add(chatId);
    if (who !== null) forget(who, [chatId]).catch(() => undefined);
  }

  /** Shows what was kept of a query that has no answer; the server is asked again as soon as it can be. */
  async function revive(query: Query): Promise<void> {
    const offline = offlineQueryOf(query.queryKey);
    const who = owner();
    if (!offline || who === null || asked.has(query)) return;
    asked.add(query);
    const data = offline.revive(await store.read(who, offline.name).catch(() => null));
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
    deletedIds.clear();
    store.keepOnly(who).catch(() => undefined);
  }

  function look(query: Query): void {
    const { data, error, fetchFailureReason: reason, fetchStatus } = query.state;
    const failure = [reason, error].find((cause) => cause instanceof ApiError && cause.code === "OFFLINE");
    if (failure) onUnreachable(failure);
    const chatId = chatOf(query);
    if (chatId !== null && !deletedIds.has(chatId) && [reason, error].some(isRefusal)) lose(chatId);
    if (data === undefined && (failure || fetchStatus === "paused" || isOffline())) void revive(query);
  }

  settle();
  for (const query of cache.getAll()) {
    note(query);
    look(query);
  }
  const deaf = onChatForgotten(lose);
  const unsubscribe = cache.subscribe((event) => {
    if (event.type !== "updated" && event.type !== "added") return;
    if (event.query.queryKey[0] === keys.session[0]) settle();
    if (event.type === "updated" && event.action.type === "success") {
      // One that is shared again is kept again.
      const chatId = chatOf(event.query);
      if (chatId !== null && event.action.manual !== true) deletedIds.delete(chatId);
      if (!isReviving) note(event.query);
    } else look(event.query);
  });
  return {
    flush,
    stop() {
      unsubscribe();
      deaf();
      clearTimeout(timer);
    },
  };
}

/** The chat that a query asks for itself, not for its messages. */
function chatOf({ queryKey }: Query): string | null {
  return queryKey[0] === "chat" ? (offlineQueryOf(queryKey)?.chatId ?? null) : null;
}

/** The server's word that a chat is not there for this person. */
function isRefusal(cause: unknown): boolean {
  return cause instanceof ApiError && (cause.status === 403 || cause.status === 404);
}
