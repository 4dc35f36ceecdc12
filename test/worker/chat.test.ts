import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { deleteChat, getChat, listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import { editMessage, listMessages, regenerateReply, selectVersion, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import { addToQueue } from "#shared/contracts/chat/queue.ts";
import { MOVED_ON } from "#shared/moved-on.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { CHEAP_MODEL, readReply, settledOf, startChat, startChatAndRead, textOf } from "#test/support/replies.ts";
import { killRoom } from "#test/support/kill-room.ts";
import { listedRow } from "#test/support/seed-list.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";
import { ChatRoom } from "#worker/conversation/chat-room/chat-room.ts";
import { UserHub } from "#worker/conversation/user-hub/user-hub.ts";

afterEach(() => void vi.restoreAllMocks());

it("a chat is made by its first message, streams the reply and keeps both", async () => {
  const user = await signIn();
  const { chatId, messageId, replyId, text, settled } = await startChatAndRead(user, "say Hello **there**");
  expect(text).toBe("Hello **there**");
  expect(settled).toMatchObject({ status: "done", finish_reason: "stop", model_id: CHEAP_MODEL, text: text.length });
  expect(settled.cost).toBeGreaterThan(0);
  const { messages, nextCursor } = await user.take(listMessages, { params: { id: chatId } });
  expect(nextCursor).toBeNull();
  expect(messages.map(({ id, role, content, status, parent_id }) => ({ id, role, content, status, parent_id }))).toEqual([
    { id: messageId, role: "user", content: "say Hello **there**", status: "done", parent_id: null },
    { id: replyId, role: "assistant", content: "Hello **there**", status: "done", parent_id: messageId },
  ]);
  expect(messages[0]?.author).toEqual({ id: user.user.id, display_name: user.user.display_name });
});

it("a chat appears in the list with title, preview and sender, newest first, unread as nobody looked", async () => {
  const user = await signIn();
  await startChatAndRead(user, "say first answer");
  const { chatId } = await startChatAndRead(user, "say # Second\n\nanswer with [a link](https://example.com)");
  const chats = await until("both chats settled in the list", async () => {
    const page = await user.take(listChats, {});
    return page.chats.length === 2 && page.chats.every((chat) => !chat.isStreaming) ? page.chats : null;
  });
  expect(chats[0]).toMatchObject({ id: chatId, lastMessageSender: "", permissionLevel: "owner", isRead: false });
  expect(chats[0]?.lastMessagePreview).toContain("answer with a link");
  // Whose answer it is, by the model that gave it.
  expect(chats[0]?.lastMessageModel).toMatch(/^[\w~-]+\/[\w.:-]+$/);
  expect((await user.take(getChat, { params: { id: chatId } })).chat.lastMessageModel).toBe(chats[0]?.lastMessageModel);
  expect(chats[0]?.title).not.toBe("");
});

it("a chat pages the list without losing or repeating a chat", async () => {
  const user = await signIn();
  const made: string[] = [];
  for (let n = 0; n < 5; n += 1) made.push((await startChatAndRead(user, `say ${n}`)).chatId);
  await until("all settled in the list", async () => {
    const { chats } = await user.take(listChats, {});
    return chats.length === made.length && chats.every(({ isStreaming }) => !isStreaming);
  });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await user.take(listChats, { query: { limit: 2, cursor } });
    seen.push(...page.chats.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen.toSorted()).toEqual(made.toSorted());
});

it("a chat gives the model the whole active path", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChatAndRead(user, "say one");
  const id = crypto.randomUUID();
  const turn = await user.take(sendMessage, {
    params: { id: chatId },
    body: { id, parent_id: replyId, content: "What did I ask before?", model_id: CHEAP_MODEL },
  });
  const text = textOf(await readReply(user, { chatId, replyId: turn.replyId }));
  expect(text).toContain("say one");
});

it("a chat answers the same request the same, and refuses the id with other content", async () => {
  const user = await signIn();
  const chatId = crypto.randomUUID();
  const body = { id: crypto.randomUUID(), parent_id: null, content: "say once", model_id: CHEAP_MODEL };
  const [first, second] = await Promise.all([
    user.take(sendMessage, { params: { id: chatId }, body }),
    user.take(sendMessage, { params: { id: chatId }, body }),
  ]);
  expect(second).toEqual(first);
  await readReply(user, { chatId, replyId: first.replyId });
  expect(await user.take(sendMessage, { params: { id: chatId }, body })).toEqual(first);
  const other = await user.call(sendMessage, { params: { id: chatId }, body: { ...body, content: "say twice" } });
  expect(other).toMatchObject({ ok: false, status: 409, error: { code: "CONFLICT" } });
  expect((await user.take(listMessages, { params: { id: chatId } })).messages).toHaveLength(2);
});

it("a chat takes one turn at a time and stores nothing of a refused one", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChat(user, "speed 20\nbytes 4000");
  const refused = await user.call(sendMessage, {
    params: { id: chatId },
    body: { id: crypto.randomUUID(), parent_id: replyId, content: "say no", model_id: CHEAP_MODEL },
  });
  expect(refused).toMatchObject({ ok: false, status: 409, error: { code: "TURN_IN_PROGRESS" } });
  await user.take(stopReply, { params: { id: chatId } });
  expect((await user.take(listMessages, { params: { id: chatId } })).messages).toHaveLength(2);
});

it("a chat takes a message only after the end of what its writer looks at, and stores nothing else", async () => {
  const user = await signIn();
  const { chatId, messageId, replyId } = await startChatAndRead(user, "say one");
  const params = { id: chatId };
  const send = (parentId: string, content: string) =>
    user.call(sendMessage, { params, body: { id: crypto.randomUUID(), parent_id: parentId, content, model_id: CHEAP_MODEL } });
  const next = await send(replyId, "say two");
  const second = next.ok ? next.body.replyId : "";
  await readReply(user, { chatId, replyId: second });
  const movedOn = { ok: false, status: 409, error: { code: "CHAT_MOVED_ON", error: MOVED_ON } };
  // Of a tab that holds the first exchange, or only its question.
  for (const parentId of [replyId, messageId]) expect(await send(parentId, "say unseen")).toMatchObject(movedOn);
  const now = await user.take(listMessages, { params });
  expect(now.messages.map(({ content }) => content)).toEqual(["say one", "one", "say two", "two"]);
  expect(now.messages[2]?.sibling_ids).toHaveLength(1);

  // An answer that was answered again elsewhere: first the other one is seen, or the earlier one chosen.
  const again = await user.take(regenerateReply, { params: { id: chatId, messageId: second }, body: { id: crypto.randomUUID() } });
  await readReply(user, { chatId, replyId: again.replyId });
  expect(await send(second, "say to the earlier")).toMatchObject(movedOn);
  await user.take(selectVersion, { params: { id: chatId, messageId: second } });
  const chosen = await send(second, "say to the earlier");
  expect(chosen.ok).toBe(true);
  await readReply(user, { chatId, replyId: chosen.ok ? chosen.body.replyId : "" });
  expect((await user.take(listMessages, { params })).messages.map(({ content }) => content).slice(3)).toEqual([
    "two",
    "say to the earlier",
    "to the earlier",
  ]);
});

it("a chat keeps what was produced when it is stopped", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChat(user, "speed 40\nbytes 4000");
  const seen = await readReply(user, { chatId, replyId, enough: (events) => textOf(events).length > 20 });
  await user.take(stopReply, { params: { id: chatId } });
  const all = await readReply(user, { chatId, replyId });
  expect(settledOf(all).status).toBe("stopped");
  expect(textOf(all).startsWith(textOf(seen))).toBe(true);
  expect(textOf(all).length).toBeLessThan(4000);
  const { messages } = await user.take(listMessages, { params: { id: chatId } });
  expect(messages[1]).toMatchObject({ status: "stopped", content: textOf(all) });
});

it("a chat keeps every version: regenerate and edit make siblings, and each is selected again", async () => {
  const user = await signIn();
  const { chatId, messageId, replyId } = await startChatAndRead(user, "say original");
  const again = await user.take(regenerateReply, {
    params: { id: chatId, messageId: replyId },
    body: { id: crypto.randomUUID(), model_id: "deepseek/deepseek-v3.2" },
  });
  expect(settledOf(await readReply(user, { chatId, replyId: again.replyId })).model_id).toBe("deepseek/deepseek-v3.2");
  const edited = await user.take(editMessage, {
    params: { id: chatId, messageId },
    body: { id: crypto.randomUUID(), content: "say changed" },
  });
  await readReply(user, { chatId, replyId: edited.replyId });
  const now = await user.take(listMessages, { params: { id: chatId } });
  expect(now.messages.map(({ content }) => content)).toEqual(["say changed", "changed"]);
  expect(now.messages[0]?.sibling_ids).toEqual([messageId, edited.messageId]);
  const back = await user.take(selectVersion, { params: { id: chatId, messageId } });
  expect(back.messages.map(({ id }) => id)).toEqual([messageId, again.replyId]);
  expect(back.messages[1]?.sibling_ids).toEqual([replyId, again.replyId]);
  const first = await user.take(selectVersion, { params: { id: chatId, messageId: replyId } });
  expect(first.messages[1]?.id).toBe(replyId);
});

it("a chat is renamed, but not to an empty title, and a chosen title stays", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChatAndRead(user, "say hello");
  const renamed = await user.take(updateChat, { params: { id: chatId }, body: { title: "  My own title " } });
  expect(renamed.chat.title).toBe("My own title");
  expect((await user.take(updateChat, { params: { id: chatId }, body: { title: "   " } })).chat.title).toBe("My own title");
  const turn = await user.take(sendMessage, {
    params: { id: chatId },
    body: { id: crypto.randomUUID(), parent_id: replyId, content: "say more" },
  });
  await readReply(user, { chatId, replyId: turn.replyId });
  expect((await user.take(getChat, { params: { id: chatId } })).chat.title).toBe("My own title");
});

it("a chat gets a title from its first exchange by a cheap model", async () => {
  const user = await signIn();
  const { chatId } = await startChatAndRead(user, "Which lease is cheaper over three years?\nspeed 0");
  const title = await until("a made title", async () => {
    const { chat } = await user.take(getChat, { params: { id: chatId } });
    return chat.title === "Which lease is cheaper over three years?" ? null : chat.title;
  });
  expect(title.length).toBeLessThanOrEqual(60);
});

it("a chat takes marks before the list has heard of it", async () => {
  const user = await signIn();
  const { chatId } = await startChatAndRead(user, "say hello");
  await until("the chat in the list", async () => (await user.take(listChats, {})).chats.some(({ isStreaming }) => !isStreaming));
  await runInDurableObject(env.USER_HUB.getByName(user.user.id), (_, { storage }) => void storage.sql.exec("DELETE FROM chats"));
  const { chat } = await user.take(updateChat, { params: { id: chatId }, body: { isPinned: true } });
  expect(chat.isPinned).toBe(true);
  expect((await user.take(listChats, {})).chats).toMatchObject([{ id: chatId, isPinned: true }]);
});

it("a chat is gone for good once deleted, and its id is never used again", async () => {
  const user = await signIn();
  const { chatId } = await startChatAndRead(user, "say bye");
  await user.take(updateChat, { params: { id: chatId }, body: { title: "Private plans", public: true } });
  const rowOf = () => env.DB.prepare("SELECT title, public, user_id FROM chats WHERE id = ?").bind(chatId).first();
  await until("the row's title", async () => (await rowOf())?.["title"] === "Private plans");
  await user.take(deleteChat, { params: { id: chatId } });
  expect(await user.call(getChat, { params: { id: chatId } })).toMatchObject({ status: 404 });
  expect((await user.take(listChats, {})).chats).toEqual([]);
  const again = (client: Client) => {
    const body = { id: crypto.randomUUID(), parent_id: null, content: "say hi" };
    return client.call(sendMessage, { params: { id: chatId }, body });
  };
  expect(await again(user)).toMatchObject({ ok: false, status: 404 });
  expect(await rowOf()).toEqual({ title: "", public: 0, user_id: user.user.id });
  // The room's next life knows nothing of it.
  await killRoom(chatId);
  for (const client of [user, await signIn()]) expect(await again(client)).toMatchObject({ ok: false, status: 404 });
});

it("a chat answers strangers, visitors' guesses and malformed ids with one and the same 404", async () => {
  const owner = await signIn();
  const stranger = await signIn();
  const { chatId, replyId, messageId } = await startChatAndRead(owner, "say secret");
  const nobody = crypto.randomUUID();
  const answers = await Promise.all([
    stranger.fetch(`/api/chat/${chatId}`),
    stranger.fetch(`/api/chat/${nobody}`),
    stranger.fetch("/api/chat/not-an-id"),
    stranger.fetch(`/api/chat/${chatId}/messages`),
    stranger.fetch(`/api/chat/${chatId}/replies/${replyId}`),
    stranger.fetch(`/api/chat/${chatId}/stop`, { method: "POST" }),
    stranger.fetch(`/api/chat/${chatId}`, { method: "DELETE" }),
    stranger.fetch(`/api/chat/${chatId}/messages/${messageId}/select`, { method: "POST" }),
    stranger.fetch(`/api/chat/${chatId}/messages/${replyId}/continue`, { method: "POST" }),
  ]);
  const bodies = await Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}`));
  expect(new Set(bodies)).toEqual(new Set(['404 {"error":"Not found.","code":"NOT_FOUND"}']));
  const send = await stranger.call(sendMessage, {
    params: { id: chatId },
    body: { id: crypto.randomUUID(), parent_id: null, content: "let me in" },
  });
  expect(send).toMatchObject({ ok: false, status: 404 });
  expect((await owner.take(listMessages, { params: { id: chatId } })).messages).toHaveLength(2);
});

it("a chat keeps no U+0000, at which a text would seem to end, and takes nothing else for a message", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChatAndRead(user, "say a\u0000b \\u0000");
  const [question, answer] = (await user.take(listMessages, { params: { id: chatId } })).messages;
  expect([question?.content, answer?.content]).toEqual(["say ab \\u0000", "ab \\u0000"]);
  const body = { id: crypto.randomUUID(), parent_id: replyId, content: "\u0000", model_id: CHEAP_MODEL };
  expect(await user.call(sendMessage, { params: { id: chatId }, body })).toMatchObject({
    status: 400,
    error: { error: "Write a message first." },
  });
});

it("a chat refuses an unknown model by name and stores nothing", async () => {
  const user = await signIn();
  const chatId = crypto.randomUUID();
  const refused = await user.call(sendMessage, {
    params: { id: chatId },
    body: { id: crypto.randomUUID(), parent_id: null, content: "hello", model_id: "nobody/nothing" },
  });
  expect(refused).toMatchObject({ status: 404, error: { code: "MODEL_NOT_FOUND", error: "Model nobody/nothing not found" } });
  expect(await user.call(getChat, { params: { id: chatId } })).toMatchObject({ status: 404 });
});

it("a chat names the model that answered where the router chose", async () => {
  const user = await signIn();
  const { settled, received } = await startChatAndRead(user, "say routed", "auto");
  expect(received.some(({ event }) => event.type === "model")).toBe(true);
  expect(settled.model_id).not.toBe("auto");
});

it("a chat refuses blank and overlong messages with their own words", async () => {
  const guest = visitor();
  const params = { id: crypto.randomUUID() };
  const blank = await guest.call(sendMessage, { params, body: { id: crypto.randomUUID(), parent_id: null, content: " \n " } });
  expect(blank).toMatchObject({ status: 400, error: { error: "Write a message first." } });
  const long = await guest.call(sendMessage, {
    params,
    body: { id: crypto.randomUUID(), parent_id: null, content: "x".repeat(200_001) },
  });
  expect(long).toMatchObject({ status: 400, error: { error: "This message is too long. Shorten it to 200,000 characters." } });
});

it("a report that a hub does not take comes by the room's alarm, or in its next life", async () => {
  const user = await signIn();
  const { chatId } = await startChatAndRead(user, "say told");
  const titleInList = async () => (await user.take(listChats, {})).chats.find(({ id }) => id === chatId)?.title;
  vi.spyOn(console, "warn").mockReturnValue();
  const alarm = () => runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => storage.getAlarm());
  await until("a room at rest", async () => (await alarm()) === null);
  async function renameUnheard(title: string): Promise<void> {
    const receive = vi.spyOn(UserHub.prototype, "receive").mockRejectedValue(new Error("out of reach"));
    await user.take(updateChat, { params: { id: chatId }, body: { title } });
    await until("an attempt to say so", () => receive.mock.calls.some(([{ row }]) => row.title === title));
    receive.mockRestore();
    expect(await titleInList()).not.toBe(title);
  }

  await renameUnheard("By the alarm");
  await runDurableObjectAlarm(env.CHAT_ROOM.getByName(chatId));
  expect(await titleInList()).toBe("By the alarm");
  await renameUnheard("In the next life");
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => storage.deleteAlarm());
  await killRoom(chatId);
  await user.take(getChat, { params: { id: chatId } });
  await until("the title", async () => (await titleInList()) === "In the next life");
});

describe("a chat that is deleted while something happens in it", () => {
  const tablesOf = (chatId: string) =>
    runInDurableObject(env.CHAT_ROOM.getByName(chatId), async (_, { storage }) => ({
      tables: storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
      alarm: await storage.getAlarm(),
    }));
  const EMPTY = { tables: [], alarm: null };
  const reservationsOf = (userId: string) =>
    runInDurableObject(env.USER_HUB.getByName(userId), (_, { storage }) => storage.sql.exec("SELECT * FROM reservations").toArray());

  it("a chat that is deleted while something happens in it ends its reply, sends nothing that waits, leaves nothing behind, and what was written by then is paid", async () => {
    const user = await signIn();
    const chat = await startChat(user, "speed 60\nbytes 5000");
    await readReply(user, { ...chat, enough: (events) => textOf(events).length > 40 });
    await user.take(addToQueue, { params: { id: chat.chatId }, body: { id: crypto.randomUUID(), content: "say next" } });
    await user.take(deleteChat, { params: { id: chat.chatId } });
    const { usage } = await user.take(getUsage, { query: { by: "chat" } });
    expect(usage).toMatchObject([{ key: chat.chatId }]);
    expect(usage[0]?.cost).toBeGreaterThan(0);
    expect(await reservationsOf(user.user.id)).toEqual([]);
    expect(await tablesOf(chat.chatId)).toEqual(EMPTY);
    expect((await user.take(listChats, {})).chats).toEqual([]);
  });

  it("a chat that is deleted while something happens in it takes no message that was let in before", async () => {
    const user = await signIn();
    const begun = vi.spyOn(ChatRoom.prototype, "beginTurn");
    const { chatId, replyId } = await startChatAndRead(user, "say hello");
    const first = begun.mock.calls[0]?.[0];
    begun.mockRestore();
    const reserved = vi.spyOn(UserHub.prototype, "reserve").mockImplementation(async () => {
      reserved.mockRestore();
      await user.take(deleteChat, { params: { id: chatId } });
      return { ok: true, value: { hasPlace: true, memory: null, isSessionLive: false, maxTokens: null } };
    });
    const body = { id: crypto.randomUUID(), parent_id: replyId, content: "say late", model_id: CHEAP_MODEL };
    expect(await user.call(sendMessage, { params: { id: chatId }, body })).toMatchObject({ status: 404 });
    if (!first) throw new Error("No turn began.");
    expect(await env.CHAT_ROOM.getByName(chatId).beginTurn(first)).toMatchObject({ ok: false, code: "NOT_FOUND" });
    expect(await tablesOf(chatId)).toEqual(EMPTY);
  });

  it("a chat that is deleted while something happens in it comes back to no list by a report that is late, even where it was not in it yet", async () => {
    const user = await signIn();
    const hub = env.USER_HUB.getByName(user.user.id);
    const row = listedRow(user.user.id, { at: new Date().toISOString() });
    await hub.remove(row.id);
    await hub.receive({ row, version: 9, updates: [], charges: [] });
    const lost = { ...row, id: crypto.randomUUID() };
    await hub.remove(lost.id, 5);
    await hub.receive({ row: lost, version: 4, updates: [], charges: [] });
    expect((await user.take(listChats, {})).chats).toEqual([]);
    await hub.receive({ row: lost, version: 6, updates: [], charges: [] });
    await hub.remove(lost.id, 5);
    expect((await user.take(listChats, {})).chats.map(({ id }) => id)).toEqual([lost.id]);
  });
});
