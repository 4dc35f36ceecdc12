import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { sendFeedback } from "#shared/contracts/account/feedback.ts";
import { listMessages, regenerateReply, sendMessage } from "#shared/contracts/chat/messages.ts";
import { type Changes, deploymentWith } from "#test/support/deployment.ts";
import { runNight } from "#test/support/night.ts";
import { readReply, settledOf, startChat, startChatAndRead } from "#test/support/replies.ts";
import { SESSION_COOKIE } from "#test/support/seed-account.ts";
import { newIp, post, visitWith } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";
import { featuresOf } from "#worker/people/auth/features.ts";
import { readConfig, type Variables } from "#worker/platform/config/config.ts";

/** Its prices sum to less than a guest may cost. */
const LIGHT_MODEL = "openai/gpt-5-nano";
const DAY = 24 * 60 * 60_000;
/** What all tests together may cost the house in a day. */
const HOUSE_MICROS = 100_000 * 1_000_000;

afterEach(() => void vi.useRealTimers());

function message(content: string) {
  return { id: crypto.randomUUID(), parent_id: null, content, model_id: LIGHT_MODEL };
}

/** A first message as a deployment with other variables takes it. */
function send(changes: Changes, { client, headers = {} }: { client?: Client; headers?: Record<string, string> } = {}) {
  const cookie = client ? { cookie: [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ") } : undefined;
  return visitWith(changes, `/api/chat/${crypto.randomUUID()}/messages`, post(message("say hi"), { ...cookie, ...headers }));
}

async function guestIds(): Promise<string[]> {
  const { results } = await env.DB.prepare("SELECT id FROM users WHERE anonymous = 1").all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** The guests that came since; those of other tests may go at any time. */
async function newGuests(before: string[]): Promise<string[]> {
  return (await guestIds()).filter((id) => !before.includes(id));
}

it("a visitor becomes a guest with the first message, and not before", async () => {
  const client = visitor();
  expect((await client.take(getSession, {})).user).toBeNull();
  expect(client.cookies.size).toBe(0);
  const { text } = await startChatAndRead(client, "say welcome", LIGHT_MODEL);
  expect(text).toBe("welcome");
  const { user } = await client.take(getSession, {});
  expect(user).toMatchObject({ anonymous: true, email: null, display_name: "Guest", credits: 0 });
  expect(client.cookies.has(SESSION_COOKIE)).toBe(true);
});

it("a visitor stays the same guest with the next one", async () => {
  const client = visitor();
  await startChatAndRead(client, "say one", LIGHT_MODEL);
  const first = (await client.take(getSession, {})).user?.id;
  await startChatAndRead(client, "say two", LIGHT_MODEL);
  expect((await client.take(getSession, {})).user?.id).toBe(first);
});

it("a visitor whose first answer was lost is asked to begin another chat, and is a guest who can", async () => {
  const client = visitor();
  const chatId = crypto.randomUUID();
  const body = message("say lost on the way");
  await client.take(sendMessage, { params: { id: chatId }, body });
  client.cookies.clear();
  const again = await client.call(sendMessage, { params: { id: chatId }, body });
  expect(again).toMatchObject({ status: 409, error: { code: "CONFLICT", error: expect.stringContaining("new chat") } });
  await client.take(sendMessage, { params: { id: crypto.randomUUID() }, body });
  expect((await client.take(listChats, {})).chats).toHaveLength(1);
  // To whoever is a guest already, another's chat is not there.
  expect(await client.call(sendMessage, { params: { id: chatId }, body })).toMatchObject({ status: 404 });
});

it("a visitor is made no guest by a request that is not well-formed", async () => {
  const before = await guestIds();
  const client = visitor();
  const answer = await client.call(sendMessage, { params: { id: crypto.randomUUID() }, body: { ...message(" "), content: " " } });
  expect(answer).toMatchObject({ ok: false, status: 400 });
  expect(client.cookies.size).toBe(0);
  expect(await newGuests(before)).toEqual([]);
});

it("a visitor sees no other guest's chat", async () => {
  const { chatId } = await startChat(visitor(), "say secret", LIGHT_MODEL);
  const other = visitor();
  await startChat(other, "say mine", LIGHT_MODEL);
  expect(await other.call(listMessages, { params: { id: chatId } })).toMatchObject({ ok: false, status: 404 });
});

it("a visitor is asked to sign in where a session is needed, and so is a guest where an account is", async () => {
  expect(await visitor().call(listChats, {})).toMatchObject({ ok: false, status: 401, error: { code: "UNAUTHENTICATED" } });
  const guest = visitor();
  await startChat(guest, "say hi", LIGHT_MODEL);
  expect(await guest.call(sendFeedback, { body: { message: "Hello" } })).toMatchObject({ ok: false, status: 401 });
});

describe("what guests cost the house", () => {
  /** A day of its own, with so much of the house's amount left. */
  async function dayWith(dollars: number) {
    const day = Math.floor(Date.now() / DAY) + 10 + Math.floor(Math.random() * 10_000);
    vi.useFakeTimers({ toFake: ["Date"], now: (day + 0.5) * DAY });
    const house = env.RATE_LIMITER.getByName(`guest-dollars:${new Date(day * DAY).toISOString().slice(0, 10)}`);
    await house.pay([{ callId: "earlier", micros: HOUSE_MICROS - Math.round(dollars * 1_000_000), ended: null }], (day + 2) * DAY);
    const paid = () =>
      runInDurableObject(house, (_, { storage }) =>
        storage.sql
          .exec<{ micros: number; held: number }>("SELECT (SELECT SUM(micros) FROM paid) AS micros, (SELECT COUNT(*) FROM held) AS held")
          .one(),
      );
    /** What is held and what was paid for replies of one id. */
    const of = (replyId: string) =>
      runInDurableObject(house, (_, { storage }) =>
        storage.sql
          .exec<{ held: number; paid: number }>(
            `SELECT (SELECT COUNT(*) FROM held WHERE instr(reply_id, ?1)) AS held,
               (SELECT COUNT(*) FROM paid WHERE instr(call_id, ?1) AND micros > 0) AS paid`,
            replyId,
          )
          .one(),
      );
    return { paid, of };
  }

  it("what guests cost the house ends with the day's amount, however many guests write at once, and then they are asked to sign in", async () => {
    const { paid } = await dayWith(0.01);
    const begun = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const guest = visitor();
        const chatId = crypto.randomUUID();
        const answer = await guest.call(sendMessage, { params: { id: chatId }, body: message("speed 0\nbytes 40000") });
        if (!answer.ok) return answer.error;
        await readReply(guest, { chatId, replyId: answer.body.replyId });
        return null;
      }),
    );
    await until("no more holds", async () => (await paid()).held === 0);
    const { micros } = await paid();
    expect(micros).toBeLessThanOrEqual(HOUSE_MICROS);
    expect(micros).toBeGreaterThan(HOUSE_MICROS - 8_000);
    const refused = begun.filter((error) => error !== null);
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused) expect(error).toMatchObject({ code: "GUEST_LIMIT", error: expect.stringContaining("Sign in") });
    // Whoever has an account has their own credits.
    expect((await startChatAndRead(await signIn(), "say mine", LIGHT_MODEL)).text).toBe("mine");
  });

  it("what guests cost the house is counted for each chat, though guests chose one id for the replies in theirs", async () => {
    const { of } = await dayWith(1);
    const id = crypto.randomUUID();
    const chats = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const guest = visitor();
        return { guest, ...(await startChatAndRead(guest, "speed 40\nbytes 400", LIGHT_MODEL)) };
      }),
    );
    const params = ({ chatId, replyId }: { chatId: string; replyId: string }) => ({ id: chatId, messageId: replyId });
    await Promise.all(chats.map(({ guest, ...chat }) => guest.take(regenerateReply, { params: params(chat), body: { id } })));
    expect(await of(id)).toEqual({ held: 3, paid: 0 });
    await Promise.all(chats.map(({ guest, chatId }) => readReply(guest, { chatId, replyId: id })));
    await until("no more holds", async () => (await of(id)).held === 0);
    expect(await of(id)).toEqual({ held: 0, paid: 3 });
  });

  it("what guests cost the house ends an answer between its rounds too", async () => {
    await dayWith(0.0145);
    const guest = visitor();
    const search = 'call parallelWebSearch {"objective":"Rivers","search_queries":["rivers"]}';
    const chatId = crypto.randomUUID();
    const body = { ...message(`${search}\nthen\n${search}\n${search}\nthen\nsay Found.`), tool_categories: ["search"] };
    const { replyId } = await guest.take(sendMessage, { params: { id: chatId }, body });
    const settled = settledOf(await readReply(guest, { chatId, replyId }));
    expect(settled).toMatchObject({ status: "interrupted", error: { code: "GUEST_LIMIT", action: "sign_in" } });
  });

  it("what guests cost the house is three searches for an answer at most, in one round and over several", async () => {
    const guest = visitor();
    const search = 'call parallelWebSearch {"objective":"Rivers","search_queries":["rivers"]}';
    const chatId = crypto.randomUUID();
    const content = `${Array.from({ length: 5 }, () => search).join("\n")}\nthen\n${search}\ncall viewTodoList {}\nthen\nsay Found.`;
    const { replyId } = await guest.take(sendMessage, {
      params: { id: chatId },
      body: { ...message(content), tool_categories: ["search", "todo"] },
    });
    expect(settledOf(await readReply(guest, { chatId, replyId })).status).toBe("done");
    const { messages } = await guest.take(listMessages, { params: { id: chatId } });
    const calls = messages[1]?.tool_calls ?? [];
    expect(calls.map(({ status }) => status)).toEqual(["done", "done", "done", "failed", "failed", "failed", "done"]);
    expect(calls[3]?.output).toContain("sign in");
  });
});

it.each<[string, Changes]>([
  ["by their number", { GUEST_MESSAGES_PER_DAY: "0" }],
  ["by invitation only", { GUEST_MESSAGES_PER_DAY: undefined, SIGNUP: "invite" }],
])("where guests are off: %s, a visitor is asked to sign in and makes no guest", async (_how, changes) => {
  const before = await guestIds();
  const response = await send(changes);
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: "GUESTS_OFF" });
  expect(await newGuests(before)).toEqual([]);
  const session: { features: unknown } = await (await visitWith(changes, "/api/auth/session")).json();
  expect(session.features).toMatchObject({ guests: false, guestMessagesPerDay: 0 });
});

it("where guests are off says so as the variables do", () => {
  const guestMessagesPerDay = (variables: Variables) => readConfig(variables).limits.guestMessagesPerDay;
  expect(guestMessagesPerDay({})).toBe(10);
  expect(guestMessagesPerDay({ SIGNUP: "open" })).toBe(10);
  expect(guestMessagesPerDay({ SIGNUP: "invite" })).toBe(0);
  expect(guestMessagesPerDay({ SIGNUP: "invite", GUEST_MESSAGES_PER_DAY: "3" })).toBe(3);
  expect(guestMessagesPerDay({ GUEST_MESSAGES_PER_DAY: "" })).toBe(10);
  expect(featuresOf(deploymentWith({ GUEST_MESSAGES_PER_DAY: "3" }))).toMatchObject({ guests: true, guestMessagesPerDay: 3 });
});

describe("a guest's messages", () => {
  // Far from midnight, where the day that counts them would change under way.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: (Math.floor(Date.now() / DAY) + 1.5) * DAY }));

  it("a guest's messages end for the day at the limit, with the time to wait, and go on the next day of UTC", async () => {
    const client = visitor();
    await startChat(client, "say hi", LIGHT_MODEL);
    const changes = { GUEST_MESSAGES_PER_DAY: "2" };
    const headers = newIp();
    // The first one, sent above, was counted too.
    expect((await send(changes, { client, headers })).status).toBe(202);
    const refused = await send(changes, { client, headers });
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: "GUEST_LIMIT" });
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(DAY / 1000);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + wait * 1000 + 1000 });
    expect((await send(changes, { client, headers })).status).toBe(202);
  });

  it("a guest's messages end at three guests' worth for one IP, for new guests too, while others go on", async () => {
    const changes = { GUEST_MESSAGES_PER_DAY: "1" };
    const headers = newIp();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(changes, { headers })));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
    const before = await guestIds();
    expect((await send(changes, { headers })).status).toBe(429);
    expect(await newGuests(before)).toEqual([]);
    expect((await send(changes, { headers: newIp() })).status).toBe(202);
  });

  it("a guest's messages are not what an account's are counted by", async () => {
    const client = await signIn();
    const changes = { GUEST_MESSAGES_PER_DAY: "1" };
    const headers = newIp();
    for (let sent = 0; sent < 3; sent += 1) expect((await send(changes, { client, headers })).status).toBe(202);
  });
});

describe("an unused guest", () => {
  async function age(userId: string, days: number): Promise<void> {
    const at = new Date(Date.now() - days * DAY).toISOString();
    await env.DB.prepare("UPDATE users SET last_seen_at = ? WHERE id = ?").bind(at, userId).run();
  }

  async function exists(userId: string): Promise<boolean> {
    return (await env.DB.prepare("SELECT 1 FROM users WHERE id = ?").bind(userId).first()) !== null;
  }

  it("an unused guest goes after 30 days with its chats; others stay", async () => {
    const client = visitor();
    const { chatId } = await startChatAndRead(client, "say bye", LIGHT_MODEL);
    const expiredId = (await client.take(getSession, {})).user?.id ?? "";
    const fresh = visitor();
    await startChat(fresh, "say stay", LIGHT_MODEL);
    const recentId = (await fresh.take(getSession, {})).user?.id ?? "";
    const account = await signIn();
    await age(expiredId, 31);
    await age(recentId, 29);
    await age(account.user.id, 400);
    await runNight();
    await until("the guest's deletion", async () => !(await exists(expiredId)));
    const row = await env.DB.prepare("SELECT deleted_at FROM chats WHERE id = ?").bind(chatId).first<{ deleted_at: string | null }>();
    expect(row?.deleted_at).not.toBeNull();
    const reader = { userId: expiredId, displayName: "Guest", sessionId: "", anonymous: false };
    await until("the room's end", async () => !(await env.CHAT_ROOM.getByName(chatId).describe(reader)).ok);
    expect(await exists(recentId)).toBe(true);
    expect(await exists(account.user.id)).toBe(true);
  });

  it("an unused guest that came back before its turn stays", async () => {
    const client = visitor();
    await startChat(client, "say hi", LIGHT_MODEL);
    const userId = (await client.take(getSession, {})).user?.id ?? "";
    await env.JOBS.send({ kind: "guest.purge", userId });
    const witness = visitor();
    await startChat(witness, "say hi", LIGHT_MODEL);
    const witnessId = (await witness.take(getSession, {})).user?.id ?? "";
    await age(witnessId, 31);
    await env.JOBS.send({ kind: "guest.purge", userId: witnessId });
    await until("the later job", async () => !(await exists(witnessId)));
    expect(await exists(userId)).toBe(true);
  });

  it("an unused guest takes ended sessions and codes of others along that night", async () => {
    const past = new Date(Date.now() - 1000).toISOString();
    await env.DB.prepare(
      "INSERT INTO sign_in_codes (browser, email, code_hash, link_hash, expires_at) VALUES ('b', 'old@example.com', 'x', 'x', ?)",
    )
      .bind(past)
      .run();
    const client = await signIn();
    await env.DB.prepare("UPDATE sessions SET expires_at = ? WHERE user_id = ?").bind(past, client.user.id).run();
    await runNight();
    const counts = await env.DB.prepare(
      "SELECT (SELECT count(*) FROM sign_in_codes WHERE email = 'old@example.com') + (SELECT count(*) FROM sessions WHERE user_id = ?) AS count",
    )
      .bind(client.user.id)
      .first<number>("count");
    expect(counts).toBe(0);
  });
});
