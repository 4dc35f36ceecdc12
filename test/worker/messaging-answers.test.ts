import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { unlinkWhatsApp } from "#shared/contracts/account/whatsapp.ts";
import { changeQueue, readQueue, removeFromQueue } from "#shared/contracts/chat/queue.ts";
import { removeShare } from "#shared/contracts/chat/sharing.ts";
import { updateUser } from "#shared/contracts/account/users.ts";
import { messagingApp } from "#worker/integrations/messaging/app.ts";
import { RoomMessaging } from "#worker/conversation/chat-room/messaging/messaging.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { unlinkNumber } from "#worker/people/messaging-number/messaging-number.ts";
import { updateCurrent } from "#worker/integrations/messaging/queries.ts";
import { killRoom } from "#test/support/kill-room.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { answerToPicture, linkedPhone, type Phone, post, postValue } from "#test/support/messaging.ts";
import { share, shareIdOf } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { newAddress, type Person } from "#test/support/worker.ts";

/** The person's chat, once its hub has learned of it. */
async function chatOf(person: Person): Promise<string> {
  return until("the chat", async () => (await person.take(listChats, { query: { view: "all" } })).chats[0]?.id);
}

/** How the newest answer went out, as the chat shows it. */
async function shown(person: Person) {
  const { messages } = await person.take(listMessages, { params: { id: await chatOf(person) } });
  return messages.findLast(({ role }) => role === "assistant")?.answer_messaging;
}

function untilShown(person: Person, state: string) {
  return until(`the answer to be ${state}`, async () => {
    const answer = await shown(person);
    return answer?.state === state ? answer : null;
  });
}

/** Lets the time come for what the room does later, however long ago it was last tried. */
async function wake(chatId: string): Promise<void> {
  const room = env.CHAT_ROOM.getByName(chatId);
  await runInDurableObject(room, (_, { storage }) => {
    storage.sql.exec("UPDATE messaging_out SET tried_at = 1 WHERE state IN ('queued', 'sending')");
    storage.sql.exec("UPDATE due_work SET due_at = 1");
  });
  await runDurableObjectAlarm(room);
}

/** Has the phone's chat begin, to know where answers go. */
async function begun(phone: Phone, person: Person): Promise<string> {
  await phone.send({ type: "text", body: "say open" });
  await phone.answer(1);
  return chatOf(person);
}

/** A moment after whatever was sent, as the app sends it. */
function later(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}

/** Has a day pass since somebody wrote, or with null has them never have written. */
async function closeWindow(person: Person, at: string | null = "2026-01-01T00:00:00.000Z"): Promise<void> {
  await env.DB.prepare("UPDATE messaging_links SET window_until = ? WHERE user_id = ?").bind(at, person.user.id).run();
}

/** Lets somebody into a chat, whose conversation goes on there. */
async function admit(owner: Person, chatId: string): Promise<{ person: Person; phone: Phone }> {
  const { person, phone } = await linkedPhone();
  await share(owner, chatId, person.email, "editor");
  await updateCurrent(openDatabase(env.DB), person.user.id, chatId);
  return { person, phone };
}

/** Our messages' ids in the app, by those that they are noted with. */
async function sentIds(chatId: string): Promise<[string, string][]> {
  const query = "SELECT id, sent_id FROM messaging_out WHERE reply_id IS NOT NULL ORDER BY seq";
  return runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) =>
    storage.sql
      .exec<{ id: string; sent_id: string }>(query)
      .toArray()
      .map((row) => [row.id, row.sent_id]),
  );
}

/** Reports what became of a message of ours. */
async function tellStatus(chatId: string, [reference, messageId]: [string, string], status: "delivered" | "failed", code = 131047) {
  const error = status === "failed" ? { code, details: "It failed." } : null;
  await env.CHAT_ROOM.getByName(chatId).messaging({ kind: "status", status: { reference, messageId, status, error } });
}

const templates = async (phone: Phone) => (await phone.answers()).filter(({ template }) => template?.name === "answer_waiting").length;

async function texts(phone: Phone): Promise<string[]> {
  return (await phone.answers()).map(({ text }) => text);
}

it("an answer goes out once where the app takes it and its word is lost, even as the room dies", async () => {
  const { person, phone } = await linkedPhone();
  const chatId = await begun(phone, person);
  vi.spyOn(console, "warn").mockReturnValue();
  await phone.fault({ fault: "lost" });
  await phone.send({ type: "text", body: "say one" });
  await phone.answer(2);
  await killRoom(chatId);
  // The app reports what became of it.
  await phone.tell();
  await untilShown(person, "delivered");
  await wake(chatId);
  await phone.send({ type: "text", body: "say two" });
  await phone.answer(3);
  expect(await texts(phone)).toEqual(["open", "one", "two"]);
});

it("an answer goes out again where the app was not reached or was busy", async () => {
  const { person, phone } = await linkedPhone();
  const chatId = await begun(phone, person);
  vi.spyOn(console, "warn").mockReturnValue();
  await phone.fault({ fault: 130429 });
  await phone.send({ type: "text", body: "say busy" });
  await until("the first try", async () =>
    runInDurableObject(
      env.CHAT_ROOM.getByName(chatId),
      (_, { storage }) => storage.sql.exec("SELECT 1 FROM messaging_out WHERE state = 'queued' AND tries = 1").toArray().length > 0,
    ),
  );
  expect(await texts(phone)).toEqual(["open"]);
  await wake(chatId);
  expect((await phone.answer(2)).text).toBe("busy");
});

it("an answer that cannot be delivered says so in the chat, which is unread then", async () => {
  const { person, phone } = await linkedPhone();
  await begun(phone, person);
  await phone.fault({ fault: 131026, at: "status" });
  await phone.send({ type: "text", body: "say lost" });
  await phone.answer(2);
  await phone.tell();
  expect((await untilShown(person, "failed")).note).toBe("Message Undeliverable.");
});

it("an answer counts as read, whatever the app reports after that", async () => {
  const { person, phone } = await linkedPhone();
  await begun(phone, person);
  await phone.read();
  const statuses = await phone.take();
  expect(statuses).toHaveLength(3);
  for (const one of statuses.toReversed()) expect((await post(one)).status).toBe(200);
  await untilShown(person, "read");
  for (const one of statuses) await post(one);
  await phone.send({ type: "text", body: "say next" });
  await phone.answer(2);
  const { messages } = await person.take(listMessages, { params: { id: await chatOf(person) } });
  expect(messages[1]?.answer_messaging).toEqual({ state: "read", note: null });
});

it("an answer waits where a day has passed since its reader wrote: they are notified by the template, once, and have it when they write", async () => {
  const { person, phone } = await linkedPhone();
  await begun(phone, person);
  await phone.send({ type: "text", body: "delay 1200\nsay late" });
  await until("the turn", () => phone.isTyping());
  await closeWindow(person);
  const template = await phone.answer(2);
  expect(template.template).toMatchObject({ name: "answer_waiting" });
  await untilShown(person, "waiting");
  expect(await texts(phone)).toHaveLength(2);
  await phone.send({ type: "text", body: "help" });
  await until("the answer and the help", async () => (await texts(phone)).length === 4);
  expect((await texts(phone)).slice(2)).toEqual(expect.arrayContaining(["late", expect.stringContaining("*new*")]));
});

it("an answer of several parts that came too late waits as one, is announced once, and goes out again with the next message", async () => {
  const { person, phone } = await linkedPhone();
  await phone.send({ type: "text", body: "bytes 9000" });
  await phone.answer(3);
  const chatId = await chatOf(person);
  await untilShown(person, "sent");
  const sent = await sentIds(chatId);
  // That they arrived is not reported: they did not.
  await phone.take();
  for (const one of [...sent, ...sent]) await tellStatus(chatId, one, "failed");
  expect(await shown(person)).toEqual({ state: "waiting", note: null });
  await phone.answer(4);
  expect([await templates(phone), (await phone.answers()).length]).toEqual([1, 4]);
  await phone.send({ type: "text", body: "help" });
  await until("the parts again and the help", async () => (await phone.answers()).length === 8);
  // What is reported of those before them says nothing of these.
  for (const one of sent) await tellStatus(chatId, one, "failed");
  expect((await shown(person))?.state).toBe("sent");
  for (const one of await sentIds(chatId)) {
    await tellStatus(chatId, one, "failed", 131026);
    await tellStatus(chatId, one, "delivered");
    await tellStatus(chatId, one, "failed", 131026);
  }
  expect(await shown(person)).toEqual({ state: "delivered", note: null });
  expect(await phone.answers()).toHaveLength(8);
});

it("an answer that the app does not take yet waits for the message after the next", async () => {
  const { person, phone } = await linkedPhone();
  await begun(phone, person);
  await phone.send({ type: "text", body: "delay 1200\nsay late" });
  await until("the turn", () => phone.isTyping());
  await closeWindow(person, null);
  await untilShown(person, "waiting");
  await phone.answer(2);
  await phone.fault({ fault: 131047 });
  await phone.send({ type: "text", body: "help" });
  await until("a template again, and the help", async () => (await phone.answers()).length === 4);
  expect(await templates(phone)).toBe(2);
  await phone.send({ type: "text", body: "help" });
  await until("the answer and the help", async () => (await phone.answers()).length === 6);
  expect(await texts(phone)).toContain("late");
});

it("an answer says that a picture was not seen, or that nothing but a picture cannot be answered", async () => {
  const { person, phone } = await linkedPhone();
  await person.take(updateUser, { body: { triggered_model: "deepseek/deepseek-v3.2" } });
  await phone.send({ type: "image", caption: "say A fine day." });
  expect((await answerToPicture(person, phone, 1)).text).toMatch(/A fine day\.\n\n_The picture was not seen/);
  await phone.send({ type: "image" });
  expect((await answerToPicture(person, phone, 2)).text).toContain("I could not answer this: This model cannot see pictures.");
});

it("an answer that waits is given up with the number, and so is the conversation", async () => {
  const { person, phone } = await linkedPhone();
  await begun(phone, person);
  await phone.send({ type: "text", body: "delay 1200\nsay late" });
  await until("the turn", () => phone.isTyping());
  await closeWindow(person);
  await untilShown(person, "waiting");
  await person.take(unlinkWhatsApp, {});
  expect((await untilShown(person, "failed")).note).toContain("no longer linked");
  const { results } = await env.DB.prepare(
    "SELECT chat_id FROM messaging_waiting WHERE user_id = ?1 UNION ALL SELECT chat_id FROM messaging_conversations WHERE user_id = ?1",
  )
    .bind(person.user.id)
    .all();
  expect(results).toEqual([{ chat_id: null }]);
});

it("an answer does not come to a message that was taken out of the queue, or waits in a paused one, which is said", async () => {
  const { person, phone } = await linkedPhone();
  const chatId = await begun(phone, person);
  await phone.send({ type: "text", body: "delay 1500\nsay first" });
  await until("the turn", () => phone.isTyping());
  const deletedId = await phone.send({ type: "text", body: "say gone" });
  await phone.send({ type: "text", body: "say held" });
  const { items } = await until("both in the queue", async () => {
    const queue = await person.take(readQueue, { params: { id: chatId } });
    return queue.items.length === 2 ? queue : null;
  });
  // One that is on its way into the chat is no longer to be changed.
  const answer = await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => {
    const nothing = {
      notify() {},
      notifyQueue() {},
      async notifyStored() {},
      cancel() {},
      advance() {},
      async schedule() {},
      async askAgain() {},
    };
    const answerApproval = async () => ({ kind: "unknown" }) as const;
    const messaging = new RoomMessaging({ env, storage, tools: [], ...nothing, answerApproval, isBeingSent: () => true }, messagingApp);
    return messaging.call({ kind: "rewrite", userId: person.user.id, messageId: deletedId, text: null });
  });
  expect(answer).toEqual({ kind: "none" });
  await person.take(changeQueue, { params: { id: chatId }, body: { paused: true } });
  await person.take(removeFromQueue, { params: { id: chatId }, query: { item: items[0]?.id } });
  await phone.answer(2);
  await wake(chatId);
  await phone.answer(4);
  const lastAnswers = (await phone.answers()).slice(2);
  expect(lastAnswers.find(({ reply_to: about }) => about === deletedId)?.text).toBe(
    "This message was taken out of the queue and is not answered.",
  );
  expect(lastAnswers.find(({ reply_to: about }) => about !== deletedId)?.text).toContain("is paused");
});

it("an answer does not reach whoever was removed from the chat meanwhile", async () => {
  const { person: owner, phone: owners } = await linkedPhone();
  const chatId = await begun(owners, owner);
  const { person, phone } = await admit(owner, chatId);
  await phone.send({ type: "text", body: "delay 1200\nsay between ourselves" });
  await until("the turn", () => phone.isTyping());
  await closeWindow(person);
  await phone.answer(1);
  const shareId = await shareIdOf(owner, chatId, person.email);
  await owner.take(removeShare, { params: { id: chatId, shareId } });
  await phone.send({ type: "text", body: "help" });
  await phone.answer(2);
  expect(await templates(phone)).toBe(1);
  expect((await texts(phone))[1]).toContain("*new*");
  const waiting = await env.DB.prepare("SELECT 1 FROM messaging_waiting WHERE user_id = ?").bind(person.user.id).first();
  expect(waiting).toBeNull();
});

it("an answer is not held up by another person's that may not have arrived", async () => {
  const { person: owner, phone: owners } = await linkedPhone();
  const chatId = await begun(owners, owner);
  const { phone } = await admit(owner, chatId);
  vi.spyOn(console, "warn").mockReturnValue();
  await owners.fault({ fault: "lost" });
  await owners.send({ type: "text", body: "say one" });
  await owners.answer(2);
  await phone.send({ type: "text", body: "say two" });
  expect((await phone.answer(1)).text).toBe("two");
});

it("an answer goes nowhere once the number is no longer linked, and the chat says why", async () => {
  const { person, phone } = await linkedPhone();
  await begun(phone, person);
  await phone.send({ type: "text", body: "delay 1200\nsay nobody" });
  await until("the turn", () => phone.isTyping());
  await unlinkNumber(openDatabase(env.DB), person.user.id);
  expect((await untilShown(person, "failed")).note).toContain("no longer linked");
  expect(await texts(phone)).toEqual(["open"]);
});

describe("a call that waits for a word", () => {
  async function asked() {
    const { person, phone } = await linkedPhone();
    await person.take(updateUser, { body: { triggered_tool_categories: ["email"] } });
    const to = newAddress();
    const letter = { to: [to], subject: "S", body: "B" };
    await phone.send({ type: "text", body: `call sendEmail ${JSON.stringify(letter)}\nthen\nsay over` });
    const question = await phone.answer(1);
    return { person, phone, to, question };
  }

  it("a call that waits for a word is approved by a text that says nothing else", async () => {
    const { phone, to } = await asked();
    await phone.send({ type: "text", body: "ok", timestamp: later(2) });
    expect((await phone.answer(2)).text).toBe("over");
    expect(await mailsTo(env.MAILBOX_SIMULATOR, to)).toHaveLength(1);
  });

  it("a call that waits for a word is not approved by a text that was written before it was shown, or answers something else", async () => {
    const { person, phone } = await linkedPhone();
    await person.take(updateUser, { body: { triggered_tool_categories: ["email"] } });
    await begun(phone, person);
    const to = newAddress();
    const letter = { to: [to], subject: "S", body: "B" };
    await phone.send({ type: "text", body: `delay 1200\ncall sendEmail ${JSON.stringify(letter)}\nthen\nsay over` });
    await until("the turn", () => phone.isTyping());
    await closeWindow(person);
    const template = await phone.answer(2);
    expect(template.template).not.toBeNull();
    await phone.send({ type: "text", body: "ok" });
    expect((await phone.answer(3)).buttons).toHaveLength(2);
    expect((await phone.answer(4)).text).toContain("once you have answered my question");
    await phone.send({ type: "text", body: "ok", reply_to: template.id, timestamp: later(5) });
    expect((await phone.answer(5)).text).toContain("once you have answered my question");
    expect(await mailsTo(env.MAILBOX_SIMULATOR, to)).toEqual([]);
    await phone.send({ type: "text", body: "ok", timestamp: later(10) });
    await until("the answer", async () => (await texts(phone)).includes("over"));
    expect(await mailsTo(env.MAILBOX_SIMULATOR, to)).toHaveLength(1);
  });

  it("a call that waits for a word is discarded by its button, and a later answer says that it is over", async () => {
    const { phone, to, question } = await asked();
    const [approve, discard] = question.buttons;
    await phone.send({ type: "press", message_id: question.id, id: discard?.id });
    expect((await phone.answer(2)).text).toBe("over");
    await phone.send({ type: "press", message_id: question.id, id: approve?.id });
    expect((await phone.answer(3)).text).toMatch(/not used|is over/);
    expect(await mailsTo(env.MAILBOX_SIMULATOR, to)).toEqual([]);
  });

  it("a call that waits for a word is nobody else's to answer, and what is written meanwhile is asked to wait", async () => {
    const { phone, to, question } = await asked();
    const other = await linkedPhone();
    const { phone: stranger } = other;
    await stranger.send({ type: "text", body: "say mine" });
    await stranger.answer(1);
    const press = { type: "button_reply", button_reply: { id: question.buttons[0]?.id, title: "Approve" } };
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const message = { from: stranger.number.slice(1), id: `wamid.${crypto.randomUUID()}`, timestamp, type: "interactive" };
    await postValue({ messages: [{ ...message, interactive: press }] });
    expect((await stranger.answer(2)).text).toContain("over");
    expect(await mailsTo(env.MAILBOX_SIMULATOR, to)).toEqual([]);
    await phone.send({ type: "text", body: "say and another thing" });
    expect((await phone.answer(2)).text).toContain("once you have answered my question");
    await phone.send({ type: "text", body: "no", timestamp: later(2) });
    await phone.answer(4);
    expect((await texts(phone)).slice(2)).toEqual(["over", "and another thing"]);
    expect(await mailsTo(env.MAILBOX_SIMULATOR, to)).toEqual([]);
  });
});
