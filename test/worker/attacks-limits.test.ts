import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { createChat, deleteChat, listChats } from "#shared/contracts/chat/chats.ts";
import { forkChat } from "#shared/contracts/chat/copies.ts";
import { sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import {
  createMcpConnection,
  listMcpConnections,
  signInToMcp,
  testMcpConnection,
  updateMcpConnection,
} from "#shared/contracts/library/mcp-connections.ts";
import { IMPORTS_PER_HOUR } from "#shared/limits.ts";
import { exportedChat } from "#test/support/exported-chat.ts";
import { CHEAP_MODEL, startChatAndRead } from "#test/support/replies.ts";
import { post } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { newAddress, signIn, visitor } from "#test/support/worker.ts";
import { ChatRoom } from "#worker/conversation/chat-room/chat-room.ts";
import { configOf } from "#worker/platform/env.ts";
import { mediaUrl } from "#worker/library/media/media.ts";
import { UserHub } from "#worker/conversation/user-hub/user-hub.ts";

/** Its prices sum to less than a guest may cost. */
const LIGHT_MODEL = "openai/gpt-5-nano";

afterEach(() => void vi.restoreAllMocks());

type Person = Awaited<ReturnType<typeof signIn>>;
type Limited = { limit: number; ask: (person: Person, chatId: string) => Promise<Response> };

/** What costs storage, mail or somebody else's bandwidth: how often one person may do it in an hour, and how it is done once. */
const LIMITS: Record<string, Limited> = {
  uploads: {
    limit: 300,
    ask: (person, chatId) =>
      person.fetch(`/api/chat/${chatId}/attachments/${crypto.randomUUID()}?name=a.txt`, { method: "PUT", body: "words" }),
  },
  shares: {
    limit: 200,
    ask: (person, chatId) => {
      const input = { type: "user", email: newAddress(), permissionLevel: "viewer", invite: true };
      return person.fetch(`/api/chat/${chatId}/share`, post(input));
    },
  },
  imports: {
    limit: IMPORTS_PER_HOUR,
    ask: (person) => {
      const message = { id: crypto.randomUUID(), parent_id: null, role: "user" as const, content: crypto.randomUUID() };
      return person.fetch("/api/chats/import", post(exportedChat([message])));
    },
  },
  chats: {
    // Each began one before.
    limit: configOf(env).limits.perHour.chats - 1,
    ask: (person) => person.fetch("/api/chats", post({})),
  },
  searches: {
    limit: configOf(env).limits.perHour.searches,
    ask: (person) => person.fetch("/api/search?q=lanterns"),
  },
  artifacts: {
    limit: configOf(env).limits.perHour.artifacts,
    ask: (person) => person.fetch("/api/artifacts", post({ title: "Plan", content: "Sow." })),
  },
  exports: {
    limit: configOf(env).limits.perHour.exports,
    ask: (person, chatId) => person.fetch(`/api/chat/${chatId}/export?format=json`),
  },
  media: {
    limit: 600,
    ask: async (person) => {
      // What is no image is kept nowhere, and so fetched each time.
      const found = await person.fetch(await mediaUrl(env, `${env.EXA_SIMULATOR}/images/page.png`));
      return found.status === 404 ? new Response(null, { status: 200 }) : found;
    },
  },
};

/** Lets a limit count so many events of a moment ago. */
async function count(key: string, events: number): Promise<void> {
  const now = Date.now();
  await runInDurableObject(env.RATE_LIMITER.getByName(key), (_, { storage }) => {
    storage.sql.exec("CREATE TABLE IF NOT EXISTS takes (at INTEGER NOT NULL, until INTEGER NOT NULL)");
    const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)";
    storage.sql.exec(`${numbers} INSERT INTO takes (at, until) SELECT ?, ? FROM n`, events, now, now + 60 * 60_000);
  });
}

async function start(): Promise<{ person: Person; chatId: string }> {
  const person = await signIn();
  const { chat } = await person.take(createChat, { body: {} });
  return { person, chatId: chat.id };
}

it.each(Object.entries(LIMITS))("in an hour one person makes so many %s and no more, while others go on", async (name, { limit, ask }) => {
  const [{ person, chatId }, { person: other, chatId: others }] = await Promise.all([start(), start()]);
  await count(`${name}:${person.user.id}`, limit - 1);
  expect((await ask(person, chatId)).ok).toBe(true);
  const refused = await ask(person, chatId);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await ask(other, others)).ok).toBe(true);
});

it("servers of tools are asked so often in an hour and no more: by testing, making, changing or signing in to a connection", async () => {
  const person = await signIn();
  const server_url = `${env.MCP_SIMULATOR}/vault/mcp`;
  const made = await person.take(createMcpConnection, { body: { name: "Vault", server_url, auth_type: "oauth" } });
  const params = { id: made.connection.id };
  await count(`mcp-test:${person.user.id}`, 118);
  expect(await person.call(signInToMcp, { params })).toMatchObject({ ok: true });
  for (const refused of [
    await person.call(signInToMcp, { params }),
    await person.call(createMcpConnection, { body: { name: "Other", server_url } }),
    await person.call(updateMcpConnection, { params, body: { server_url: `${env.MCP_SIMULATOR}/weather/mcp`, auth_type: "none" } }),
    await person.call(testMcpConnection, { body: { server_url } }),
  ])
    expect(refused).toMatchObject({ ok: false, status: 429 });
  // What asks no server goes on.
  expect(await person.call(updateMcpConnection, { params, body: { name: "Sealed" } })).toMatchObject({ ok: true });
  expect((await person.take(listMcpConnections, {})).connections).toMatchObject([{ name: "Sealed", server_url }]);
});

describe("the chats that one person begins in an hour", () => {
  const { chats } = configOf(env).limits.perHour;

  it("the chats that one person begins in an hour end with one too many, which leaves nothing, while what was begun goes on and forks are made", async () => {
    const person = await signIn();
    const { chatId, replyId } = await startChatAndRead(person, "say first", CHEAP_MODEL);
    const before = await until("the first chat to rest", async () => {
      const { chats: listed } = await person.take(listChats, {});
      return listed.every(({ isStreaming, title }) => !isStreaming && title !== "say first") ? listed : null;
    });
    await count(`chats:${person.user.id}`, chats);
    const one = { id: crypto.randomUUID(), parent_id: null, content: "say never", model_id: CHEAP_MODEL };
    for (const refused of [
      await person.fetch(`/api/chat/${crypto.randomUUID()}/messages`, post(one)),
      await person.fetch(`/api/chat/${crypto.randomUUID()}/attachments/${crypto.randomUUID()}?name=a.txt`, {
        method: "PUT",
        body: "words",
      }),
      await person.fetch("/api/chats", post({})),
    ])
      expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await person.take(listChats, {})).chats).toEqual(before);
    // The same chat again is none more.
    expect((await person.fetch("/api/chats", post({ id: chatId }))).status).toBe(201);
    await person.take(forkChat, { params: { id: chatId }, body: { messageId: replyId } });
    const more = { ...one, parent_id: replyId, content: "say more" };
    expect((await person.fetch(`/api/chat/${chatId}/messages`, post(more))).status).toBe(202);
  });

  it("the chats that one person begins in an hour are a tenth for a guest", async () => {
    const guest = visitor();
    await startChatAndRead(guest, "say first", LIGHT_MODEL);
    const { user } = await guest.take(getSession, {});
    await count(`chats:${user?.id ?? ""}`, chats / 10 - 1);
    const body = { id: crypto.randomUUID(), parent_id: null, content: "say never", model_id: LIGHT_MODEL };
    expect((await guest.fetch(`/api/chat/${crypto.randomUUID()}/messages`, post(body))).status).toBe(429);
  });
});

/** Lets nothing be held before two requests are in the room. */
function holdUntilBothArrived(): void {
  const begun = vi.spyOn(ChatRoom.prototype, "beginTurn");
  const { reserve } = UserHub.prototype;
  vi.spyOn(UserHub.prototype, "reserve").mockImplementation(async function (this: UserHub, input) {
    await until("both requests", () => begun.mock.calls.length > 1);
    return reserve.call(this, input);
  });
}

it("two messages at once are one turn, and what was reserved for the other is given back", async () => {
  const person = await signIn();
  const { chatId, replyId } = await startChatAndRead(person, "say first");
  const hub = env.USER_HUB.getByName(person.user.id);
  holdUntilBothArrived();
  const send = () => {
    const body = { id: crypto.randomUUID(), parent_id: replyId, content: "delay 60000\nsay never", model_id: CHEAP_MODEL };
    return person.call(sendMessage, { params: { id: chatId }, body });
  };
  const answers = await Promise.all([send(), send()]);
  const [begun, refused] = answers.toSorted((one, other) => one.status - other.status);
  expect(refused).toMatchObject({ status: 409, error: { code: "TURN_IN_PROGRESS" } });
  const holds = await runInDurableObject(hub, (_, { storage }) =>
    storage.sql
      .exec<{ reply_id: string }>("SELECT reply_id FROM reservations WHERE reply_id <> ? AND reply_id NOT LIKE 'title:%'", replyId)
      .toArray(),
  );
  await person.take(stopReply, { params: { id: chatId } });
  expect(holds).toEqual([{ reply_id: begun?.ok === true && begun.body.replyId }]);
});

it("the same message twice at once keeps the chat that one of them founds where the other one fails", async () => {
  const person = await signIn();
  const arrived = vi.spyOn(ChatRoom.prototype, "beginTurn");
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(UserHub.prototype, "reserve").mockImplementationOnce(async () => {
    await until("both requests", () => arrived.mock.calls.length > 1);
    throw new Error("The hub is gone.");
  });
  const params = { id: crypto.randomUUID() };
  const body = { id: crypto.randomUUID(), parent_id: null, content: "say once", model_id: CHEAP_MODEL };
  const answers = await Promise.all([person.call(sendMessage, { params, body }), person.call(sendMessage, { params, body })]);
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  // Only a chat with a row can be deleted.
  await person.take(deleteChat, { params });
});

it("the same message twice at once is one of the turns of a minute, and refused neither time", async () => {
  const person = await signIn();
  const hub = env.USER_HUB.getByName(person.user.id);
  await hub.credits();
  const limit = configOf(env).limits.turnsPerMinute;
  const before = JSON.stringify(Array.from({ length: limit - 1 }, () => Date.now()));
  await runInDurableObject(hub, (_, { storage }) => void storage.sql.exec("UPDATE hub SET turns_at = ?", before));
  holdUntilBothArrived();
  const params = { id: crypto.randomUUID() };
  const body = { id: crypto.randomUUID(), parent_id: null, content: "say once", model_id: CHEAP_MODEL };
  const [first, second] = await Promise.all([person.take(sendMessage, { params, body }), person.take(sendMessage, { params, body })]);
  expect(first).toEqual(second);
  const query = "SELECT json_array_length(turns_at) AS n FROM hub";
  const turns = await runInDurableObject(hub, (_, { storage }) => storage.sql.exec<{ n: number }>(query).one().n);
  expect(turns).toBe(limit);
  const next = { ...body, id: crypto.randomUUID() };
  expect(await person.call(sendMessage, { params: { id: crypto.randomUUID() }, body: next })).toMatchObject({ status: 429 });
});
