import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { getSession, signOut } from "#shared/contracts/account/auth.ts";
import { deleteChat, updateChat } from "#shared/contracts/chat/chats.ts";
import type { LiveEvent } from "#shared/live-events.ts";
import { seedList } from "#test/support/seed-list.ts";
import { openTab } from "#test/support/live-tab.ts";
import { readReply, startChat, startChatAndRead } from "#test/support/replies.ts";
import { countRows } from "#test/support/count-rows.ts";
import { streamingChats } from "#worker/conversation/user-hub/list/chat-list.ts";
import { until } from "#test/support/until.ts";
import { signIn, visit, visitor } from "#test/support/worker.ts";

function chatOf(event: LiveEvent): string | null {
  if ("chat" in event) return event.chat.id;
  return "chat_id" in event ? event.chat_id : null;
}

function typesFor(events: LiveEvent[], chatId: string): string[] {
  return events.filter((event) => chatOf(event) === chatId).map(({ type }) => type);
}

it("the live socket shows every tab of a user what happens in a chat, and nobody else's", async () => {
  const user = await signIn();
  const other = await openTab(await signIn());
  const [first, second] = await Promise.all([openTab(user), openTab(user)]);
  const { chatId, replyId } = await startChat(user, "say news");
  await readReply(user, { chatId, replyId });
  for (const tab of [first, second]) {
    await until("the reply's end", () => tab.events.some((event) => event.type === "reply.ended"));
    expect(typesFor(tab.events, chatId)).toEqual(expect.arrayContaining(["chat.changed", "reply.started", "reply.ended"]));
  }
  await user.take(updateChat, { params: { id: chatId }, body: { title: "Renamed" } });
  await until("the new title", () => second.events.some((event) => event.type === "chat.changed" && event.chat.title === "Renamed"));
  await user.take(deleteChat, { params: { id: chatId } });
  await until("the deletion", () => first.events.some((event) => event.type === "chat.deleted"));
  expect(other.events.map(({ type }) => type)).toEqual(["hello"]);
});

it("the live socket sends a tab that was away what it missed, once", async () => {
  const user = await signIn();
  const before = await openTab(user);
  before.close();
  const { chatId } = await startChatAndRead(user, "say while you were away");
  await until("its charges", async () => (await user.take(getUsage, { query: { by: "chat" } })).usage[0]?.calls === 2);
  await user.take(updateChat, { params: { id: chatId }, body: { title: "Meanwhile" } });
  const back = await until("the missed chat", async () => {
    const tab = await openTab(user, before.hello.cursor);
    return tab.events.some((event) => event.type === "chat.changed" && event.chat.title === "Meanwhile") ? tab : null;
  });
  expect(new Set(typesFor(back.events, chatId))).toEqual(new Set(["chat.changed"]));
  const upToDate = await openTab(user, back.events.at(-1)?.cursor);
  expect(upToDate.events.map(({ type }) => type)).toEqual(["approvals.changed", "credits.changed", "hello"]);
  const { credits } = (await user.take(getSession, {})).user ?? {};
  expect(credits).toBeLessThan(5);
  for (const { events } of [back, upToDate]) expect(events.at(-2)).toMatchObject({ type: "credits.changed", credits });
});

it("the live socket keeps 10 tabs in step over 500 changes, and lets one that missed them all read anew", async () => {
  const user = await signIn();
  const hub = env.USER_HUB.getByName(user.user.id);
  const tabs = await Promise.all(Array.from({ length: 10 }, () => openTab(user)));
  const chats = await seedList(
    user.user.id,
    Array.from({ length: 250 }, (_, n) => ({ age: n * 60_000 })),
  );
  for (const id of chats) await hub.mark(id, { isPinned: true });
  // One tab loses its connection when half of it is sent, and gets the rest when it is back.
  const half = await until("half of it in the first tab", () => (tabs[0]?.events.length === 251 ? tabs[0].events.at(-1) : null));
  tabs[0]?.close();
  for (const id of chats) await hub.mark(id, { isRead: false });
  for (const tab of tabs.slice(1)) {
    await until("every change", () => tab.events.length === 501);
    const cursors = tab.events.map(({ cursor }) => Number(cursor));
    expect(cursors).toEqual(cursors.toSorted((a, b) => a - b));
    const last = new Map(tab.events.flatMap((event) => (event.type === "chat.changed" ? [[event.chat.id, event.chat] as const] : [])));
    expect(chats.every((id) => last.get(id)?.isPinned === true && !last.get(id)?.isRead)).toBe(true);
  }
  expect((await openTab(user, half.cursor)).hello.reset).toBe(true);
  const near = String(Number(tabs[1]?.events.at(-1)?.cursor) - 150);
  const back = await openTab(user, near);
  await until("what it missed", () => back.events.at(-1)?.type === "hello");
  expect(back.hello.reset).toBe(false);
  expect(back.events.filter(({ type }) => type === "chat.changed")).toHaveLength(150);
});

it("the live socket asks a tab with a cursor of another life to fetch everything", async () => {
  const tab = await openTab(await signIn(), "999999");
  expect(tab.hello).toMatchObject({ type: "hello", reset: true });
});

it("the live socket ends with its session, and streams with it", async () => {
  const user = await signIn();
  const tab = await openTab(user);
  const { chatId, replyId } = await startChat(user, "speed 50\nbytes 5000");
  await until("the chat in the list", () => tab.events.some((event) => event.type === "chat.changed"));
  const reading = readReply(user, { chatId, replyId });
  await user.take(signOut, { body: { everywhere: true } });
  await until("the socket's end", () => tab.closed.length > 0);
  expect(tab.events.at(-1)?.type).toBe("session.ended");
  expect((await reading).at(-1)?.event.type).not.toBe("settled");
});

it("the live socket refuses visitors, and pages of other sites", async () => {
  const user = await signIn();
  expect((await visitor().fetch("/api/live", { headers: { upgrade: "websocket" } })).status).toBe(401);
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const crossOrigin = await visit("/api/live", { headers: { upgrade: "websocket", cookie, origin: "https://evil.example" } });
  expect(crossOrigin.status).toBe(403);
});

it("the live socket ends streams of replies in progress without reading the whole list", async () => {
  const user = await signIn();
  const seeds = Array.from({ length: 400 }, (_, n) => ({ age: (30 + n) * 24 * 60 * 60_000, archived: n % 3 === 0 }));
  const [streaming = ""] = await seedList(user.user.id, [{ age: 60_000, row: { isStreaming: true } }, { age: 60_000 }, ...seeds]);
  await runInDurableObject(env.USER_HUB.getByName(user.user.id), (_, { storage }) => {
    const counted = countRows(storage.sql);
    expect(streamingChats(storage.sql)).toEqual([streaming]);
    const { read } = counted();
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(20);
  });
});
