import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { changeChats } from "#shared/contracts/chat/inbox.ts";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { listShares, removeShare, shareChat } from "#shared/contracts/chat/sharing.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { ATTENTION_MS } from "#shared/live-limits.ts";
import { countRows } from "#test/support/count-rows.ts";
import { openTab } from "#test/support/live-tab.ts";
import { CHEAP_MODEL, readReply, startChatAndRead } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { signIn } from "#test/support/worker.ts";

afterEach(() => void vi.useRealTimers());

type Person = Awaited<ReturnType<typeof signIn>>;
type Tab = Awaited<ReturnType<typeof openTab>>;

const rowOf = async (user: Person, chatId: string) => (await user.take(listChats, {})).chats.find(({ id }) => id === chatId);

/** A chat of one person that others have access to too, in everybody's list. */
async function sharedChat(owner: Person, others: Person[]) {
  const { chatId, replyId } = await startChatAndRead(owner, "say shared");
  for (const { email } of others) {
    const body = { type: "user" as const, email, permissionLevel: "editor" as const };
    await owner.take(shareChat, { params: { id: chatId }, body });
  }
  for (const other of others) await until("the chat with everybody", () => rowOf(other, chatId));
  await until("the owner's mark", async () => (await rowOf(owner, chatId))?.hasBeenShared);
  return { chatId, replyId };
}

/** Who is here as a tab last heard, typing ones with an asterisk. */
function present(tab: Tab, people: Person[]): string {
  const last = tab.events.findLast((event) => event.type === "presence.changed");
  const nameOf = (id: string) => String(people.findIndex(({ user }) => user.id === id));
  return last
    ? last.people
        .map(({ user_id: id, typing }) => nameOf(id) + (typing ? "*" : ""))
        .toSorted()
        .join(" ")
    : "";
}

it("presence shows those who look at a shared chat who else does and types, and nobody besides, without a row", async () => {
  const people = await Promise.all([signIn(), signIn(), signIn()]);
  const [owner, editor, idle] = people;
  const { chatId } = await sharedChat(owner, [editor, idle]);
  // Of its answer and of its title.
  await until("its charges", async () => (await owner.take(getUsage, { query: { by: "chat" } })).usage[0]?.calls === 2);
  await until("its room at rest", async () => {
    const left = (sql: SqlStorage) => sql.exec("SELECT 1 FROM charges UNION ALL SELECT 1 FROM outbox").toArray().length;
    return runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => left(storage.sql) === 0);
  });
  for (const person of people) await person.take(changeChats, { body: { ids: [chatId], action: "read" } });
  const [first, second, elsewhere] = await Promise.all(people.map((person) => openTab(person)));
  if (!first || !second || !elsewhere) throw new Error("A tab is missing.");
  const hubs = people.map(({ user }) => runInDurableObject(env.USER_HUB.getByName(user.id), (_, { storage }) => storage.sql));
  const room = runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => storage.sql);
  const counted = countRows(...(await Promise.all([room, ...hubs])));
  first.say({ chat_id: chatId, visible: true, typing: false, opened: true });
  await until("oneself", () => present(first, people) === "0");
  second.say({ chat_id: chatId, visible: true, typing: false, opened: true });
  await until("both in both tabs", () => present(first, people) === "0 1" && present(second, people) === "0 1");
  second.say({ chat_id: chatId, visible: true, typing: true });
  await until("typing", () => present(first, people) === "0 1*");
  second.say({ chat_id: chatId, visible: true, typing: false });
  await until("typing no more", () => present(first, people) === "0 1");
  const late = await openTab(owner);
  late.say({ chat_id: chatId, visible: true, typing: false });
  await until("both in a second tab", () => present(late, people) === "0 1");
  second.say({ chat_id: chatId, visible: false, typing: false });
  await until("one alone", () => present(first, people) === "0");
  second.say({ chat_id: chatId, visible: true, typing: false });
  await until("both again", () => present(first, people) === "0 1");
  second.close();
  await until("one alone once more", () => present(first, people) === "0");
  const rows = counted();
  expect(rows.written).toBe(0);
  expect(rows.read).toBeGreaterThan(0);
  const name = first.events.findLast((event) => event.type === "presence.changed")?.people[0]?.display_name;
  expect(name).toBe(owner.user.display_name);
  expect(elsewhere.events.filter(({ type }) => type === "presence.changed")).toEqual([]);
});

it("presence begins for who looks at the chat already when it is shared", async () => {
  const people = await Promise.all([signIn(), signIn()]);
  const [owner, editor] = people;
  const { chatId } = await startChatAndRead(owner, "say soon shared");
  const first = await openTab(owner);
  first.say({ chat_id: chatId, visible: true, typing: false, opened: true });
  const body = { type: "user" as const, email: editor.email, permissionLevel: "editor" as const };
  await owner.take(shareChat, { params: { id: chatId }, body });
  await until("oneself", () => present(first, people) === "0");
  const second = await openTab(editor);
  second.say({ chat_id: chatId, visible: true, typing: false, opened: true });
  await until("both", () => present(first, people) === "0 1");
  expect(await rowOf(owner, chatId)).toMatchObject({ hasBeenShared: true, isRead: true });
});

it("presence ends with the right to read, and lapses where nothing is heard", async () => {
  const people = await Promise.all([signIn(), signIn(), signIn()]);
  const [owner, editor, other] = people;
  const { chatId } = await sharedChat(owner, [editor, other]);
  const [first, second, third] = await Promise.all(people.map((person) => openTab(person)));
  for (const tab of [first, second, third]) tab?.say({ chat_id: chatId, visible: true, typing: false });
  if (!first || !second) throw new Error("A tab is missing.");
  await until("all three", () => present(first, people) === "0 1 2");
  const { userShares } = await owner.take(listShares, { params: { id: chatId } });
  const share = userShares.find(({ userEmail }) => userEmail === editor.email);
  await owner.take(removeShare, { params: { id: chatId, shareId: share?.id ?? "" } });
  await until("the others", () => present(first, people) === "0 2");
  const eventsBefore = second.events.length;
  second.say({ chat_id: chatId, visible: true, typing: true });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ATTENTION_MS });
  first.say({ chat_id: chatId, visible: true, typing: true });
  await until("oneself alone", () => present(first, people) === "0*");
  expect(second.events.slice(eventsBefore).filter(({ type }) => type === "presence.changed")).toEqual([]);
});

it("a shared chat comes unread, becomes unread for whoever does not look, and comes back when it is shared again", async () => {
  const [owner, editor] = await Promise.all([signIn(), signIn()]);
  const { chatId, replyId: parentId } = await sharedChat(owner, [editor]);
  expect(await rowOf(editor, chatId)).toMatchObject({ isRead: false, isShared: true });
  const tab = await openTab(editor);
  tab.say({ chat_id: chatId, visible: true, typing: false, opened: true });
  await until("read by looking", async () => (await rowOf(editor, chatId))?.isRead);
  await owner.take(changeChats, { body: { ids: [chatId], action: "read" } });
  const body = { id: crypto.randomUUID(), parent_id: parentId, content: "say seen by one", model_id: CHEAP_MODEL };
  const { replyId } = await editor.take(sendMessage, { params: { id: chatId }, body });
  await readReply(editor, { chatId, replyId });
  await until("unread for the owner", async () => !(await rowOf(owner, chatId))?.isRead);
  expect(await rowOf(editor, chatId)).toMatchObject({ isRead: true });

  const { userShares } = await owner.take(listShares, { params: { id: chatId } });
  await owner.take(removeShare, { params: { id: chatId, shareId: userShares[0]?.id ?? "" } });
  await until("gone", async () => (await rowOf(editor, chatId)) === undefined);
  await owner.take(shareChat, { params: { id: chatId }, body: { type: "user", email: editor.email, permissionLevel: "viewer" } });
  const back = await until("back", () => rowOf(editor, chatId));
  expect(back).toMatchObject({ isRead: false, permissionLevel: "viewer" });
});
