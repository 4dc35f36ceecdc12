import { env } from "cloudflare:workers";
import { evictDurableObject } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { getChat, updateChat } from "#shared/contracts/chat/chats.ts";
import { sayAttention } from "#shared/contracts/chat/inbox.ts";
import { ATTENTION_MS } from "#shared/live-limits.ts";
import { openTab } from "#test/support/live-tab.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { listedRow } from "#test/support/seed-list.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn } from "#test/support/worker.ts";

afterEach(() => void vi.useRealTimers());

type Person = Awaited<ReturnType<typeof signIn>>;

async function isRead(user: Client, chatId: string): Promise<boolean> {
  return (await user.take(getChat, { params: { id: chatId } })).chat.isRead;
}

/** Reports like those of a room, to a list that holds the chat already. */
function listedChat(user: Person["user"], { owner = user.id }: { owner?: string } = {}) {
  const hub = env.USER_HUB.getByName(user.id);
  const id = crypto.randomUUID();
  let version = 0;
  return {
    id,
    hub,
    /** Somebody, or with null a reply, has added to it. */
    async report(seq: number, by: string | null) {
      version += 1;
      const row = { ...listedRow(owner, { id, at: new Date().toISOString() }), activity: { seq, by } };
      await hub.receive({ row, version, updates: [], charges: [] });
      return (await hub.find(id))?.isRead;
    },
    read: async () => (await hub.find(id))?.isRead,
  };
}

it("a chat becomes unread by a reply that ended while nobody looked, and by nothing that its own person adds", async () => {
  const user = await signIn();
  const { chatId } = await startChatAndRead(user, "say nobody sees me");
  await until("unread", async () => !(await isRead(user, chatId)));
  await user.take(updateChat, { params: { id: chatId }, body: { isRead: true, title: "Named" } });
  expect(await isRead(user, chatId)).toBe(true);

  const chat = listedChat(user.user);
  expect(await chat.report(1, user.user.id)).toBe(true);
  expect(await chat.report(2, crypto.randomUUID())).toBe(false);
  await chat.hub.mark(chat.id, { isRead: true });
  expect(await chat.report(2, null)).toBe(true);
  expect(await chat.report(3, user.user.id)).toBe(true);
  expect(await chat.report(5, null)).toBe(false);
});

it("a chat becomes unread by coming from someone else, and never by an update of the product", async () => {
  const { user } = await signIn();
  expect(await listedChat(user, { owner: crypto.randomUUID() }).report(0, null)).toBe(false);
  expect(await listedChat(user).report(0, null)).toBe(true);
});

it("a chat becomes unread comes out of the archive as well", async () => {
  const { user } = await signIn();
  const chat = listedChat(user);
  await chat.report(1, user.id);
  await chat.hub.mark(chat.id, { archived: true });
  await chat.report(1, user.id);
  expect(await chat.hub.find(chat.id)).toMatchObject({ archived: true });
  await chat.report(2, null);
  expect(await chat.hub.find(chat.id)).toMatchObject({ archived: false, isRead: false });
});

it("attention keeps a chat read while a tab shows it and is looked at, also while the hub sleeps", async () => {
  const user = await signIn();
  const tab = await openTab(user);
  const chat = listedChat(user.user);
  await chat.report(1, user.user.id);
  tab.say({ chat_id: chat.id, visible: true, typing: false });
  let seq = 1;
  await until(
    "attention heard",
    async () => (await chat.report((seq += 1), null)) === true || !(await chat.hub.mark(chat.id, { isRead: true })),
  );
  expect(await chat.report((seq += 1), null)).toBe(true);
  await evictDurableObject(chat.hub);
  expect(await chat.report((seq += 1), null)).toBe(true);
  tab.say({ chat_id: chat.id, visible: false, typing: false });
  await until("unread again", async () => (await chat.report((seq += 1), null)) === false);
  tab.say({ chat_id: chat.id, visible: true, typing: false });
  await until("read by looking", async () => (await chat.read()) === true);
  tab.close();
  await until("unread without a tab", async () => (await chat.report((seq += 1), null)) === false);
});

it("attention leaves a mark set by hand until the chat is opened anew", async () => {
  const user = await signIn();
  const tab = await openTab(user);
  const chat = listedChat(user.user);
  await chat.report(1, user.user.id);
  tab.say({ chat_id: chat.id, visible: true, typing: false, opened: true });
  await chat.hub.mark(chat.id, { isRead: false });
  const other = listedChat(user.user);
  await other.report(1, crypto.randomUUID());
  await other.report(2, crypto.randomUUID());
  tab.say({ chat_id: chat.id, visible: false, typing: false });
  tab.say({ chat_id: chat.id, visible: true, typing: false });
  // Frames are heard in order: once this one had its effect, the ones before had theirs.
  tab.say({ chat_id: other.id, visible: true, typing: false });
  await until("the other one read", async () => (await other.read()) === true);
  expect(await chat.read()).toBe(false);
  tab.say({ chat_id: chat.id, visible: true, typing: false, opened: true });
  await until("read by opening", async () => (await chat.read()) === true);
});

it("attention of a tab that fell silent no longer counts", async () => {
  const user = await signIn();
  const tab = await openTab(user);
  const chat = listedChat(user.user);
  await chat.report(1, crypto.randomUUID());
  await chat.report(2, crypto.randomUUID());
  tab.say({ chat_id: chat.id, visible: true, typing: false });
  await until("read by looking", async () => (await chat.read()) === true);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ATTENTION_MS + 1 });
  expect(await chat.report(3, null)).toBe(false);
});

it("attention may be said without a socket", async () => {
  const user = await signIn();
  const { chatId } = await startChatAndRead(user, "say polled");
  await until("unread", async () => !(await isRead(user, chatId)));
  await user.take(sayAttention, { params: { id: chatId }, body: { visible: true, opened: true } });
  expect(await isRead(user, chatId)).toBe(true);
  const stranger = await signIn();
  expect(await stranger.call(sayAttention, { params: { id: chatId }, body: { visible: true } })).toMatchObject({ status: 404 });
});

it("attention is heard in frames of its own kind alone, and not too many of them", async () => {
  const user = await signIn();
  const tab = await openTab(user);
  const chat = listedChat(user.user);
  await chat.report(1, crypto.randomUUID());
  await chat.report(2, crypto.randomUUID());
  const sound = { type: "attention", chat_id: chat.id, visible: true, typing: false };
  // All within the time in which they are counted, however slow the machine is.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const strange = [
    "",
    "{",
    "null",
    "[]",
    JSON.stringify({ ...sound, extra: 1 }),
    JSON.stringify({ ...sound, type: "chat.changed" }),
    JSON.stringify({ ...sound, chat_id: "../x" }),
    JSON.stringify({ ...sound, chat_id: `${chat.id}${" ".repeat(1_000)}` }),
    `${JSON.stringify(sound)}${" ".repeat(1_000)}`,
    "[".repeat(400),
  ];
  for (const frame of strange) tab.send(frame);
  tab.send(new ArrayBuffer(8));
  const stranger = listedRow(user.user.id, { at: new Date().toISOString() });
  tab.say({ chat_id: stranger.id, visible: true, typing: false });
  tab.say({ chat_id: null, visible: true, typing: false });
  expect(await chat.read()).toBe(false);
  for (let n = 0; n < 40; n += 1) tab.say({ chat_id: null, visible: n % 2 === 0, typing: false });
  tab.send(JSON.stringify(sound));
  await chat.hub.mark(chat.id, { isPinned: true });
  await until("a later event", () => tab.events.some((event) => event.type === "chat.changed" && event.chat.isPinned));
  expect(await chat.read()).toBe(false);
  expect(tab.closed).toEqual([]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11_000 });
  tab.send(JSON.stringify(sound));
  await until("read by looking", async () => (await chat.read()) === true);
});
