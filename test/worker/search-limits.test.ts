import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { deleteChat, listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import { changeChats } from "#shared/contracts/chat/inbox.ts";
import { search, type SearchHit } from "#shared/contracts/search.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { type Seed, seedList } from "#test/support/seed-list.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn } from "#test/support/worker.ts";
import { followList } from "#worker/conversation/user-hub/search/search-chats.ts";
import { putMessage } from "#worker/conversation/user-hub/search/search-places.ts";

const HOUR = 60 * 60_000;

type SignedIn = Awaited<ReturnType<typeof signIn>>;
type Query = { q: string; kind?: "chat" | "message" | "todo"; limit?: number };

/** Every page of what is found, asked until all was read; a page as a list of ids. */
async function pagesOf(client: Client, query: Query): Promise<SearchHit[][]> {
  const pages: SearchHit[][] = [];
  for (let cursor: string | undefined; ;) {
    const answer = await until("a whole answer", async () => {
      const now = await client.take(search, { query: { ...query, ...(cursor !== undefined && { cursor }) } });
      return now.isIncomplete ? null : now;
    });
    pages.push(answer.hits);
    if (answer.nextCursor === null) return pages;
    cursor = answer.nextCursor;
  }
}

async function find(client: Client, query: Query): Promise<SearchHit[]> {
  return (await pagesOf(client, query)).flat();
}

function hubOf(client: SignedIn) {
  return env.USER_HUB.getByName(client.user.id);
}

/** Fills the list, and the index as if all was read: no rooms stand behind these chats. */
async function seedIndexed(client: SignedIn, seeds: Seed[]): Promise<string[]> {
  await find(client, { q: "makes the index" });
  const ids = await seedList(client.user.id, seeds);
  await runInDurableObject(hubOf(client), (_, { storage }) => {
    while (!storage.transactionSync(() => followList(storage.sql)));
    storage.sql.exec("UPDATE search_chats SET stale = NULL, version = 1");
  });
  return ids;
}

/** Puts messages into the index as if they had been read from a chat's room. */
async function indexMessages(client: SignedIn, chatId: string, texts: readonly string[]): Promise<void> {
  await runInDurableObject(hubOf(client), (_, { storage }) => {
    const { number } = storage.sql.exec<{ number: number }>("SELECT number FROM search_chats WHERE chat_id = ?", chatId).one();
    storage.transactionSync(() => {
      for (const [seq, text] of texts.entries()) {
        const at = new Date(Date.UTC(2026, 0, 1) + seq * 60_000).toISOString();
        const author = { authorId: null, authorName: null, modelId: "maker/model" };
        putMessage(storage.sql, number, {
          message: { seq, id: crypto.randomUUID(), ...author, at, text, isFinal: true },
          userId: client.user.id,
        });
      }
    });
  });
}

function countPlaces(client: SignedIn): Promise<number> {
  return runInDurableObject(hubOf(client), (_, { storage }) => {
    return storage.sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM search_places").one().n;
  });
}

it("a very long answer is found by each of its words, once, with the part that matched", async () => {
  const user = await signIn();
  const { chatId, replyId, messageId } = await startChatAndRead(user, "say a sandgrouse");
  const filler = "**lorem** ipsum ".repeat(14_000);
  const content = `A sandgrouse. ${filler} a ptarmigan ${filler} another sandgrouse, and the last **wheatear** of all`;
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), async (room, { storage }) => {
    storage.sql.exec("UPDATE messages SET content = ? WHERE id = ?", content, replyId);
    await room.reportTo(user.user.id);
  });
  const [ptarmigan, ...others] = await find(user, { q: "ptarmigan ipsum", kind: "message" });
  expect(others).toEqual([]);
  expect(ptarmigan).toMatchObject({ id: replyId });
  expect((await find(user, { q: '"last wheatear of"', kind: "message" })).map(({ snippet }) => snippet)).toEqual([
    expect.objectContaining({ text: expect.stringMatching(/^… .*the last wheatear of all$/) }),
  ]);
  for (const limit of [20, 1]) {
    const hits = await find(user, { q: "sandgrouse", kind: "message", limit });
    expect(hits.map(({ id }) => id)).toEqual([replyId, messageId]);
    expect(hits[0]?.snippet.text).toMatch(/^A sandgrouse\. lorem/);
  }
});

it("a search over many chats looks at all that its filters leave, however old, and pages through all titles that match", async () => {
  const user = await signIn();
  const seeds = Array.from({ length: 1_060 }, (_, n) => ({ age: (1_060 - n) * HOUR, unread: true, row: { title: `Ledger ${n}` } }));
  const ids = await seedIndexed(user, seeds);
  const oldest = ids[0] ?? "";
  await indexMessages(user, oldest, ["an old plover"]);
  expect((await find(user, { q: "plover is:unread" })).map(({ chat }) => chat.id)).toEqual([oldest]);
  expect((await find(user, { q: "plover in:ledger from:model" })).map(({ chat }) => chat.id)).toEqual([oldest]);
  expect(await find(user, { q: "plover is:pinned" })).toEqual([]);

  const before = new Date(Date.now() - (1_060 - 45) * HOUR - HOUR / 2).toISOString();
  const newestFirst = ids.slice(0, 45).toReversed();
  const titles = await pagesOf(user, { q: `ledger before:${before}`, kind: "chat", limit: 20 });
  expect(titles.map(({ length }) => length)).toEqual([20, 20, 5]);
  expect(titles.flat().map(({ id }) => id)).toEqual(newestFirst);
  expect((await find(user, { q: `before:${before}`, kind: "chat" })).map(({ id }) => id)).toEqual(newestFirst);
  expect((await find(user, { q: `is:unread before:${before}` })).map(({ id }) => id)).toEqual(newestFirst);

  await indexMessages(user, oldest, ["a ledger", "the ledger"]);
  const mixed = (await find(user, { q: `ledger before:${before}` })).map(({ kind, id }) => (kind === "chat" ? id : kind));
  expect(mixed).toEqual([...newestFirst.slice(0, 5), "message", "message", ...newestFirst.slice(5)]);
});

it("the index of a lost chat is emptied bit by bit, whether its user searches again or not", async () => {
  const user = await signIn();
  const [one, other] = [await startChatAndRead(user, "say a first knot"), await startChatAndRead(user, "say a second knot")];
  await until("both in the list", async () => (await user.take(listChats, {})).chats.length === 2);
  expect((await find(user, { q: "knot", kind: "message" })).length).toBe(4);
  await indexMessages(
    user,
    one.chatId,
    Array.from({ length: 700 }, () => "a knot"),
  );
  await user.take(deleteChat, { params: { id: one.chatId } });
  const { hits } = await user.take(search, { query: { q: "knot", kind: "message" } });
  expect(new Set(hits.map(({ chat }) => chat.id))).toEqual(new Set([other.chatId]));
  expect(await countPlaces(user)).toBeGreaterThan(2);
  await user.take(changeChats, { body: { ids: [other.chatId], action: "delete" } });
  await runInDurableObject(hubOf(user), (_, { storage }) => void storage.sql.exec("UPDATE search_state SET searched_at = 0"));
  await until("an empty index", async () => {
    await runDurableObjectAlarm(hubOf(user));
    return (await countPlaces(user)) === 0;
  });
});

it("a chat that is off the list is no longer found, by words of its texts or of its title, while its index still stands", async () => {
  const user = await signIn();
  const { chatId } = await startChatAndRead(user, "say a whimbrel");
  await user.take(updateChat, { params: { id: chatId }, body: { title: "Whimbrels" } });
  await until("the chat found", async () => new Set((await find(user, { q: "whimbrel" })).map(({ kind }) => kind)).size === 2);
  for (const state of [1, 2]) {
    await runInDurableObject(hubOf(user), (_, { storage }) => void storage.sql.exec("UPDATE chats SET deleted = ?", state));
    expect(await countPlaces(user)).toBeGreaterThan(0);
    expect(await find(user, { q: "whimbrel" })).toEqual([]);
  }
});

it("an index of an older form is built anew by the first search, and loses what is lost before that", async () => {
  const user = await signIn();
  const [kept, lost] = [await startChatAndRead(user, "say a dotterel"), await startChatAndRead(user, "say a dotterel")];
  await until("both in the list", async () => (await user.take(listChats, {})).chats.length === 2);
  const age = () =>
    runInDurableObject(hubOf(user), (_, { storage }) => {
      storage.sql.exec("DROP TABLE IF EXISTS search_chats");
      storage.sql.exec("CREATE TABLE search_chats (number INTEGER PRIMARY KEY, chat_id TEXT NOT NULL)");
      storage.sql.exec("UPDATE search_state SET format = 1");
    });
  const chatsOf = async () => new Set((await find(user, { q: "dotterel", kind: "message" })).map(({ chat }) => chat.id));
  expect(await chatsOf()).toEqual(new Set([kept.chatId, lost.chatId]));
  await age();
  expect(await chatsOf()).toEqual(new Set([kept.chatId, lost.chatId]));
  await age();
  await user.take(deleteChat, { params: { id: lost.chatId } });
  expect(await chatsOf()).toEqual(new Set([kept.chatId]));
});
