import { QueryClient } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Chat } from "#shared/entities/chat.ts";
import { OfflineKeeper } from "#web/features/shell/offline/keep-offline.ts";
import { offlineQueryOf } from "#web/features/shell/offline/offline-queries.ts";
import type { OfflineStore } from "#web/lib/offline-store.ts";
import { ApiError } from "#web/lib/api.ts";
import { keys } from "#web/lib/query.ts";
import { answer, id, question } from "./message-factory.ts";
import { chatRow } from "./chat-factory.ts";

const LIST = keys.chats("all", "all");
const AT = "2026-11-20T09:41:00.000Z";

const row = (number: number, fields: Partial<Chat> = {}) =>
  chatRow(id(number), AT, { user_id: id(9_000), title: `Chat ${number}`, ...fields });

const list = (...chats: Chat[]) => ({
  pages: [{ chats, nextCursor: null, unreadCount: 0, liveCursor: "7", end: chats.at(-1) }],
});
const path = (content: string) => ({ pages: [{ messages: [question({ content })], nextCursor: null }], pageParams: [undefined] });

/** A browser's database in memory; `room` is how many records it takes. */
function memoryStore(room = Number.POSITIVE_INFINITY) {
  const records = new Map<string, unknown>();
  const at = (owner: string, name: string) => `${owner} ${name}`;
  const store: OfflineStore = {
    read: async (owner, name) => structuredClone(records.get(at(owner, name))),
    async write(owner, name, data) {
      if (!records.has(at(owner, name)) && records.size >= room) throw new DOMException("No room left.", "QuotaExceededError");
      records.set(at(owner, name), structuredClone(data));
    },
    async change(owner, name, change) {
      const next = change(structuredClone(records.get(at(owner, name))));
      if (next !== undefined) await store.write(owner, name, next);
    },
    remove: async (owner, name) => records.delete(at(owner, name)),
    async keepOnly(owner) {
      for (const key of records.keys()) if (owner === null || !key.startsWith(`${owner} `)) records.delete(key);
    },
    forgetShared: async () => undefined,
  };
  return { store, records };
}

/** A page of an account, or of nobody; signing in and out is what the session's answers say. */
function openPage(store: OfflineStore, userId: string | null, { isOffline = false } = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const signIn = (who: string | null) => client.setQueryData(keys.session, { user: who === null ? null : { id: who } });
  if (!isOffline) signIn(userId);
  const onUnreachable = vi.fn<(error: Error) => void>();
  let lose: (chatId: string) => void = () => undefined;
  const onChatForgotten = (listener: (chatId: string) => void) => {
    lose = listener;
    return () => undefined;
  };
  const keeper = new OfflineKeeper({ client, store, remembered: () => userId, isOffline: () => isOffline, onUnreachable, onChatForgotten });
  onTestFinished(() => keeper.stop());
  const ask = (key: readonly unknown[]) =>
    client
      .fetchQuery({ queryKey: key, queryFn: () => Promise.reject(new ApiError({ code: "OFFLINE", message: "Away.", status: 0 })) })
      .catch(() => undefined);
  return {
    client,
    keeper,
    signIn,
    ask,
    onUnreachable,
    lose: (chatId: string) => lose(chatId),
    cached: (key: readonly unknown[]) => client.getQueryData(key),
  };
}

test("a list of a thousand rows and an opened chat are there for the next page, and are read again once there is a network", async () => {
  const { store } = memoryStore();
  const rows = Array.from({ length: 1_000 }, (_, number) => row(number));
  const earlier = openPage(store, "ada");
  earlier.client.setQueryData(LIST, list(...rows));
  earlier.client.setQueryData(keys.messages(id(1)), path("Kept?"));
  await earlier.keeper.flush();

  const page = openPage(store, "ada", { isOffline: true });
  await Promise.all([page.ask(LIST), page.ask(keys.messages(id(1)))]);
  await expect.poll(() => page.cached(LIST)).toEqual(list(...rows));
  await expect.poll(() => page.cached(keys.messages(id(1)))).toEqual(path("Kept?"));
  await expect.poll(() => page.client.getQueryState(LIST)?.isInvalidated).toBe(true);
  expect(page.onUnreachable).toHaveBeenCalled();
});

test("with a network nothing that was stored offline stands in for the server's answer", async () => {
  const { store } = memoryStore();
  await store.write("ada", JSON.stringify(LIST), list(row(1)));
  const page = openPage(store, "ada");
  await page.client.fetchQuery({ queryKey: LIST, queryFn: async () => list(row(2)) });
  expect(page.cached(LIST)).toEqual(list(row(2)));
});

test("signing out leaves nothing, and nobody sees what another account read", async () => {
  const { store, records } = memoryStore();
  const page = openPage(store, "ada");
  page.client.setQueryData(LIST, list(row(1)));
  await page.keeper.flush();
  expect(records.size).toBe(1);
  const others = openPage(store, "bob", { isOffline: true });
  await others.ask(LIST);
  expect(others.cached(LIST)).toBeUndefined();

  page.client.setQueryData(LIST, list(row(2)));
  page.signIn(null);
  await page.keeper.flush();
  expect([...records]).toEqual([]);
});

test("an account that signs in finds the database without what another one left", async () => {
  const { store, records } = memoryStore();
  await store.write("ada", JSON.stringify(LIST), list(row(1)));
  await store.write("bob", JSON.stringify(LIST), list(row(2)));
  openPage(store, "bob");
  await expect.poll(() => [...records.keys()]).toEqual([`bob ${JSON.stringify(LIST)}`]);
});

test("of all chats the thirty opened last are stored offline", async () => {
  const { store, records } = memoryStore();
  const page = openPage(store, "ada");
  for (let number = 1; number <= 32; number += 1) page.client.setQueryData(keys.messages(id(number)), path(`${number}`));
  await page.keeper.flush();
  page.client.setQueryData(keys.messages(id(3)), path("again"));
  page.client.setQueryData(keys.messages(id(33)), path("new"));
  await page.keeper.flush();
  const names = [...records.keys()].filter((key) => key.includes("messages"));
  expect(names).toHaveLength(30);
  expect(names.some((name) => name.includes(id(3)))).toBe(true);
  expect(names.some((name) => name.includes(id(4)))).toBe(false);
});

test("two tabs note together which chats were opened last", async () => {
  const { store, records } = memoryStore();
  const [here, there] = [openPage(store, "ada"), openPage(store, "ada")];
  for (let number = 1; number <= 20; number += 1) {
    here.client.setQueryData(keys.messages(id(number)), path(`${number}`));
    there.client.setQueryData(keys.messages(id(number + 20)), path(`${number}`));
    await here.keeper.flush();
    await there.keeper.flush();
  }
  const storedKeys = [...records.keys()].filter((key) => key.includes("messages"));
  expect(storedKeys).toHaveLength(30);
  expect(records.get("ada opened")).toHaveLength(30);
  expect(storedKeys.some((name) => name.includes(id(20)))).toBe(true);
  expect(storedKeys.some((name) => name.includes(id(40)))).toBe(true);
});

test("a chat that is deleted, or that the server says is nobody's here, leaves nothing to read", async () => {
  const { store, records } = memoryStore();
  const page = openPage(store, "ada");
  for (const number of [1, 2, 3]) page.client.setQueryData(keys.messages(id(number)), path(`${number}`));
  await page.keeper.flush();
  // An answer that was on its way when the chat was deleted.
  page.client.setQueryData(keys.messages(id(1)), path("late"));
  page.lose(id(1));
  page.client.setQueryData(keys.messages(id(1)), path("later"));
  const refused = () => Promise.reject(new ApiError({ code: "NOT_FOUND", message: "Gone.", status: 404 }));
  await page.client.fetchQuery({ queryKey: keys.chat(id(2)), queryFn: refused }).catch(() => undefined);
  await page.keeper.flush();
  await expect.poll(() => [...records.keys()].toSorted()).toEqual([`ada ${JSON.stringify(keys.messages(id(3)))}`, "ada opened"]);
  expect(records.get("ada opened")).toEqual([id(3)]);
});

test("a full disk costs the oldest chats, and no failure is seen", async () => {
  const { store, records } = memoryStore(20);
  const page = openPage(store, "ada");
  for (let number = 1; number <= 25; number += 1) page.client.setQueryData(keys.messages(id(number)), path(`${number}`));
  await page.keeper.flush();
  expect([...records.keys()].some((name) => name.includes(id(25)))).toBe(true);
  expect(records.size).toBeLessThanOrEqual(20);
});

test("a browser without a database is as it was", async () => {
  const none = () => Promise.reject(new Error("No database here."));
  const page = openPage({ read: none, write: none, change: none, remove: none, keepOnly: none, forgetShared: none }, "ada");
  page.client.setQueryData(keys.messages(id(1)), path("Kept?"));
  await page.keeper.flush();
  await page.ask(LIST);
  expect(page.cached(LIST)).toBeUndefined();
});

test("nobody says that a reply is being written where nobody can know, and what has another shape is left alone", () => {
  const live = { pages: [{ messages: [answer({ status: "streaming", content: "Half" })], nextCursor: null }], pageParams: [undefined] };
  expect(offlineQueryOf(keys.messages(id(1)))?.revive(live)).toMatchObject({
    pages: [{ messages: [{ status: "interrupted", content: "Half" }] }],
  });
  expect(offlineQueryOf(LIST)?.revive(list(row(1, { isStreaming: true })))).toMatchObject({ pages: [{ chats: [row(1)] }] });
  expect(offlineQueryOf(LIST)?.revive({ pages: [{ chats: [{ id: id(1) }] }] })).toBeNull();
  expect(offlineQueryOf(keys.session)).toBeNull();
  expect(offlineQueryOf(keys.memories)).toBeNull();
});
