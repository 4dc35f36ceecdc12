import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { listApprovals, listDecided } from "#shared/contracts/chat/approvals.ts";
import { createChat, listChats } from "#shared/contracts/chat/chats.ts";
import { decideSender, getMail, listMails } from "#shared/contracts/chat/mails.ts";
import { shareChat } from "#shared/contracts/chat/sharing.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { addressOfChat, deliver, newestMail } from "#test/support/incoming.ts";
import { openTab } from "#test/support/live-tab.ts";
import { startChat } from "#test/support/replies.ts";
import { addTestTools, switchOnTestTools } from "#test/support/test-tools.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn } from "#test/support/worker.ts";
import type { Env } from "#worker/platform/env.ts";
import { mailsFolder } from "#worker/mail/chat-address/room-mail.ts";

const DAY = 24 * 60 * 60_000;
const stranger = "Eve <eve@elsewhere.example>";

addTestTools();

let owner: Person;
beforeAll(async () => {
  owner = await signIn();
});
afterEach(() => void vi.useRealTimers());

async function newChat(): Promise<{ id: string; to: string }> {
  const id = crypto.randomUUID();
  await owner.take(createChat, { body: { id } });
  return { id, to: await addressOfChat(owner, id) };
}

const sourcesOf = async (id: string) => (await env.FILES.list({ prefix: mailsFolder(id) })).objects.length;
const storedBy = (person: Person) => env.USER_HUB.getByName(person.user.id).storedBytes();
const decide = (mailId: string, id: string, decision: "allow_once" | "allow_always" | "block") =>
  owner.take(decideSender, { params: { id, mailId }, body: { decision } });

async function wakeAfter(id: string, ms: number): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  try {
    await runDurableObjectAlarm(env.CHAT_ROOM.getByName(id));
  } finally {
    vi.useRealTimers();
  }
}

it("what strangers send takes no room any more once its sender is blocked, and its text can still be let in", async () => {
  const { id, to } = await newChat();
  const before = await storedBy(owner);
  await deliver({ from: stranger, to, text: "say let in late" });
  const mail = await newestMail(owner, id, ({ text_body }) => text_body !== "");
  await until("it is counted", async () => (await storedBy(owner)) > before);
  expect(await sourcesOf(id)).toBe(1);
  expect((await decide(mail.id, id, "block")).email).toMatchObject({ state: "blocked", has_raw: false, raw_size: 0 });
  expect(await sourcesOf(id)).toBe(0);
  await until("it is counted no more", async () => (await storedBy(owner)) === before);

  await decide(mail.id, id, "allow_once");
  await until("its turn", async () => (await owner.take(getMail, { params: { id, mailId: mail.id } })).email.turn_id !== null);
  const { email } = await owner.take(getMail, { params: { id, mailId: mail.id } });
  expect(email).toMatchObject({ state: "received", text_body: "say let in late" });
  expect(email.note).toContain("this is its text alone");
});

it("what strangers send is deleted after 30 days without a word, with its source", async () => {
  const { id, to } = await newChat();
  const before = await storedBy(owner);
  await deliver({ from: stranger, to, text: "Old." });
  await until("it waits", async () => (await owner.take(listApprovals, {})).mails.some(({ chat }) => chat.id === id));
  await wakeAfter(id, 29 * DAY);
  expect((await owner.take(listMails, { params: { id } })).emails).toHaveLength(1);
  await wakeAfter(id, 31 * DAY);
  expect((await owner.take(listMails, { params: { id } })).emails).toEqual([]);
  await wakeAfter(id, 32 * DAY);
  expect(await sourcesOf(id)).toBe(0);
  await until("it is counted no more", async () => (await storedBy(owner)) === before);
  await until("nothing waits", async () => (await owner.take(listApprovals, {})).mails.every(({ chat }) => chat.id !== id));
});

it("what strangers send leaves no source behind whose taking ended before it had its row", async () => {
  const { id, to } = await newChat();
  await deliver({ from: stranger, to, text: "Kept." });
  await env.FILES.put(`${mailsFolder(id)}${crypto.randomUUID()}`, "A source without a mail.");
  expect(await sourcesOf(id)).toBe(2);
  await wakeAfter(id, DAY + 60_000);
  expect(await sourcesOf(id)).toBe(1);
});

it("a mail in quarantine waits for its reader's word in the list of all that waits and in its count, marks the chat unread, and goes with the word", async () => {
  const { id, to } = await newChat();
  const viewer = await signIn();
  const editor = await signIn();
  await owner.take(shareChat, { params: { id }, body: { type: "user", email: viewer.email, permissionLevel: "viewer" } });
  await owner.take(shareChat, { params: { id }, body: { type: "user", email: editor.email, permissionLevel: "editor" } });
  const { count: before } = await owner.take(listApprovals, {});
  await env.USER_HUB.getByName(owner.user.id).mark(id, { isRead: true });
  await deliver({ from: stranger, to, subject: "Cheap pills", text: "Buy." });
  const { mails, count } = await until("it waits", async () => {
    const page = await owner.take(listApprovals, {});
    return page.mails.some(({ chat }) => chat.id === id) ? page : null;
  });
  expect(count).toBe(before + 1);
  const waiting = mails.find(({ chat }) => chat.id === id);
  expect(waiting?.mail).toMatchObject({ from_addr: "eve@elsewhere.example", from_name: "Eve", subject: "Cheap pills", is_proven: true });
  expect(Date.parse(waiting?.expires_at ?? "") - Date.parse(waiting?.since ?? "")).toBe(30 * DAY);
  expect((await owner.take(listChats, {})).chats.find((chat) => chat.id === id)?.isRead).toBe(false);
  // The word is its payer's: others do not wait for it.
  await env.CHAT_ROOM.getByName(id).reportTo(editor.user.id);
  for (const other of [editor, viewer]) expect((await other.take(listApprovals, {})).mails).toEqual([]);

  const tab = await openTab(owner);
  await decide(waiting?.mail.id ?? "", id, "block");
  await until("the count is back", async () => (await owner.take(listApprovals, {})).count === before);
  tab.close();
});

it("a mail in quarantine waits for its reader's word and counts by itself once its sender is always allowed", async () => {
  const deployment = deploymentWith({ MAILS_PER_HOUR: "2" });
  const { id, to } = await newChat();
  await deliver({ from: stranger, to, text: "say one" });
  await decide((await newestMail(owner, id)).id, id, "allow_always");
  await deliver({ from: stranger, to, text: "say two" }, deployment);
  await expect(deliver({ from: stranger, to, text: "say three" }, deployment)).rejects.toThrow("takes no more mail for now");
  for (const text of ["say own", "say own too"])
    expect(await deliver({ from: owner.email, to, text }, deployment)).toEqual({ rejected: null });
  await expect(deliver({ from: owner.email, to, text: "say no" }, deployment)).rejects.toThrow("takes no more mail for now");
});

it("what was decided stands in a list with its decision, newest first", async () => {
  const user = await signIn();
  await switchOnTestTools(user);
  for (const [name, decision] of [["Ann", "approve"] as const, ["Bo", "discard"] as const]) {
    const { chatId } = await startChat(user, `call testSend {"name":"${name}"}\nthen\nsay Done.`);
    const { approvals } = await until("it waits", async () => {
      const page = await user.take(listApprovals, {});
      return page.count === 1 ? page : null;
    });
    await user.take(decideToolCall, { params: { id: chatId, callId: approvals[0]?.call.id ?? "" }, body: { decision } });
    await until("nothing waits", async () => (await user.take(listApprovals, {})).count === 0);
  }
  const { decided, nextCursor } = await user.take(listDecided, {});
  expect(nextCursor).toBeNull();
  expect(decided.map(({ call }) => [call.input, call.approval?.decision])).toEqual([
    [{ name: "Bo" }, "discard"],
    [{ name: "Ann" }, "approve"],
  ]);
  const first = await user.take(listDecided, { query: { limit: 1 } });
  const second = await user.take(listDecided, { query: { limit: 1, cursor: first.nextCursor ?? "" } });
  expect([...first.decided, ...second.decided].map(({ call }) => call.id)).toEqual(decided.map(({ call }) => call.id));
});

describe("a mail to the general address that could not be taken", () => {
  const to = "new@chats.localhost";

  it("a mail to the general address that could not be taken leaves no chat and no source, and opens its chat when it comes again", async () => {
    const person = await signIn();
    const letter = { from: person.email, to, subject: "Plans", text: "say opened", messageId: `${crypto.randomUUID()}@example.com` };
    const broken: R2Bucket = new Proxy(env.FILES, {
      get: (files, name) => (name === "put" ? () => Promise.reject(new Error("no storage")) : Reflect.get(files, name)),
    });
    await expect(deliver(letter, deploymentWith({ FILES: broken }))).rejects.toThrow("no storage");
    const rows = () => env.DB.prepare("SELECT id FROM chats WHERE user_id = ?").bind(person.user.id).all();
    expect((await rows()).results).toEqual([]);

    const failing: Env["CHAT_ROOM"] = new Proxy(env.CHAT_ROOM, {
      get: (rooms, name) =>
        name !== "getByName"
          ? Reflect.get(rooms, name)
          : (id: string) =>
              new Proxy(rooms.getByName(id), {
                get: (room, method) => (method === "takeMail" ? () => Promise.reject(new Error("killed")) : Reflect.get(room, method)),
              }),
    });
    await expect(deliver(letter, deploymentWith({ CHAT_ROOM: failing }))).rejects.toThrow("killed");
    expect((await rows()).results).toEqual([]);
    expect((await person.take(listChats, {})).chats).toEqual([]);

    expect(await deliver(letter)).toEqual({ rejected: null });
    expect(await deliver(letter)).toEqual({ rejected: null });
    const { chats } = await until("the chat", async () => {
      const list = await person.take(listChats, {});
      return list.chats.length > 0 ? list : null;
    });
    expect(chats).toMatchObject([{ title: "Plans" }]);
    expect(await sourcesOf(chats[0]?.id ?? "")).toBe(1);
    expect(
      await runInDurableObject(
        env.CHAT_ROOM.getByName(chats[0]?.id ?? ""),
        (_, { storage }) => storage.sql.exec("SELECT id FROM mails WHERE direction = 'in'").toArray().length,
      ),
    ).toBe(1);
  });
});
