import type { Query, QueryCacheNotifyEvent, QueryClient } from "@tanstack/react-query";
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

/** Keeps the lists and the chats opened last for the account that is here, and shows them where the server cannot be reached. */
export class OfflineKeeper {
  readonly #deps: Keeping;
  /** What to write, with the account it belongs to. */
  readonly #changed = new Map<string, { owner: string; query: Query; offline: OfflineQuery }>();
  readonly #asked = new WeakSet<Query>();
  /** Chats that are gone: an answer that was on its way brings none of them back. */
  readonly #deletedIds = new Set<string>();
  #settledOwner: string | null | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReviving = false;
  readonly #stopListening: readonly (() => void)[];

  constructor(deps: Keeping) {
    this.#deps = deps;
    const cache = deps.client.getQueryCache();
    this.#settle();
    for (const query of cache.getAll()) {
      this.#note(query);
      this.#check(query);
    }
    this.#stopListening = [
      deps.onChatForgotten((chatId) => this.#lose(chatId)),
      cache.subscribe((event) => {
        if (event.type === "updated" || event.type === "added") this.#onQuery(event);
      }),
    ];
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const all = [...this.#changed.values()];
    this.#changed.clear();
    for (const { owner: who, query, offline } of all) {
      const { data } = query.state;
      if (who !== this.#owner() || data === undefined) continue;
      try {
        if (offline.chatId !== null) await this.#noteOpened(who, offline.chatId);
        const trimmed = offline.trim(data);
        if (trimmed !== null) await this.#deps.store.write(who, offline.name, trimmed);
        // Signed out, or deleted, while it was being written: nothing stays.
        if (who !== this.#owner()) await this.#deps.store.remove(who, offline.name);
        else if (offline.chatId !== null && this.#deletedIds.has(offline.chatId)) await this.#forget(who, [offline.chatId]);
      } catch {
        // A full disk or a private window: half of the chats go, and what still finds no room is not kept.
        await this.#forgetOldest(who, CHATS / 2).catch(() => undefined);
      }
    }
  }

  stop(): void {
    for (const stopListening of this.#stopListening) stopListening();
    clearTimeout(this.#timer);
  }

  #onQuery(event: Extract<QueryCacheNotifyEvent, { type: "added" | "updated" }>): void {
    if (event.query.queryKey[0] === keys.session[0]) this.#settle();
    if (event.type === "updated" && event.action.type === "success") {
      // One that is shared again is kept again.
      const chatId = chatOf(event.query);
      if (chatId !== null && event.action.manual !== true) this.#deletedIds.delete(chatId);
      if (!this.#isReviving) this.#note(event.query);
    } else this.#check(event.query);
  }

  #note(query: Query): void {
    const offline = offlineQueryOf(query.queryKey);
    const who = this.#owner();
    if (!offline || who === null || query.state.data === undefined || (offline.chatId !== null && this.#deletedIds.has(offline.chatId)))
      return;
    this.#changed.set(offline.name, { owner: who, query, offline });
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS);
  }

  async #noteOpened(who: string, chatId: string): Promise<void> {
    await this.#changeOpened(who, (ids) => (ids[0] === chatId ? ids : [chatId, ...ids.filter((id) => id !== chatId)]), CHATS);
  }

  /** Leaves so many chats, those opened last. */
  #forgetOldest(who: string, left: number): Promise<void> {
    return this.#changeOpened(who, (ids) => ids, left);
  }

  async #forget(who: string, chatIds: readonly string[]): Promise<void> {
    await this.#changeOpened(who, (ids) => ids.filter((id) => !chatIds.includes(id)), CHATS);
    await this.#removeRecords(who, chatIds);
  }

  /** Changes which chats were opened last as all tabs have noted it, and removes what falls off. */
  async #changeOpened(who: string, change: (ids: string[]) => string[], left: number): Promise<void> {
    let fallen: string[] = [];
    await this.#deps.store.change(who, OPENED, (stored) => {
      const ids = Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [];
      const next = change(ids);
      fallen = next.slice(left);
      return next === ids && fallen.length === 0 ? undefined : next.slice(0, left);
    });
    await this.#removeRecords(who, fallen);
  }

  async #removeRecords(who: string, chatIds: readonly string[]): Promise<void> {
    for (const id of chatIds) {
      for (const key of [keys.chat(id), keys.messages(id)]) await this.#deps.store.remove(who, JSON.stringify(key));
    }
  }

  /** What was deleted or withdrawn cannot be read here any more either. */
  #lose(chatId: string): void {
    const who = this.#owner();
    for (const [name, { offline }] of this.#changed) if (offline.chatId === chatId) this.#changed.delete(name);
    this.#deletedIds.add(chatId);
    if (who !== null) this.#forget(who, [chatId]).catch(() => undefined);
  }

  /** Shows what was kept of a query that has no answer; the server is asked again as soon as it can be. */
  async #revive(query: Query): Promise<void> {
    const offline = offlineQueryOf(query.queryKey);
    const who = this.#owner();
    if (!offline || who === null || this.#asked.has(query)) return;
    this.#asked.add(query);
    const data = offline.revive(await this.#deps.store.read(who, offline.name).catch(() => null));
    if (data === null || query.state.data !== undefined || who !== this.#owner()) return;
    this.#isReviving = true;
    this.#deps.client.setQueryData(query.queryKey, data);
    this.#isReviving = false;
    await this.#deps.client.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType: "none" });
  }

  /** What is kept of others goes as soon as the server has said who is here. */
  #settle(): void {
    const session = this.#deps.client.getQueryState<SessionAnswer>(keys.session);
    if (!session?.data || session.dataUpdatedAt === 0) return;
    const who = session.data.user?.id ?? null;
    if (who === this.#settledOwner) return;
    // Signed out: what waits here is of whoever was here; a visitor's waits for them to sign in.
    if (who === null && this.#settledOwner !== undefined) this.#deps.store.forgetShared().catch(() => undefined);
    this.#settledOwner = who;
    this.#changed.clear();
    this.#deletedIds.clear();
    this.#deps.store.keepOnly(who).catch(() => undefined);
  }

  #check(query: Query): void {
    const { data, error, fetchFailureReason: reason, fetchStatus } = query.state;
    const failure = [reason, error].find((cause) => cause instanceof ApiError && cause.code === "OFFLINE");
    if (failure) this.#deps.onUnreachable(failure);
    const chatId = chatOf(query);
    if (chatId !== null && !this.#deletedIds.has(chatId) && [reason, error].some(isRefusal)) this.#lose(chatId);
    if (data === undefined && (failure || fetchStatus === "paused" || this.#deps.isOffline())) void this.#revive(query);
  }

  #owner(): string | null {
    const session = this.#deps.client.getQueryState<SessionAnswer>(keys.session);
    if (session?.data === undefined) return this.#deps.remembered();
    return session.data.user?.id ?? null;
  }
}

/** The chat that a query asks for itself, not for its messages. */
function chatOf({ queryKey }: Query): string | null {
  return queryKey[0] === "chat" ? (offlineQueryOf(queryKey)?.chatId ?? null) : null;
}

/** The server's word that a chat is not there for this person. */
function isRefusal(cause: unknown): boolean {
  return cause instanceof ApiError && (cause.status === 403 || cause.status === 404);
}
