import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import { continueReply, editMessage, listMessages, regenerateReply, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import { putAllowlist } from "#shared/contracts/account/users.ts";
import { readReply, startChat, textOf } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";
import { readConfig } from "#worker/platform/config/config.ts";
import { configOf } from "#worker/platform/env.ts";
import { countWithinMinute } from "#worker/conversation/user-hub/reserve-reply.ts";

const LIGHT = "openai/gpt-5-nano";
const COSTLY = "anthropic/claude-sonnet-4.6";
const PRO = "anthropic/claude-opus-4.6";

/** Every way of making a model work. `modelId` is named where the call takes one, and is the chat's own else. */
const DOORS = {
  send: (client: Client, { chatId, replyId }: Chat, model_id: string) =>
    client.call(sendMessage, {
      params: { id: chatId },
      body: { id: crypto.randomUUID(), parent_id: replyId, content: "say no", model_id },
    }),
  "send as a first message": (client: Client, _: Chat, model_id: string) =>
    client.call(sendMessage, {
      params: { id: crypto.randomUUID() },
      body: { id: crypto.randomUUID(), parent_id: null, content: "say no", model_id },
    }),
  edit: (client: Client, { chatId, messageId }: Chat, model_id: string) =>
    client.call(editMessage, { params: { id: chatId, messageId }, body: { id: crypto.randomUUID(), content: "say no", model_id } }),
  regenerate: (client: Client, { chatId, replyId }: Chat, model_id: string) =>
    client.call(regenerateReply, { params: { id: chatId, messageId: replyId }, body: { id: crypto.randomUUID(), model_id } }),
  "regenerate with the chat's model": async (client: Client, { chatId, replyId }: Chat, model_id: string) => {
    await client.take(updateChat, { params: { id: chatId }, body: { model_id } });
    return client.call(regenerateReply, { params: { id: chatId, messageId: replyId }, body: { id: crypto.randomUUID() } });
  },
  // It goes on with the model that the reply was asked of, which may have become another's since.
  continue: async (client: Client, { chatId, replyId }: Chat, model_id: string) => {
    await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => {
      storage.sql.exec("UPDATE messages SET requested_model_id = ? WHERE id = ?", model_id, replyId);
    });
    return client.call(continueReply, { params: { id: chatId, messageId: replyId } });
  },
};

const NOTHING = { changed: false, asked: 0 };

afterEach(() => void vi.useRealTimers());

function contentOf({ id, content }: { id: string; content: string }) {
  return { id, content };
}

type Chat = { chatId: string; messageId: string; replyId: string };

async function stoppedChat(client: Client): Promise<Chat> {
  const chat = await startChat(client, "speed 50\nbytes 3000", LIGHT);
  await readReply(client, { ...chat, enough: (events) => textOf(events).length > 20 });
  await client.take(stopReply, { params: { id: chat.chatId } });
  return chat;
}

async function empty(userId: string): Promise<void> {
  const hub = env.USER_HUB.getByName(userId);
  await hub.credits();
  await runInDurableObject(hub, (_, state) => {
    state.storage.sql.exec(
      "INSERT INTO ledger (call_id, at, what, amount_micros, balance_micros) VALUES (?, ?, 'reply', 0, 0)",
      crypto.randomUUID(),
      new Date().toISOString(),
    );
  });
}

/** Everything the aggregator was asked to complete for a chat, its title apart. */
async function completionsOf({ chatId }: Chat): Promise<number> {
  const requests: { path: string; body: { session_id?: string; stream?: boolean } | null }[] = await (
    await fetch(`${new URL(env.AGGREGATOR_SIMULATOR).origin}/control/requests`)
  ).json();
  return requests.filter(({ body }) => body?.session_id === chatId && body.stream === true).length;
}

describe.each(Object.entries(DOORS))("by %s", (_name, knock) => {
  let client: Client & { user: { id: string } };
  let chat: Chat;

  beforeEach(async () => {
    client = await signIn();
    chat = await stoppedChat(client);
  });

  /** What came of knocking: the refusal's code, and whether anything was stored or asked of a model all the same. */
  async function knockAs(by: Client, model: string) {
    const before = await by.take(listMessages, { params: { id: chat.chatId } });
    const asked = await completionsOf(chat);
    const answer = await knock(by, chat, model);
    const after = await by.take(listMessages, { params: { id: chat.chatId } });
    const isSame = JSON.stringify(after.messages.map(contentOf)) === JSON.stringify(before.messages.map(contentOf));
    return { code: answer.ok ? "none" : answer.error.code, changed: !isSame, asked: (await completionsOf(chat)) - asked };
  }

  it("a Pro model answers nobody without the plan", async () => {
    expect(await knockAs(client, PRO)).toEqual({ code: "PRO_MODEL_REQUIRED", ...NOTHING });
  });

  it("a model outside the allowlist answers nobody", async () => {
    await client.take(putAllowlist, { body: { model_allowlist: [LIGHT] } });
    expect(await knockAs(client, COSTLY)).toEqual({ code: "MODEL_NOT_ALLOWED", ...NOTHING });
  });

  it("a costly model answers no guest", async () => {
    const guest = visitor();
    chat = await stoppedChat(guest);
    expect(await knockAs(guest, COSTLY)).toEqual({ code: "GUEST_MODEL", ...NOTHING });
  });

  it("no model answers without credits", async () => {
    await until("the stopped reply in the ledger", async () => {
      const { messages } = await client.take(listMessages, { params: { id: chat.chatId } });
      return messages[1]?.cost != null;
    });
    await empty(client.user.id);
    expect(await knockAs(client, LIGHT)).toEqual({ code: "INSUFFICIENT_CREDITS", ...NOTHING });
  });

  it("no more turns begin in a minute than may", async () => {
    const hub = env.USER_HUB.getByName(client.user.id);
    const limit = configOf(env).limits.turnsPerMinute;
    for (let n = 0; n < limit; n += 1) await hub.reserve({ replyId: crypto.randomUUID(), amountMicros: 100 });
    const answer = await knock(client, chat, LIGHT);
    expect(answer).toMatchObject({ status: 429, error: { code: "RATE_LIMITED" } });
    const wait = Number(answer.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + (wait + 1) * 1000 });
    expect(await knock(client, chat, LIGHT)).toMatchObject({ status: 202 });
  });
});

it("the pace of one person is counted over any sixty seconds, exactly", () => {
  let times: number[] = [];
  const take = (now: number) => {
    const taken = countWithinMinute(times, { now, limit: 3 });
    if (taken.ok) times = taken.times;
    return taken.ok ? 0 : taken.retryAfter;
  };
  expect([0, 1_000, 2_000, 3_000].map(take)).toEqual([0, 0, 0, 57]);
  expect(take(59_999)).toBe(1);
  expect(take(60_000)).toBe(0);
  expect(take(60_001)).toBe(1);
  expect(times).toHaveLength(3);
});

it("the pace of one person comes from the environment, and 0 is no limit", () => {
  expect(readConfig({}).limits.turnsPerMinute).toBe(30);
  expect(readConfig({ MESSAGES_PER_MINUTE: "5" }).limits.turnsPerMinute).toBe(5);
  expect(readConfig({ MESSAGES_PER_MINUTE: "0" }).limits.turnsPerMinute).toBe(0);
  expect(countWithinMinute([1, 2, 3], { now: 4, limit: 0 }).ok).toBe(true);
});

it("the pace of one person is no business of other people", async () => {
  const [busy, calm] = [await signIn(), await signIn()];
  for (let n = 0; n < 30; n += 1) await env.USER_HUB.getByName(busy.user.id).reserve({ replyId: `${n}`, amountMicros: 100 });
  await startChat(calm, "say hi");
  expect((await calm.take(getSession, {})).user?.id).toBe(calm.user.id);
});
