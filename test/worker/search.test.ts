import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { createChat, deleteChat, listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import { editMessage, regenerateReply, sendMessage } from "#shared/contracts/chat/messages.ts";
import { search, type SearchHit } from "#shared/contracts/search.ts";
import { removeShare } from "#shared/contracts/chat/sharing.ts";
import { countRows } from "#test/support/count-rows.ts";
import { CHEAP_MODEL, readReply, startChatAndRead } from "#test/support/replies.ts";
import { shareIdOf, startSharedChat } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn } from "#test/support/worker.ts";
import { ALL_SOURCES } from "#worker/conversation/tools/private-source.ts";
import { followList } from "#worker/conversation/user-hub/search/search-chats.ts";
import { putMessage } from "#worker/conversation/user-hub/search/search-places.ts";

type Query = { q: string; kind?: "chat" | "message" | "todo"; cursor?: string; limit?: number };

/** Asks until all was read, as the web does. */
async function find(client: Client, query: Query | string): Promise<SearchHit[]> {
  const asked = typeof query === "string" ? { q: query } : query;
  const answer = await until("a whole answer", async () => {
    const now = await client.take(search, { query: asked });
    return now.isIncomplete ? null : now;
  });
  return answer.hits;
}

/** What was found in the user's own messages: what is marked in each. */
async function found(client: Client, q: string): Promise<string[]> {
  const hits = await find(client, { q: `from:me ${q}`, kind: "message" });
  return hits.map(({ snippet }) => snippet.ranges.map(({ start, end }) => snippet.text.slice(start, end)).join("|"));
}

/** A chat of one question and its echo that the list knows; the next one is newer to the index, which distinguishes times by hundredths of a second and gives each message one. */
async function say(client: Client, text: string) {
  const chat = await startChatAndRead(client, `say ${text}`);
  const at = Date.now();
  await until("the chat in the list, and a later time", async () => {
    const { chats } = await client.take(listChats, {});
    return Date.now() > at + 50 && chats.some(({ id, isStreaming }) => id === chat.chatId && !isStreaming);
  });
  return chat;
}

it("a search follows chats that were marked at once as a whole, however few it takes over in one go", async () => {
  const user = await signIn();
  const titles = Array.from({ length: 7 }, (_, n) => `Chat ${n}`);
  const chats = await Promise.all(titles.map(async (title) => (await user.take(createChat, { body: { title } })).chat.id));
  await until("all in the list", async () => (await user.take(listChats, {})).chats.length === chats.length);
  expect(await find(user, "one two three")).toEqual([]);
  await runInDurableObject(env.USER_HUB.getByName(user.user.id), (_, { storage }) => {
    storage.sql.exec("UPDATE chats SET is_pinned = 1, changed = (SELECT MAX(changed) + 1 FROM chats)");
    while (!followList(storage.sql, 2));
  });
  expect((await find(user, "is:pinned")).map(({ chat }) => chat.id).toSorted()).toEqual(chats.toSorted());
});

it("a search finds messages by words, beginnings and phrases, the newest first, with what matched", async () => {
  const user = await signIn();
  const first = await say(user, "The **notice period** is six weeks before the term ends.");
  const second = await say(user, "Period of notice: three months.");
  const hits = await find(user, { q: "notice period", kind: "message" });
  const replies = hits.filter(({ author }) => author !== "You");
  expect(replies.map(({ id }) => id)).toEqual([second.replyId, first.replyId]);
  expect(replies[1]).toMatchObject({
    kind: "message",
    chat: { id: first.chatId, isPinned: false, archived: false, isShared: false },
    author: "gpt-5-mini",
    model_id: "openai/gpt-5-mini",
    snippet: {
      text: "The notice period is six weeks before the term ends.",
      ranges: [
        { start: 4, end: 10 },
        { start: 11, end: 17 },
      ],
    },
  });
  expect(hits.find(({ author }) => author === "You")).toMatchObject({ chat: { id: second.chatId }, model_id: null });
  expect(await found(user, '"notice period"')).toEqual(["notice period"]);
  expect(await found(user, "mont")).toEqual(["months"]);
  // A short beginning stands for the whole word.
  expect(await found(user, "no")).toEqual([]);
  expect(await found(user, "notice absent")).toEqual([]);
});

it("a search finds what is written with accents, in scripts without spaces, and emoji", async () => {
  const user = await signIn();
  await say(user, "Crème brûlée à la Straße, Łódź");
  await say(user, "東京都の天気を調べてください");
  await say(user, "Ship it 🚀 tonight");
  await say(user, "हिन्दी में लिखो");
  expect(await found(user, "creme")).toEqual(["Crème"]);
  expect(await found(user, "BRÛLÉE strasse")).toEqual(["brûlée|Straße"]);
  expect(await found(user, "lodz")).toEqual(["Łódź"]);
  expect(await found(user, "天気")).toEqual(["天気"]);
  expect(await found(user, "京")).toEqual(["京"]);
  expect(await found(user, "気天")).toEqual([]);
  expect(await found(user, "🚀")).toEqual(["🚀"]);
  expect(await found(user, "हिन्दी")).toEqual(["हिन्दी"]);
});

it("a search obeys its filters", async () => {
  const user = await signIn();
  const lease = await say(user, "The lease ends in May.");
  const boat = await say(user, "A lease of a boat.");
  await user.take(updateChat, { params: { id: lease.chatId }, body: { title: "Kastanienallee 41", isPinned: true } });
  await user.take(updateChat, { params: { id: boat.chatId }, body: { title: "Names for the boat", archived: true, isRead: true } });
  const chatsOf = async (q: string) => [...new Set((await find(user, q)).map(({ chat }) => chat.id))];
  expect(await chatsOf("lease")).toEqual([boat.chatId, lease.chatId]);
  expect(await chatsOf("lease in:kastanien")).toEqual([lease.chatId]);
  expect(await chatsOf('lease in:"for the boat"')).toEqual([boat.chatId]);
  expect(await chatsOf("lease in:nowhere")).toEqual([]);
  expect(await chatsOf("lease is:pinned")).toEqual([lease.chatId]);
  expect(await chatsOf("lease is:archived")).toEqual([boat.chatId]);
  expect(await chatsOf("lease is:shared")).toEqual([]);
  expect(await chatsOf("is:pinned")).toEqual([lease.chatId]);
  expect((await find(user, "lease from:gpt")).map(({ id }) => id)).toEqual([boat.replyId, lease.replyId]);
  expect((await find(user, "lease from:me in:kastanien")).map(({ id }) => id)).toEqual([lease.messageId]);
  expect(await chatsOf("lease from:nobody")).toEqual([]);
  expect(await chatsOf("lease after:today")).toEqual([boat.chatId, lease.chatId]);
  expect(await chatsOf("lease before:today")).toEqual([]);
  await user.take(updateChat, { params: { id: lease.chatId }, body: { isPinned: false, isRead: false } });
  expect(await chatsOf("is:pinned")).toEqual([]);
  expect(await chatsOf("lease is:unread")).toEqual([lease.chatId]);
});

it("a search finds one's own published chats, and not those that others published", async () => {
  const { chatId, owner, as } = await startSharedChat(["viewer"], "say A cormorant in public");
  const reader = as("viewer");
  expect(await find(owner, "is:public")).toEqual([]);
  await owner.take(updateChat, { params: { id: chatId }, body: { public: true } });
  const published = await until("the chat as published", async () => {
    const hits = await find(owner, "is:public");
    return hits.length === 0 ? null : hits;
  });
  expect(published.map(({ chat }) => chat.id)).toEqual([chatId]);
  expect((await find(owner, "cormorant is:public")).length).toBeGreaterThan(0);
  expect((await find(reader, "cormorant")).length).toBeGreaterThan(0);
  expect(await find(reader, "cormorant is:public")).toEqual([]);
  await owner.take(updateChat, { params: { id: chatId }, body: { public: false } });
  await until("the chat as unpublished", async () => (await find(owner, "is:public")).length === 0);
});

it("a search finds chats by their titles before anything else, and todos", async () => {
  const user = await signIn();
  const { chatId } = await startChatAndRead(user, 'call addTodoItem {"text":"Buy lanterns"}\nthen\nsay Planned.');
  await user.take(updateChat, { params: { id: chatId }, body: { title: "Lantern festival" } });
  const hits = await find(user, "lantern");
  expect(hits[0]).toMatchObject({
    kind: "chat",
    id: chatId,
    chat: { title: { text: "Lantern festival", ranges: [{ start: 0, end: 7 }] } },
  });
  expect(hits.find(({ kind }) => kind === "todo")).toMatchObject({
    chat: { id: chatId },
    snippet: { text: "Buy lanterns", ranges: [{ start: 4, end: 12 }] },
  });
  expect((await find(user, { q: "lantern", kind: "chat" })).map(({ kind }) => kind)).toEqual(["chat"]);
  expect((await find(user, "in:todos lantern")).map(({ kind }) => kind)).toEqual(["todo"]);
  expect(await find(user, 'in:"todos" lantern')).toEqual([]);
  expect((await find(user, "l")).map(({ id }) => id)).toEqual([chatId]);
});

it("a search pages by a cursor", async () => {
  const user = await signIn();
  const { chatId, replyId } = await say(user, "one pigeon");
  await user.take(sendMessage, {
    params: { id: chatId },
    body: { id: crypto.randomUUID(), parent_id: replyId, content: "say another pigeon", model_id: CHEAP_MODEL },
  });
  await until("four messages", async () => (await find(user, { q: "pigeon", kind: "message" })).length === 4);
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 4; page += 1) {
    const answer = await user.take(search, { query: { q: "pigeon", kind: "message", limit: 1, ...(cursor && { cursor }) } });
    seen.push(...answer.hits.map(({ id }) => id));
    expect(answer.nextCursor === null).toBe(page === 3);
    cursor = answer.nextCursor ?? undefined;
  }
  expect(new Set(seen).size).toBe(4);
});

it("a search goes on at a cursor of its own alone, as the list of chats does", async () => {
  const user = await signIn();
  const refusal = { status: 400, error: { code: "INVALID_INPUT", error: "This cursor is not one of this list." } };
  for (const cursor of ["zz", "", "c", "1c", "x; DROP TABLE chats", "2~2026~x"]) {
    expect(await user.call(search, { query: { q: "a", cursor } })).toMatchObject(refusal);
    expect(await user.call(listChats, { query: { cursor } })).toMatchObject(refusal);
  }
});

it("a search never fails, whatever is typed", async () => {
  const user = await signIn();
  await say(user, 'a quote " and NEAR(a b) in it');
  const typed = [
    '"',
    '"""',
    "*",
    "^",
    "NEAR(",
    "a AND",
    "OR",
    "NOT x",
    "text:foo",
    "{a b}",
    "a:",
    "in:",
    'in:"',
    "from:***",
    "is:x",
    "before:",
    "(((",
    "\u0000",
    "%",
    "\ud800",
    "-",
    "x".repeat(300),
  ];
  for (const q of typed) expect((await user.call(search, { query: { q } })).status).toBe(200);
  expect(await found(user, "NEAR(a")).toEqual(["NEAR(a"]);
  expect(await user.call(search, { query: { q: "x".repeat(301) } })).toMatchObject({ ok: false, error: { code: "INVALID_INPUT" } });
  expect(await find(user, "")).toEqual([]);
});

it("the index follows new messages, edits, other answers and renamed chats", async () => {
  const user = await signIn();
  const { chatId, messageId, replyId } = await say(user, "walnut");
  expect(await found(user, "walnut")).toHaveLength(1);
  const edited = await user.take(editMessage, {
    params: { id: chatId, messageId },
    body: { id: crypto.randomUUID(), content: "say hazelnut", model_id: CHEAP_MODEL },
  });
  await readReply(user, { chatId, replyId: edited.replyId });
  const again = await user.take(regenerateReply, { params: { id: chatId, messageId: replyId }, body: { id: crypto.randomUUID() } });
  await readReply(user, { chatId, replyId: again.replyId });
  const versions = async (q: string) => (await find(user, { q, kind: "message" })).length;
  await until("all versions", async () => (await versions("walnut")) === 3 && (await versions("hazelnut")) === 2);
  await user.take(updateChat, { params: { id: chatId }, body: { title: "Trees" } });
  expect((await find(user, "tree")).map(({ kind }) => kind)).toEqual(["chat"]);
});

it("the index is another user's never, and loses a deleted chat at once", async () => {
  const [user, other] = [await signIn(), await signIn()];
  const { chatId } = await say(user, "a secret heron");
  expect(await found(user, "heron")).toEqual(["heron"]);
  expect(await find(other, "heron")).toEqual([]);
  await user.take(deleteChat, { params: { id: chatId } });
  expect(await find(user, "heron")).toEqual([]);
  await runInDurableObject(env.USER_HUB.getByName(user.user.id), (_, { storage }) => {
    expect(storage.sql.exec("SELECT COUNT(*) AS n FROM search_places").one()).toEqual({ n: 0 });
  });
});

it("the index finds what is shared for who may read it, and nothing of it from the moment they may not", async () => {
  const { owner, chatId, as } = await startSharedChat(["viewer"], "say a shared avocet");
  const viewer = as("viewer");
  await until("the chat in the reader's list", async () => (await find(viewer, "avocet")).length > 0);
  expect((await find(viewer, { q: "avocet is:shared from:gpt", kind: "message" })).map(({ chat }) => chat)).toMatchObject([
    { id: chatId, isShared: true },
  ]);
  await owner.take(removeShare, { params: { id: chatId, shareId: await shareIdOf(owner, chatId, viewer.email) } });
  expect(await find(viewer, "avocet")).toEqual([]);
  expect((await find(owner, { q: "avocet", kind: "message" })).length).toBe(2);
  expect((await viewer.take(search, { query: { q: "avocet" } })).hits).toEqual([]);
  await runInDurableObject(env.USER_HUB.getByName(viewer.user.id), (_, { storage }) => {
    expect(storage.sql.exec("SELECT COUNT(*) AS n FROM search_places").one()).toEqual({ n: 0 });
  });
});

it("the index reads once more what was not final, wherever it stands", async () => {
  const user = await signIn();
  const { chatId, replyId } = await say(user, "a dunlin");
  const room = env.CHAT_ROOM.getByName(chatId);
  const change = (status: string, content: string) =>
    runInDurableObject(room, async (instance, { storage }) => {
      storage.sql.exec("UPDATE messages SET status = ?, content = ? WHERE id = ?", status, content, replyId);
      await instance.reportTo(user.user.id);
    });
  await change("interrupted", "a dun");
  expect((await find(user, { q: "dunlin", kind: "message" })).length).toBe(1);
  await change("done", "a dunlin and an osprey");
  expect((await find(user, { q: "osprey", kind: "message" })).map(({ id }) => id)).toEqual([replyId]);
});

it("the index reads at most 200 rows for a page, however much matches", async () => {
  const user = await signIn();
  await say(user, "a first pigeon");
  await find(user, "pigeon");
  await runInDurableObject(env.USER_HUB.getByName(user.user.id), async (hub, { storage }) => {
    for (let n = 0; n < 2_000; n += 1) {
      const at = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();
      const message = {
        seq: n,
        id: crypto.randomUUID(),
        authorId: null,
        authorName: null,
        modelId: "maker/model",
        at,
        text: `pigeon ${n}`,
        isFinal: true,
      };
      storage.transactionSync(() => putMessage(storage.sql, 1, { message, userId: user.user.id }));
    }
    for (const q of ["pigeon", "pig", '"pigeon 7"', "pigeon is:unread from:model"]) {
      const counted = countRows(storage.sql);
      const { hits } = await hub.search({ q, limit: 20, sources: ALL_SOURCES });
      const { read } = counted();
      expect(hits.length).toBeGreaterThan(0);
      expect(read).toBeGreaterThan(5);
      expect(read).toBeLessThanOrEqual(200);
    }
  });
});

it("the index is kept up by alarm where its user searches, and not made where they do not", async () => {
  const [user, idle] = [await signIn(), await signIn()];
  expect(await find(user, "plover")).toEqual([]);
  await say(user, "a plover");
  await say(idle, "a plover");
  const hub = env.USER_HUB.getByName(user.user.id);
  await until("the reading", async () => {
    await runDurableObjectAlarm(hub);
    return runInDurableObject(hub, (_, { storage }) => storage.sql.exec("SELECT 1 FROM search_places").toArray().length > 0);
  });
  await runInDurableObject(env.USER_HUB.getByName(idle.user.id), async (_, { storage }) => {
    expect(storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'search_state'").toArray()).toEqual([]);
    // It wakes for the report of its day alone.
    const { at } = storage.sql.exec<{ at: number }>("SELECT due_at AS at FROM due_work WHERE kind = 'usage'").one();
    expect(await storage.getAlarm()).toBe(at);
  });
});

it("the index is built anew by one job from the database and the rooms, the list's lost rows too", async () => {
  const user = await signIn();
  const chats = [await say(user, "a bittern here"), await say(user, "a bittern there")];
  expect(await found(user, "bittern")).toEqual(["bittern", "bittern"]);
  const hub = env.USER_HUB.getByName(user.user.id);
  await runInDurableObject(hub, (_, { storage }) => {
    storage.sql.exec("DELETE FROM chats WHERE id = ?", chats[0]?.chatId ?? "");
    storage.sql.exec("DROP TABLE search_words");
  });
  expect((await user.call(search, { query: { q: "bittern" } })).ok).toBe(true);
  for (let twice = 0; twice < 2; twice += 1) await env.JOBS.send({ kind: "reindex", userId: user.user.id, step: { name: "start" } });
  await until("the index", async () => (await found(user, "bittern")).length === 2, 30_000);
  const chatIds = new Set((await find(user, "bittern")).map(({ chat }) => chat.id));
  expect([...chatIds].toSorted()).toEqual(chats.map(({ chatId }) => chatId).toSorted());
});
