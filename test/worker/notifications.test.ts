import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listApprovals } from "#shared/contracts/chat/approvals.ts";
import { createChat, updateChat } from "#shared/contracts/chat/chats.ts";
import { shareChat } from "#shared/contracts/chat/sharing.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { getUser, updateUser } from "#shared/contracts/account/users.ts";
import { addressOfChat, deliver } from "#test/support/incoming.ts";
import { openTab } from "#test/support/live-tab.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { ALL, signInAndLeave, hubOf, unsubscribeLinkIn, MINUTE, noticesTo, wakeAfter, WAITED } from "#test/support/notices.ts";
import { startChat, startChatAndRead } from "#test/support/replies.ts";
import { listedRow } from "#test/support/seed-list.ts";
import { makeTeam, share } from "#test/support/shared-chat.ts";
import { addTestTools, released, switchOnTestTools } from "#test/support/test-tools.ts";
import { until } from "#test/support/until.ts";
import { newAddress, ORIGIN, type Person, signIn, signInByMail, visit, visitor } from "#test/support/worker.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { suppress } from "#worker/people/suppressions/suppressions.ts";

addTestTools();

beforeEach(() => released.clear());
afterEach(() => void vi.useRealTimers());

function pending(person: Person): Promise<number> {
  const count = (sql: SqlStorage) => sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM notices WHERE id IS NOT NULL").one().n;
  return runInDurableObject(hubOf(person), (_, { storage }) => count(storage.sql));
}

async function noted(person: Person): Promise<void> {
  await until("the notice", async () => (await pending(person)) === 1);
}

/** A chat of a person's own whose room reports replies that ended. */
function ownChat(person: Person) {
  const id = crypto.randomUUID();
  let version = 0;
  return {
    id,
    async reply(replyId: string = crypto.randomUUID(), doneFor: string | null = person.user.id) {
      version += 1;
      const row = listedRow(person.user.id, { id, at: new Date().toISOString(), row: { activity: { seq: version, by: null } } });
      const updates = [{ type: "reply.ended" as const, replyId, ...(doneFor !== null && { doneFor }) }];
      await hubOf(person).receive({ row, version, updates, charges: [] });
    },
  };
}

it("a mail to who is away says that a reply is ready, after a while and once, with a link that ends such mails", async () => {
  const person = await signInAndLeave();
  const { chatId } = await startChatAndRead(person, "say Lanterns beside water.");
  await noted(person);
  await wakeAfter(person, MINUTE);
  expect(await noticesTo(person)).toEqual([]);
  await wakeAfter(person, WAITED);
  await wakeAfter(person, WAITED);
  const [mail, ...more] = await noticesTo(person);
  expect(more).toEqual([]);
  expect(mail?.subject).toMatch(/^A reply is ready in ‘.+’$/);
  expect(mail?.text).toContain(`${ORIGIN}/c/${chatId}`);
  expect(mail?.text).not.toContain("Lanterns beside water.\n");
  expect(mail?.html).toContain("Stop these mails");
  expect(mail?.headers).toMatchObject({
    "Auto-Submitted": "auto-generated",
    "List-Unsubscribe": expect.stringContaining(`<${ORIGIN}/unsubscribe/`),
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
});

it("a mail to who is away does not come to who looks, or comes back in time, or did not ask for that reply", async () => {
  const person = await signInAndLeave();
  const seen = ownChat(person);
  await seen.reply();
  await noted(person);
  await hubOf(person).mark(seen.id, { isRead: true });
  await wakeAfter(person, WAITED);
  await ownChat(person).reply(crypto.randomUUID(), null);
  await ownChat(person).reply(crypto.randomUUID(), crypto.randomUUID());
  expect(await pending(person)).toBe(0);

  const { chatId } = await startChat(person, "say Watched.");
  const tab = await openTab(person);
  tab.say({ chat_id: chatId, visible: true, typing: false, opened: true });
  await until("read", async () => (await hubOf(person).find(chatId))?.isRead === true);
  await wakeAfter(person, WAITED);
  expect(await noticesTo(person)).toEqual([]);
});

it("a mail to who is away about a call that waits comes while nobody decided, and says nothing of what it would do", async () => {
  const person = await signInAndLeave({});
  await switchOnTestTools(person);
  const begin = (name: string) => startChat(person, `call testSend {"name":"${name}"}\nthen\nsay Sent.`);
  const { chatId } = await begin("Ann");
  await noted(person);
  await wakeAfter(person, WAITED);
  const [mail, ...more] = await noticesTo(person);
  expect(more).toEqual([]);
  expect(mail?.subject).toMatch(/^Waiting for you in ‘/);
  expect(mail?.text).toContain(`/c/${chatId}`);

  const second = await begin("Bo");
  await noted(person);
  const { approvals } = await person.take(listApprovals, {});
  const callId = approvals.find(({ chat }) => chat.id === second.chatId)?.call.id ?? "";
  await person.take(decideToolCall, { params: { id: second.chatId, callId }, body: { decision: "discard" } });
  await until("nothing waits there", async () => (await person.take(listApprovals, {})).count === 1);
  await wakeAfter(person, WAITED);
  expect(await noticesTo(person)).toHaveLength(1);
});

it("a mail to who is away is none beside the mail that asks about a call of a turn that a mail began", async () => {
  const person = await signInAndLeave();
  await switchOnTestTools(person);
  const { chat } = await person.take(createChat, { body: { title: "By mail" } });
  const text = 'call testSend {"name":"Cy"}\nthen\nsay Sent.';
  expect(await deliver({ from: person.email, to: await addressOfChat(person, chat.id), text })).toEqual({ rejected: null });
  const mails = () => mailsTo(env.MAILBOX_SIMULATOR, person.email);
  await until("the call", async () => (await person.take(listApprovals, {})).count === 1);
  await until("the mail that asks", async () => (await mails()).some(({ subject }) => subject.startsWith("Waiting for you")));
  await wakeAfter(person, WAITED);
  expect((await mails()).filter(({ subject }) => subject.startsWith("Waiting for you"))).toHaveLength(1);
  expect(await noticesTo(person)).toEqual([]);
});

it("a mail to who is away names who shared a chat, and never what it is called", async () => {
  const owner = await signIn();
  const { chatId } = await startChatAndRead(owner, "say words of others");
  await owner.take(updateChat, { params: { id: chatId }, body: { title: "Your account is locked" } });
  const person = await signInAndLeave({});
  await share(owner, chatId, person.email, "viewer");
  await noted(person);
  await wakeAfter(person, WAITED);
  const [mail, ...more] = await noticesTo(person);
  expect(more).toEqual([]);
  expect(mail?.subject).toContain(owner.email);
  expect(mail?.subject).toContain("shared a chat with you");
  expect(`${mail?.subject} ${mail?.html}`).not.toContain("locked");
});

it("a mail to who is away comes about ten shares a day at most, whoever shares", async () => {
  const owner = await signIn();
  const person = await signInAndLeave({});
  const chats = await Promise.all(Array.from({ length: 11 }, () => owner.take(createChat, { body: { title: "One of many" } })));
  for (const { chat } of chats) await share(owner, chat.id, person.email, "viewer");
  await until("all of them", async () => (await pending(person)) === chats.length);
  await wakeAfter(person, WAITED);
  expect(await noticesTo(person)).toHaveLength(10);
});

it("a mail to who is away is no second one to an address that was invited, and none to the members of a team", async () => {
  const owner = await signIn();
  const { chatId } = await startChatAndRead(owner, "say shared with many");
  const invited = newAddress();
  const body = { type: "user" as const, email: invited, permissionLevel: "viewer" as const, invite: true };
  await owner.take(shareChat, { params: { id: chatId }, body });
  const member = await signInAndLeave();
  const teamId = await makeTeam("Crew", [owner, member]);
  await owner.take(shareChat, { params: { id: chatId }, body: { type: "team", teamId, permissionLevel: "viewer" } });
  const browser = visitor();
  await startChat(browser, "say from a guest", "openai/gpt-5-nano");
  (await openTab(browser)).close();
  const joined = await signInByMail(browser, invited);
  for (const person of [joined, member]) {
    await until("the chat", async () => (await hubOf(person).find(chatId)) !== null);
    await wakeAfter(person, WAITED);
    expect(await noticesTo(person)).toEqual([]);
  }
  expect((await mailsTo(env.MAILBOX_SIMULATOR, invited)).filter(({ subject }) => subject.includes("shared a chat"))).toHaveLength(1);
});

it("mails about one chat come an hour apart, whatever happens in it meanwhile", async () => {
  const person = await signInAndLeave();
  const [chat, other] = [ownChat(person), ownChat(person)];
  await chat.reply();
  await wakeAfter(person, WAITED);
  expect(await noticesTo(person)).toHaveLength(1);
  await chat.reply();
  await chat.reply();
  await other.reply();
  await wakeAfter(person, 2 * WAITED);
  // Newest first.
  expect((await noticesTo(person)).map(({ text }) => text.includes(chat.id))).toEqual([false, true]);
  await wakeAfter(person, 40 * MINUTE);
  expect(await noticesTo(person)).toHaveLength(2);
  await wakeAfter(person, 70 * MINUTE);
  expect((await noticesTo(person)).filter(({ text }) => text.includes(chat.id))).toHaveLength(2);
  await wakeAfter(person, 200 * MINUTE);
  expect(await noticesTo(person)).toHaveLength(3);
});

it("mails about one chat are sent once, also where the hub ended before it heard that one was taken, and about the same thing once", async () => {
  const person = await signInAndLeave();
  const chat = ownChat(person);
  await chat.reply("reply-1");
  const pendingMail = await runInDurableObject(hubOf(person), (_, { storage }) =>
    storage.sql.exec<{ id: string; at: number }>("SELECT id, at FROM notices").one(),
  );
  await wakeAfter(person, WAITED);
  expect(await noticesTo(person)).toHaveLength(1);
  await runInDurableObject(hubOf(person), async (_, { storage }) => {
    const set = "UPDATE notices SET id = ?, kind = 'reply', what = 'reply-1', at = ?, claimed_at = ?, last_event = NULL";
    storage.sql.exec(set, pendingMail.id, pendingMail.at, Date.now());
    storage.sql.exec("INSERT INTO due_work (kind, id, due_at, tries) VALUES ('notice', ?, ?, 1)", chat.id, Date.now());
    await storage.setAlarm(Date.now() + 10 * MINUTE);
  });
  // An eviction would wait for its turn.
  await runInDurableObject(hubOf(person), (_, state) => state.abort("killed by a test")).catch(() => {});
  await wakeAfter(person, MINUTE);
  expect(await pending(person)).toBe(0);
  expect(await noticesTo(person)).toHaveLength(1);
  await chat.reply("reply-1");
  expect(await pending(person)).toBe(0);
});

it("mails about one chat are wanted by default about calls and shares, and not about replies; and never by a guest or a suppressed address", async () => {
  const person = await signInAndLeave({});
  expect((await person.take(getUser, {})).user).toMatchObject({ notify_replies: false, notify_approvals: true, notify_shares: true });
  await ownChat(person).reply();
  expect(await pending(person)).toBe(0);
  await person.take(updateUser, { body: { notify_replies: true } });
  const chat = ownChat(person);
  await until("the request taken", async () => {
    await chat.reply();
    return (await pending(person)) === 1;
  });
  await suppress(openDatabase(env.DB), person.email, "complained");
  await wakeAfter(person, WAITED);
  expect(await noticesTo(person)).toEqual([]);
});

describe("the link in such a mail", () => {
  async function mailed() {
    const person = await signInAndLeave();
    await ownChat(person).reply();
    await wakeAfter(person, WAITED);
    const link = unsubscribeLinkIn((await noticesTo(person))[0]);
    expect(link).toContain("/unsubscribe/");
    return { person, path: new URL(link).pathname };
  }

  /** As a mail program posts by itself. */
  const post = (path: string) =>
    visit(path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://mail.example" },
      body: "List-Unsubscribe=One-Click",
    });

  it("the link in such a mail asks when it is opened, and ends its kind by one POST without a session, however often", async () => {
    const { person, path } = await mailed();
    const page = await visit(path);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await page.text()).toContain("Stop mails about replies that finish while you are away?");
    expect((await person.take(getUser, {})).user).toMatchObject(ALL);
    for (const _ of [1, 2]) expect((await post(path)).status).toBe(200);
    expect((await person.take(getUser, {})).user).toMatchObject({ ...ALL, notify_replies: false });
    const chat = ownChat(person);
    await chat.reply();
    await wakeAfter(person, WAITED);
    expect((await noticesTo(person)).some(({ text }) => text.includes(chat.id))).toBe(false);
  });

  it("the link in such a mail does nothing where it was changed: for another kind, another person, or without its signature", async () => {
    const { person, path } = await mailed();
    const other = await signInAndLeave();
    const [token = ""] = path.split("/").slice(-1);
    const [userId = "", kind = "", signature = ""] = token.split(".");
    const forged = [
      `${userId}.share.${signature}`,
      `${other.user.id}.${kind}.${signature}`,
      `${userId}.${kind}`,
      `${userId}.${kind}.${"A".repeat(43)}`,
      `${userId}.all.${signature}`,
      `${token}.x`,
    ];
    for (const one of forged) {
      expect((await visit(`/unsubscribe/${one}`)).status).toBe(404);
      expect((await post(`/unsubscribe/${one}`)).status).toBe(404);
    }
    for (const one of [person, other]) expect((await one.take(getUser, {})).user).toMatchObject(ALL);
  });
});
