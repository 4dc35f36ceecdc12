import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import { createChat } from "#shared/contracts/chat/chats.ts";
import { listMessages, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import { addToQueue, changeQueue, readQueue, removeFromQueue } from "#shared/contracts/chat/queue.ts";
import type { Message } from "#shared/entities/message.ts";
import { isLive } from "#shared/is-live.ts";
import { killRoom } from "#test/support/kill-room.ts";
import { openTab } from "#test/support/live-tab.ts";
import { CHEAP_MODEL, readReply, startChat, startChatAndRead, textOf } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";
import { Queue } from "#worker/conversation/chat-room/queue/queue.ts";
import { removeItem } from "#worker/conversation/chat-room/queue/queue-items.ts";
import type { TurnRequest } from "#worker/conversation/turn/request.ts";

/** Long enough to be there until it is stopped. */
const LONG = "speed 20\nbytes 20000";

let user: Awaited<ReturnType<typeof signIn>>;

beforeEach(async () => {
  user = await signIn();
});

async function add(chatId: string, content: string, rest: { id?: string; chain?: boolean; model_id?: string } = {}): Promise<string[]> {
  const body = { id: crypto.randomUUID(), content, model_id: CHEAP_MODEL, ...rest };
  return (await user.take(addToQueue, { params: { id: chatId }, body })).ids;
}

async function queueOf(chatId: string, client: Client = user) {
  const { items, paused } = await client.take(readQueue, { params: { id: chatId } });
  return { texts: items.map(({ content }) => content), paused, items };
}

async function messagesOf(chatId: string): Promise<Message[]> {
  return (await user.take(listMessages, { params: { id: chatId } })).messages;
}

const textsOf = (messages: Message[]) => messages.map(({ content }) => content);

/** The messages once so many are there and no reply is under way. */
function settled(chatId: string, count: number): Promise<Message[]> {
  return until(`${count} messages`, async () => {
    const messages = await messagesOf(chatId);
    return messages.length >= count && messages.every(({ status }) => !isLive(status)) ? messages : null;
  });
}

function pausedOf(chatId: string) {
  return until("a pause", async () => (await queueOf(chatId)).paused);
}

/** A chat whose reply goes on until it is stopped. */
async function longChat() {
  const chat = await startChat(user, LONG);
  await readReply(user, { ...chat, enough: (events) => textOf(events).length > 5 });
  return { ...chat, stop: () => user.take(stopReply, { params: { id: chat.chatId } }) };
}

it("the queue sends one message after another, each when the reply before it is done, and notifies every tab", async () => {
  const tab = await openTab(user);
  const { chatId } = await startChat(user, "delay 500\nsay zero");
  await add(chatId, "say one");
  await add(chatId, "say two");
  const messages = await settled(chatId, 6);
  expect(textsOf(messages)).toEqual(["delay 500\nsay zero", "zero", "say one", "one", "say two", "two"]);
  expect(messages.map(({ parent_id }) => parent_id)).toEqual([null, ...messages.slice(0, -1).map(({ id }) => id)]);
  expect(messages[4]?.author?.id).toBe(user.user.id);
  expect(await queueOf(chatId)).toMatchObject({ items: [], paused: null });
  await until("the news", () => tab.events.filter((event) => event.type === "queue.changed" && event.chat_id === chatId).length >= 2);
});

it("the queue takes no steps that would go at once behind messages that their writer has not seen", async () => {
  const { chatId, replyId } = await startChatAndRead(user, "say zero");
  const params = { id: chatId };
  const steps = (afterId: string) => ({ id: crypto.randomUUID(), content: "say one\n---\nsay two", chain: true, after_id: afterId });
  const unseen = await user.take(sendMessage, { params, body: { id: crypto.randomUUID(), parent_id: replyId, content: "say unseen" } });
  await readReply(user, { chatId, replyId: unseen.replyId });
  expect(await user.call(addToQueue, { params, body: steps(replyId) })).toMatchObject({ status: 409, error: { code: "CHAT_MOVED_ON" } });
  expect((await queueOf(chatId)).texts).toEqual([]);
  await user.take(addToQueue, { params, body: steps(unseen.replyId) });
  expect(textsOf(await settled(chatId, 8)).slice(2)).toEqual(["say unseen", "unseen", "say one", "one", "say two", "two"]);
});

it("the queue pauses when a reply is stopped, and goes on when resumed", async () => {
  const { chatId, stop } = await longChat();
  await add(chatId, "say one");
  await stop();
  expect(await pausedOf(chatId)).toMatchObject({ code: "REPLY_STOPPED" });
  expect((await queueOf(chatId)).texts).toEqual(["say one"]);
  expect(await messagesOf(chatId)).toHaveLength(2);
  expect(await user.take(changeQueue, { params: { id: chatId }, body: { paused: false } })).toMatchObject({ paused: null });
  expect(textsOf(await settled(chatId, 4)).slice(2)).toEqual(["say one", "one"]);
});

it("the queue pauses when a reply fails, and when a message is refused, with the reason", async () => {
  const { chatId } = await startChatAndRead(user, "say zero");
  await add(chatId, "fault content-filter\n---\nsay two", { chain: true });
  expect(await pausedOf(chatId)).toMatchObject({ code: "REPLY_FAILED" });
  expect(await queueOf(chatId)).toMatchObject({ items: [{ content: "say two", chain: { step: 2, steps: 2 } }] });
  await user.take(removeFromQueue, { params: { id: chatId } });
  expect(await queueOf(chatId)).toMatchObject({ items: [], paused: null });
  await add(chatId, "say three", { model_id: "nobody/knows-it" });
  expect(await pausedOf(chatId)).toEqual({ code: "MODEL_NOT_FOUND", message: "Model nobody/knows-it not found" });
  expect((await queueOf(chatId)).texts).toEqual(["say three"]);
});

it("the queue checks the credits when a message is sent, not when it is queued", async () => {
  const { chatId, stop } = await longChat();
  await add(chatId, "say one");
  await stop();
  await pausedOf(chatId);
  await runInDurableObject(env.USER_HUB.getByName(user.user.id), (_, state) => {
    state.storage.sql.exec("UPDATE ledger SET balance_micros = -1");
  });
  await user.take(changeQueue, { params: { id: chatId }, body: { paused: false } });
  await until("the refusal", async () => (await queueOf(chatId)).paused?.code === "INSUFFICIENT_CREDITS");
  expect(await messagesOf(chatId)).toHaveLength(2);
});

it("the queue is edited, reordered and emptied by its authors", async () => {
  const { chatId, stop } = await longChat();
  const [one = "", two = "", three = ""] = await add(chatId, "say one\n---\nsay two\n---\nsay three", { chain: true });
  const params = { id: chatId };
  const edited = await user.take(changeQueue, { params, body: { edit: { id: two, content: "say second" }, order: [three, two, one] } });
  expect(edited.items.map(({ content, chain }) => [content, chain?.step, chain?.steps])).toEqual([
    ["say three", 1, 3],
    ["say second", 2, 3],
    ["say one", 3, 3],
  ]);
  expect(await user.call(changeQueue, { params, body: { order: [one, crypto.randomUUID()] } })).toMatchObject({ status: 409 });
  expect(await user.call(changeQueue, { params, body: { edit: { id: one, content: "  " } } })).toMatchObject({ status: 400 });
  expect(await user.call(changeQueue, { params, body: { send_now: crypto.randomUUID() } })).toMatchObject({ status: 404 });
  await user.take(removeFromQueue, { params, query: { item: three } });
  await user.take(removeFromQueue, { params, query: { item: three } });
  await user.take(changeQueue, { params, body: { paused: true } });
  await stop();
  expect(await queueOf(chatId)).toMatchObject({ texts: ["say second", "say one"], paused: { code: "PAUSED" } });
  await user.take(changeQueue, { params, body: { paused: false } });
  expect(textsOf(await settled(chatId, 6)).slice(2)).toEqual(["say second", "second", "say one", "one"]);
  expect(await user.call(changeQueue, { params, body: { edit: { id: one, content: "late" } } })).toMatchObject({ status: 409 });
  // A change that came in time, and whose answer was lost, is asked for again.
  expect(await user.call(changeQueue, { params, body: { edit: { id: two, content: "say second" } } })).toMatchObject({ ok: true });
  expect(await messagesOf(chatId)).toHaveLength(6);
});

it("the queue does not pause for a message that its author sent in other words while it was being sent from here", async () => {
  const { chatId } = await startChatAndRead(user, "say zero");
  const id = crypto.randomUUID();
  const request: TurnRequest = JSON.parse('{"kind":"send"}');
  const ended = await runInDurableObject(env.CHAT_ROOM.getByName(chatId), async (_, { storage }) => {
    const works: Promise<unknown>[] = [];
    const queue = new Queue({
      storage,
      prepare: () => Promise.resolve(request),
      begin: () => {
        // The other words are here first, under the same id.
        storage.sql.exec("UPDATE messages SET id = ? WHERE role = 'user'", id);
        return Promise.resolve({ ok: false, code: "CONFLICT" });
      },
      refuse: () => undefined,
      later: () => undefined,
      stop: () => Promise.resolve(),
      notify: () => undefined,
      waitUntil: (work) => works.push(work),
    });
    const reader = { userId: user.user.id, displayName: user.user.display_name, sessionId: "", anonymous: false };
    queue.add(reader, { id, ip: null, settings: {}, once: {}, attachments: [], steps: ["say one"], hash: "" });
    await Promise.all(works);
    return queue.read();
  });
  expect(ended).toEqual({ items: [], paused: null });
});

it("the queue goes on below what began and ended while a message was being sent from here", async () => {
  const { chatId } = await startChatAndRead(user, "say zero");
  const request: TurnRequest = JSON.parse('{"kind":"send"}');
  const id = crypto.randomUUID();
  const tries = await runInDurableObject(env.CHAT_ROOM.getByName(chatId), async (_, { storage }) => {
    const works: Promise<unknown>[] = [];
    let tried = 0;
    const queue = new Queue({
      storage,
      prepare: () => Promise.resolve(request),
      begin: () => {
        tried += 1;
        if (tried === 1) return Promise.resolve({ ok: false, code: "CHAT_MOVED_ON" });
        removeItem(storage.sql, id);
        return Promise.resolve({ ok: true, value: null });
      },
      refuse: () => undefined,
      later: () => undefined,
      stop: () => Promise.resolve(),
      notify: () => undefined,
      waitUntil: (work) => works.push(work),
    });
    const reader = { userId: user.user.id, displayName: user.user.display_name, sessionId: "", anonymous: false };
    queue.add(reader, { id, ip: null, settings: {}, once: {}, attachments: [], steps: ["say one"], hash: "" });
    await Promise.all(works);
    return { tried, ...queue.read() };
  });
  expect(tries).toEqual({ tried: 2, items: [], paused: null });
});

it("the queue sends one now: stops the reply and puts it before the others", async () => {
  const { chatId } = await longChat();
  await add(chatId, "say one");
  const [two = ""] = await add(chatId, "say two");
  await user.take(changeQueue, { params: { id: chatId }, body: { send_now: two } });
  const messages = await settled(chatId, 6);
  expect(messages[1]?.status).toBe("stopped");
  expect(textsOf(messages).slice(2)).toEqual(["say two", "two", "say one", "one"]);
});

it("the queue takes the same message once, also after it was sent", async () => {
  const { chatId } = await startChat(user, "delay 300\nsay zero");
  const id = crypto.randomUUID();
  const [first, again] = await Promise.all([
    add(chatId, "say one\n---\nsay two", { id, chain: true }),
    add(chatId, "say one\n---\nsay two", { id, chain: true }),
  ]);
  expect(again).toEqual(first);
  expect(await settled(chatId, 6)).toHaveLength(6);
  expect(await add(chatId, "say one\n---\nsay two", { id, chain: true })).toEqual(first);
  expect(await user.call(addToQueue, { params: { id: chatId }, body: { id, content: "other" } })).toMatchObject({ status: 409 });
  expect(await queueOf(chatId)).toMatchObject({ items: [] });
  expect(await messagesOf(chatId)).toHaveLength(6);
});

it("the queue goes on in a new life of its room, with nobody there", async () => {
  const { chatId } = await startChat(user, "delay 500\nsay zero");
  await add(chatId, "say one");
  const room = env.CHAT_ROOM.getByName(chatId);
  const answered = (text: string) =>
    until(`the answer ${text}`, () =>
      runInDurableObject(
        env.CHAT_ROOM.getByName(chatId),
        (_, state) => state.storage.sql.exec("SELECT 1 FROM messages WHERE content = ? AND status = 'done'", text).toArray().length === 1,
      ),
    );
  await killRoom(chatId);
  await runDurableObjectAlarm(room);
  await answered("one");
  await until("rest", async () => (await messagesOf(chatId)).every(({ status }) => !isLive(status)));
  // A life that ended after a reply was stored and before the next message was sent.
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), async (_, state) => {
    state.storage.sql.exec("UPDATE queue SET id = ?, is_waiting = 1, content = 'say two'", crypto.randomUUID());
    await state.storage.setAlarm(Date.now() + 60_000);
  });
  await killRoom(chatId);
  await runDurableObjectAlarm(env.CHAT_ROOM.getByName(chatId));
  await answered("two");
  expect(await queueOf(chatId)).toMatchObject({ items: [], paused: null });
});

it("the queue begins a chain in an empty chat, and a guest's", async () => {
  const guest = visitor();
  const { chat } = await guest.take(createChat, { body: { id: crypto.randomUUID() } });
  const body = { id: crypto.randomUUID(), content: "say one\n---\nsay two", chain: true };
  const { ids } = await guest.take(addToQueue, { params: { id: chat.id }, body });
  expect(ids).toHaveLength(2);
  const texts = await until("both replies", async () => {
    const { messages } = await guest.take(listMessages, { params: { id: chat.id } });
    return messages.length === 4 && messages.every(({ status }) => !isLive(status)) ? textsOf(messages) : null;
  });
  expect(texts).toEqual(["say one", "one", "say two", "two"]);
});

it("the queue keeps to each author's own, drops what someone left who lost the chat, and holds no more than it may", async () => {
  const { chatId, replyId, stop } = await longChat();
  const [one = ""] = await add(chatId, "say one");
  await add(chatId, "say two");
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, state) => {
    state.storage.sql.exec("UPDATE queue SET author_id = ? WHERE id = ?", crypto.randomUUID(), one);
  });
  const params = { id: chatId };
  expect(await user.call(changeQueue, { params, body: { edit: { id: one, content: "mine" } } })).toMatchObject({ ok: false });
  expect(await user.call(changeQueue, { params, body: { send_now: one } })).toMatchObject({ status: 404 });
  const steps = Array.from({ length: 49 }, () => "say more").join("\n---\n");
  const many = await user.call(addToQueue, { params, body: { id: crypto.randomUUID(), content: steps, chain: true } });
  expect(many).toMatchObject({ status: 400, error: { error: "At most 50 messages can wait in a chat." } });
  const other = await user.call(sendMessage, { params, body: { id: crypto.randomUUID(), parent_id: replyId, content: "say now" } });
  expect(other).toMatchObject({ error: { code: "TURN_IN_PROGRESS" } });
  await stop();
  await pausedOf(chatId);
  await user.take(changeQueue, { params, body: { paused: false } });
  expect(textsOf(await settled(chatId, 4)).slice(2)).toEqual(["say two", "two"]);
});
