import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import worker from "#worker/index.ts";
import { handleMessagesJob, claimPersonLease } from "#worker/integrations/messaging/handle-messages.ts";
import { storeWebhookPost } from "#worker/integrations/messaging/store-webhook-post.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { answerToPicture, linkedPhone, type Phone, postValue } from "#test/support/messaging.ts";
import { until } from "#test/support/until.ts";
import type { Person } from "#test/support/worker.ts";

/** Nothing listens there. */
const AWAY = { WHATSAPP_URL: "http://127.0.0.1:9" };

const db = openDatabase(env.DB);

/** A deployment whose queue only notes after how many seconds each of its messages is due. */
function withQuietQueue(changes: Record<string, string> = {}): { quiet: Env; delays: (number | undefined)[] } {
  const delays: (number | undefined)[] = [];
  const queue = new Proxy(env.READS, {
    get: (target, name) =>
      name === "send"
        ? async (_message: unknown, options?: QueueSendOptions) => void delays.push(options?.delaySeconds)
        : Reflect.get(target, name),
  });
  return { quiet: deploymentWith({ ...changes, READS: queue }), delays };
}

/** Does something on the phone that no job works off yet. */
async function store(phone: Phone, action: Record<string, unknown>): Promise<string> {
  const { id, posts } = await phone.hold(action);
  for (const { body } of posts) await storeWebhookPost(withQuietQueue().quiet, db, JSON.parse(body));
  return id;
}

const rowOf = (id: string) => env.DB.prepare("SELECT * FROM messaging_messages WHERE id = ?").bind(id).first();

async function makeDue(id: string): Promise<void> {
  await env.DB.prepare("UPDATE messaging_messages SET due_at = 0 WHERE id = ?").bind(id).run();
}

const workOff = (given: Env, person: Person) => handleMessagesJob.receive(given, { userId: person.user.id }, 1);

async function questions(person: Person) {
  const { chats } = await person.take(listChats, { query: { view: "all" } });
  const pages = await Promise.all(chats.map(({ id }) => person.take(listMessages, { params: { id } })));
  return pages.flatMap(({ messages }) => messages.filter(({ role }) => role === "user"));
}

it("a picture whose bytes cannot be fetched is fetched later, by growing delays, and what is written meanwhile does not wait for it", async () => {
  const { person, phone } = await linkedPhone();
  vi.spyOn(console, "warn").mockReturnValue();
  const id = await store(phone, { type: "image", caption: "say A fine picture." });
  const { quiet, delays } = withQuietQueue(AWAY);
  for (let at = 0; at < 2; at += 1) {
    await workOff(quiet, person);
    expect(await rowOf(id)).toMatchObject({ state: "waiting", delays: at + 1 });
    await makeDue(id);
  }
  expect(delays).toEqual([31, 121]);
  await env.DB.prepare("UPDATE messaging_messages SET due_at = ? WHERE id = ?")
    .bind(Date.now() + 600_000, id)
    .run();
  await phone.send({ type: "text", body: "say meanwhile" });
  expect((await phone.answer(1)).text).toBe("meanwhile");
  await makeDue(id);
  await workOff(env, person);
  expect((await answerToPicture(person, phone, 2)).text).toBe("A fine picture.");
});

it("a picture whose bytes cannot be fetched is taken back, and has its new caption, before it was fetched", async () => {
  const { person, phone } = await linkedPhone();
  vi.spyOn(console, "warn").mockReturnValue();
  const revokedId = await store(phone, { type: "image", caption: "say gone" });
  const pictureId = await store(phone, { type: "image", caption: "say old" });
  await workOff(withQuietQueue(AWAY).quiet, person);
  await phone.send({ type: "revoke", message_id: revokedId });
  await until("the end of it", async () => (await rowOf(revokedId))?.["state"] === "done");
  const edit = { original_message_id: pictureId, message: { type: "image", image: { id: "1", caption: "say new" } } };
  await postValue({ messages: [{ ...envelope(phone), type: "edit", edit }] });
  await until("the new caption", async () => String((await rowOf(pictureId))?.["message"]).includes("say new"));
  await makeDue(pictureId);
  await workOff(env, person);
  expect((await answerToPicture(person, phone, 1)).text).toBe("new");
  expect((await questions(person)).map(({ content }) => content)).toEqual(["say new"]);
});

it("a picture whose bytes cannot be fetched is said to be lost in the chat after the last try, where the app cannot be reached", async () => {
  const { person, phone } = await linkedPhone();
  vi.spyOn(console, "warn").mockReturnValue();
  const id = await store(phone, { type: "image" });
  await env.DB.prepare("UPDATE messaging_messages SET delays = 4 WHERE id = ?").bind(id).run();
  await workOff(withQuietQueue(AWAY).quiet, person);
  expect(await rowOf(id)).toMatchObject({ state: "done" });
  await until("the message", async () => (await questions(person))[0]?.content.includes("could not be fetched"));
});

it("what was stored is worked off a few minutes later where its job died", async () => {
  const { person, phone } = await linkedPhone();
  const id = await store(phone, { type: "text", body: "say resumed" });
  const before = new Date(Date.now() - 3 * 60_000).toISOString();
  await env.DB.prepare("UPDATE messaging_messages SET created_at = ? WHERE id = ?").bind(before, id).run();
  await worker.scheduled(createScheduledController({ cron: "*/5 * * * *" }), env);
  expect((await phone.answer(1)).text).toBe("resumed");
  expect(await questions(person)).toHaveLength(1);
});

it("what was stored is answered with what was found out, once, when the app takes it again", async () => {
  const { person, phone } = await linkedPhone();
  vi.spyOn(console, "warn").mockReturnValue();
  const id = await store(phone, { type: "text", body: "help" });
  await phone.fault({ fault: 130_429, times: 3 });
  const { quiet, delays } = withQuietQueue();
  await workOff(quiet, person);
  expect([delays, await phone.answers()]).toEqual([[31], []]);
  expect(await rowOf(id)).toMatchObject({ state: "waiting", notice: expect.stringContaining("*new*") });
  await makeDue(id);
  await workOff(env, person);
  await workOff(env, person);
  expect((await phone.answers()).map(({ text }) => text)).toEqual([expect.stringContaining("*new*")]);
});

it("what was stored of somebody who was blocked since is answered so, once, and goes nowhere", async () => {
  const { person, phone } = await linkedPhone();
  await env.DB.prepare("UPDATE users SET blocked_at = ? WHERE id = ?").bind(new Date().toISOString(), person.user.id).run();
  const ids = [await store(phone, { type: "text", body: "say served" }), await store(phone, { type: "text", body: "help" })];
  await workOff(env, person);
  expect((await phone.answers()).map(({ text }) => text)).toEqual([expect.stringContaining("This account is blocked.")]);
  for (const id of ids) expect(await rowOf(id)).toMatchObject({ state: "done", chat_id: null });
});

it("what was stored keeps the order of one post where the app gives one second", async () => {
  const { person, phone } = await linkedPhone();
  await phone.setWindow(true);
  const common = envelope(phone);
  const messages = ["z", "m", "a"].map((letter) => ({
    ...common,
    id: `wamid.${letter}.${crypto.randomUUID()}`,
    type: "text",
    text: { body: `say ${letter}` },
  }));
  await storeWebhookPost(withQuietQueue().quiet, db, {
    entry: [{ changes: [{ field: "messages", value: { metadata: { phone_number_id: env.WHATSAPP_PHONE_NUMBER_ID }, messages } }] }],
  });
  await workOff(env, person);
  await phone.answer(3);
  expect((await questions(person)).map(({ content }) => content)).toEqual(["say z", "say m", "say a"]);
});

it("one job alone works off what a person wrote: one whose hold ran out neither keeps nor ends another's", async () => {
  const { person } = await linkedPhone();
  const userId = person.user.id;
  const first = await claimPersonLease(db, userId);
  expect(await claimPersonLease(db, userId)).toBeNull();
  expect(await first?.renew()).toBe(true);
  await env.DB.prepare("UPDATE messaging_conversations SET busy_until = 1 WHERE user_id = ?").bind(userId).run();
  const second = await claimPersonLease(db, userId);
  expect(await first?.renew()).toBe(false);
  await first?.release();
  expect(await claimPersonLease(db, userId)).toBeNull();
  expect(await second?.renew()).toBe(true);
  await second?.release();
});

function envelope(phone: Phone) {
  return { from: phone.number.slice(1), id: `wamid.${crypto.randomUUID()}`, timestamp: String(Math.floor(Date.now() / 1_000)) };
}
