import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { updateUser } from "#shared/contracts/account/users.ts";
import { openDatabase } from "#worker/db/client.ts";
import { unlinkNumber } from "#worker/messaging/links.ts";
import { killRoom } from "#test/support/kill-room.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { linkedPhone, type Phone, post, postValue } from "#test/support/messaging.ts";
import { until } from "#test/support/until.ts";
import { newAddress, type Person } from "#test/support/worker.ts";

async function chatOf(person: Person): Promise<string> {
  const { chats } = await person.take(listChats, { query: { view: "all" } });
  return chats[0]?.id ?? "";
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
    storage.sql.exec("UPDATE messaging_out SET tried_at = 1 WHERE state = 'sending'");
    storage.sql.exec("UPDATE due_work SET due_at = 1");
  });
  await runDurableObjectAlarm(room);
}

/** Has the phone's chat begin, so that it is known where answers go. */
async function begun(phone: Phone, person: Person): Promise<string> {
  await phone.send({ type: "text", body: "say open" });
  await phone.answer(1);
  return chatOf(person);
}

async function texts(phone: Phone): Promise<string[]> {
  return (await phone.answers()).map(({ text }) => text);
}

describe("an answer", () => {
  it("goes out once where the app takes it and its word is lost, even as the room dies", async () => {
    const { person, phone } = await linkedPhone();
    const chatId = await begun(phone, person);
    vi.spyOn(console, "warn").mockReturnValue();
    await phone.fault({ fault: "lost" });
    await phone.send({ type: "text", body: "say one" });
    await phone.answer(2);
    await killRoom(chatId);
    // The app tells what became of it.
    await phone.tell();
    await untilShown(person, "delivered");
    await wake(chatId);
    await phone.send({ type: "text", body: "say two" });
    await phone.answer(3);
    expect(await texts(phone)).toEqual(["open", "one", "two"]);
  });

  it("goes out again where the app was not reached or was busy", async () => {
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

  it("that cannot be delivered says so in the chat, which is unread then", async () => {
    const { person, phone } = await linkedPhone();
    await begun(phone, person);
    await phone.fault({ fault: 131026, at: "status" });
    await phone.send({ type: "text", body: "say lost" });
    await phone.answer(2);
    await phone.tell();
    expect((await untilShown(person, "failed")).note).toBe("Message Undeliverable.");
  });

  it("is told to be read, whatever the app tells after that", async () => {
    const { person, phone } = await linkedPhone();
    await begun(phone, person);
    await phone.read();
    const told = await phone.take();
    expect(told).toHaveLength(3);
    for (const one of told.toReversed()) expect((await post(one)).status).toBe(200);
    await untilShown(person, "read");
    for (const one of told) await post(one);
    await phone.send({ type: "text", body: "say next" });
    await phone.answer(2);
    const { messages } = await person.take(listMessages, { params: { id: await chatOf(person) } });
    expect(messages[1]?.answer_messaging).toEqual({ state: "read", note: null });
  });

  it("waits where a day has passed since its reader wrote: they are told by the template, once, and have it when they write", async () => {
    const { person, phone } = await linkedPhone();
    await begun(phone, person);
    await phone.send({ type: "text", body: "delay 1200\nsay late" });
    await until("the turn", () => phone.isTyping());
    await env.DB.prepare("UPDATE messaging_links SET window_until = '2026-01-01T00:00:00.000Z' WHERE user_id = ?")
      .bind(person.user.id)
      .run();
    const template = await phone.answer(2);
    expect(template.template).toMatchObject({ name: "answer_waiting" });
    await untilShown(person, "waiting");
    expect(await texts(phone)).toHaveLength(2);
    await phone.send({ type: "text", body: "help" });
    await until("the answer and the help", async () => (await texts(phone)).length === 4);
    expect((await texts(phone)).slice(2)).toEqual(expect.arrayContaining(["late", expect.stringContaining("*new*")]));
  });

  it("goes nowhere once the number is no longer linked, and the chat says why", async () => {
    const { person, phone } = await linkedPhone();
    await begun(phone, person);
    await phone.send({ type: "text", body: "delay 1200\nsay nobody" });
    await until("the turn", () => phone.isTyping());
    await unlinkNumber(openDatabase(env.DB), person.user.id);
    expect((await untilShown(person, "failed")).note).toContain("no longer linked");
    expect(await texts(phone)).toEqual(["open"]);
  });
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

  it("is approved by a text that says nothing else", async () => {
    const { phone, to } = await asked();
    await phone.send({ type: "text", body: "ok" });
    expect((await phone.answer(2)).text).toBe("over");
    expect(await mailsTo(env.MAILBOX_SIMULATOR, to)).toHaveLength(1);
  });

  it("is discarded by its button, and a later answer says that it is over", async () => {
    const { phone, to, question } = await asked();
    const [approve, discard] = question.buttons;
    await phone.send({ type: "press", message_id: question.id, id: discard?.id });
    expect((await phone.answer(2)).text).toBe("over");
    await phone.send({ type: "press", message_id: question.id, id: approve?.id });
    expect((await phone.answer(3)).text).toMatch(/not used|is over/);
    expect(await mailsTo(env.MAILBOX_SIMULATOR, to)).toEqual([]);
  });

  it("is nobody else's to answer, and what is written meanwhile is told to wait", async () => {
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
    await phone.send({ type: "text", body: "no" });
    await phone.answer(4);
    expect((await texts(phone)).slice(2)).toEqual(["over", "and another thing"]);
    expect(await mailsTo(env.MAILBOX_SIMULATOR, to)).toEqual([]);
  });
});
