import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { createChat, getChat, listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import { forkChat } from "#shared/contracts/chat/copies.ts";
import { listMessages, regenerateReply, sendMessage } from "#shared/contracts/chat/messages.ts";
import { listTodos } from "#shared/contracts/chat/todos.ts";
import { FORKS_PER_HOUR } from "#shared/limits.ts";
import { CHEAP_MODEL, readReply, settledOf, startChat, startChatAndRead, textOf } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";
import { attachmentFolder } from "#worker/library/attachments/attachment-keys.ts";
import { STILL_READING } from "#worker/library/attachments/readers/extraction.ts";

async function ask(client: Client, { chatId, replyId }: { chatId: string; replyId: string }, content: string, attachments?: string[]) {
  const body = { id: crypto.randomUUID(), parent_id: replyId, content, model_id: CHEAP_MODEL, ...(attachments && { attachments }) };
  const turn = await client.take(sendMessage, { params: { id: chatId }, body });
  const received = await readReply(client, { chatId, replyId: turn.replyId });
  return { ...turn, received };
}

async function fork(client: Client, chatId: string, messageId: string) {
  return (await client.take(forkChat, { params: { id: chatId }, body: { messageId } })).chat;
}

async function textsOf(client: Client, chatId: string) {
  return (await client.take(listMessages, { params: { id: chatId } })).messages.map(({ content }) => content);
}

/** Asks of a file as it stands where its upload did not wait for its reading. */
async function askOfUnread(user: Client, chat: { chatId: string; replyId: string }) {
  const attachmentId = crypto.randomUUID();
  const path = `/api/chat/${chat.chatId}/attachments/${attachmentId}?name=notes.txt`;
  expect((await user.fetch(path, { method: "PUT", body: "the 47 lanterns" })).ok).toBe(true);
  const asked = await ask(user, chat, "say read", [attachmentId]);
  await runInDurableObject(env.CHAT_ROOM.getByName(chat.chatId), (_, { storage }) => {
    const unread = "json_set(attachments, '$[0].unread', ?, '$[0].characters', 0)";
    storage.sql.exec(`UPDATE messages SET attachments = ${unread} WHERE attachments IS NOT NULL`, STILL_READING);
  });
  return asked;
}

it("a fork holds the path up to the message, links back, and leaves both chats to themselves", async () => {
  const user = await signIn();
  const chat = await startChatAndRead(user, 'call addTodoItem {"text":"Read"}\nthen\nsay one');
  const { replyId: second } = await ask(user, chat, "say two");
  const again = await user.take(regenerateReply, {
    params: { id: chat.chatId, messageId: chat.replyId },
    body: { id: crypto.randomUUID(), model_id: CHEAP_MODEL },
  });
  await readReply(user, { chatId: chat.chatId, replyId: again.replyId });
  await user.take(updateChat, { params: { id: chat.chatId }, body: { title: "Source" } });

  const forked = await fork(user, chat.chatId, chat.replyId);
  expect(forked).toMatchObject({
    title: "Source (fork)",
    permissionLevel: "owner",
    cost: 0,
    lastMessagePreview: "one",
    forked_from: { chat_id: chat.chatId, message_id: chat.replyId, title: "Source" },
  });
  const { messages } = await user.take(listMessages, { params: { id: forked.id } });
  const { messages: original } = await user.take(listMessages, { params: { id: chat.chatId }, query: { around: chat.replyId } });
  expect(messages.map(({ content }) => content)).toEqual(original.slice(0, 2).map(({ content }) => content));
  expect(messages.map(({ sibling_ids }) => sibling_ids.length)).toEqual([1, 1]);
  expect(messages[1]).toMatchObject({ parent_id: messages[0]?.id, status: "done", model_id: CHEAP_MODEL });
  expect(messages[1]?.tool_calls).toMatchObject([{ tool: "addTodoItem", status: "done", input: { text: "Read" } }]);
  const ids = new Set(original.flatMap(({ id, tool_calls }) => [id, ...tool_calls.map((call) => call.id)]));
  expect(messages.flatMap(({ id, tool_calls }) => [id, ...tool_calls.map((call) => call.id)]).filter((id) => ids.has(id))).toEqual([]);
  expect(await user.take(listTodos, { params: { id: forked.id } })).toEqual({ todos: [] });

  const asked = await ask(user, { chatId: forked.id, replyId: messages[1]?.id ?? "" }, "What did I ask before?");
  expect(textOf(asked.received)).toContain("addTodoItem");
  expect(await textsOf(user, forked.id)).toHaveLength(4);
  const { messages: kept } = await user.take(listMessages, { params: { id: chat.chatId }, query: { around: second } });
  expect(kept.map(({ id }) => id)).toContain(second);
  expect(kept).toHaveLength(4);
  await until("both in the list", async () => {
    const { chats } = await user.take(listChats, {});
    return [forked.id, chat.chatId].every((id) => chats.some((row) => row.id === id));
  });
});

it("a fork of a fork is marked once, and of a question ends with the question", async () => {
  const user = await signIn();
  const { chatId, messageId } = await startChatAndRead(user, "say one");
  await user.take(updateChat, { params: { id: chatId }, body: { title: "T".repeat(200) } });
  const first = await fork(user, chatId, messageId);
  expect(first.title).toBe(`${"T".repeat(193)} (fork)`);
  const [question, ...rest] = (await user.take(listMessages, { params: { id: first.id } })).messages;
  expect(rest).toEqual([]);
  expect((await fork(user, first.id, question?.id ?? "")).title).toBe(first.title);
  const turn = await user.take(regenerateReply, {
    params: { id: first.id, messageId: question?.id ?? "" },
    body: { id: crypto.randomUUID(), model_id: CHEAP_MODEL },
  });
  expect(textOf(await readReply(user, { chatId: first.id, replyId: turn.replyId }))).toBe("one");
});

it("a fork of a question goes on with another one as well, until it has its answer", async () => {
  const user = await signIn();
  const { chatId, messageId } = await startChatAndRead(user, "say one");
  const forked = await fork(user, chatId, messageId);
  const [question] = (await user.take(listMessages, { params: { id: forked.id } })).messages;
  const { received } = await ask(user, { chatId: forked.id, replyId: question?.id ?? "" }, "show request");
  const replyText = textOf(received);
  expect(replyText.indexOf("say one")).toBeGreaterThan(-1);
  expect(replyText.indexOf("show request")).toBeGreaterThan(replyText.indexOf("say one"));
  expect((await textsOf(user, forked.id)).slice(0, 2)).toEqual(["say one", "show request"]);
  const body = { id: crypto.randomUUID(), parent_id: messageId, content: "say two", model_id: CHEAP_MODEL };
  expect(await user.call(sendMessage, { params: { id: chatId }, body })).toMatchObject({ status: 409, error: { code: "CHAT_MOVED_ON" } });
});

it("a fork carries copies of the files, which outlive nothing of the source but open in the fork", async () => {
  const user = await signIn();
  const chat = await startChatAndRead(user, "say one");
  const attachmentId = crypto.randomUUID();
  const path = `/api/chat/${chat.chatId}/attachments/${attachmentId}?name=notes.txt`;
  const put = await user.fetch(path, { method: "PUT", body: "the 47 lanterns" });
  expect(put.ok).toBe(true);
  const { replyId } = await ask(user, chat, "say read", [attachmentId]);
  const forked = await fork(user, chat.chatId, replyId);
  const { messages } = await user.take(listMessages, { params: { id: forked.id } });
  const file = messages[2]?.attachments[0];
  expect(file).toMatchObject({ name: "notes.txt", unread: null });
  expect(file?.url).toContain(forked.id);
  expect((await user.fetch(`/api/chat/${chat.chatId}`, { method: "DELETE" })).ok).toBe(true);
  expect(await (await user.fetch(file?.url ?? "")).text()).toBe("the 47 lanterns");
});

it("a fork carries the text of a file whose upload did not wait for its reading", async () => {
  const user = await signIn();
  const chat = await startChatAndRead(user, "say one");
  const { messageId } = await askOfUnread(user, chat);
  const forked = await fork(user, chat.chatId, messageId);
  const question = (await user.take(listMessages, { params: { id: forked.id } })).messages.at(-1)?.id ?? "";
  const body = { id: crypto.randomUUID(), model_id: CHEAP_MODEL };
  const { replyId } = await user.take(regenerateReply, { params: { id: forked.id, messageId: question }, body });
  // The simulated model says what it was given to read.
  expect(textOf(await readReply(user, { chatId: forked.id, replyId }))).toContain("the 47 lanterns");
});

it("a fork has the files read whose reading goes on in the source", async () => {
  const user = await signIn();
  const chat = await startChatAndRead(user, "say one");
  const { replyId } = await askOfUnread(user, chat);
  const textsIn = async (chatId: string) =>
    (await env.FILES.list({ prefix: attachmentFolder(chatId) })).objects.filter(({ key }) => key.endsWith("/text"));
  await env.FILES.delete((await textsIn(chat.chatId)).map(({ key }) => key));
  const forked = await fork(user, chat.chatId, replyId);
  const { key } = await until("the text of the copy", async () => (await textsIn(forked.id))[0]);
  expect(await (await env.FILES.get(key))?.text()).toBe("the 47 lanterns");
});

it("a fork takes a reply in progress for what it has said, and goes on for itself", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChat(user, "speed 40\nbytes 4000");
  const seen = await readReply(user, { chatId, replyId, enough: (events) => textOf(events).length > 20 });
  const forked = await fork(user, chatId, replyId);
  const { messages } = await user.take(listMessages, { params: { id: forked.id } });
  expect(messages[1]).toMatchObject({ status: "interrupted" });
  expect(messages[1]?.content.startsWith(textOf(seen))).toBe(true);
  expect((await user.take(getChat, { params: { id: forked.id } })).chat.isStreaming).toBe(false);
  await user.fetch(`/api/chat/${chatId}/stop`, { method: "POST" });
  expect(settledOf(await readReply(user, { chatId, replyId })).status).toBe("stopped");
});

it("a fork can be made sixty times an hour, as it copies its files", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChatAndRead(user, "say one");
  const limiter = env.RATE_LIMITER.getByName(`forks:${user.user.id}`);
  const now = Date.now();
  for (let n = 1; n < FORKS_PER_HOUR; n += 1) {
    await limiter.take({ limit: FORKS_PER_HOUR, since: now - 1_000_000, until: now + 1_000_000 });
  }
  await fork(user, chatId, replyId);
  const next = await user.call(forkChat, { params: { id: chatId }, body: { messageId: replyId } });
  expect(next).toMatchObject({ status: 429, error: { code: "RATE_LIMITED" } });
});

it("a fork is for guests too, and not for strangers, nor under an id that is taken", async () => {
  const guest = visitor();
  await guest.take(createChat, { body: {} });
  const own = await startChatAndRead(guest, "say mine", "openai/gpt-5-nano");
  expect((await fork(guest, own.chatId, own.replyId)).forked_from?.chat_id).toBe(own.chatId);
  const user = await signIn();
  const body = { messageId: own.replyId };
  expect(await user.call(forkChat, { params: { id: own.chatId }, body })).toMatchObject({ status: 404 });
  const mine = await startChatAndRead(user, "say here");
  expect(await user.call(forkChat, { params: { id: mine.chatId }, body })).toMatchObject({ status: 404 });
  const taken = { messageId: mine.replyId, id: mine.chatId };
  expect(await user.call(forkChat, { params: { id: mine.chatId }, body: taken })).toMatchObject({ status: 409 });
  expect(await textsOf(user, mine.chatId)).toEqual(["say here", "here"]);
});
