import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { getQuotas } from "#shared/contracts/account/quotas.ts";
import { ErrorBody } from "#shared/errors.ts";
import { CONNECTIONS_MAX, LIVE_TOO_MANY } from "#shared/live-limits.ts";
import { openTab } from "#test/support/live-tab.ts";
import { CHEAP_MODEL, startChat, beginStreamedTurn } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn } from "#test/support/worker.ts";
import { ChatRoom } from "#worker/conversation/chat-room/chat-room.ts";
import { createConnections } from "#worker/conversation/user-hub/live/connections.ts";

afterEach(() => void vi.restoreAllMocks());

/** Longer than a test. */
const LONG = "stamp 750\nspeed 25";

type Chat = Awaited<ReturnType<typeof startChat>>;

function open(user: Client, { chatId, replyId }: Chat): Promise<Response> {
  return user.fetch(`/api/chat/${chatId}/replies/${replyId}`, { headers: { accept: "text/event-stream" } });
}

async function openMany(user: Client, chat: Chat, count: number): Promise<Response[]> {
  const streams = await Promise.all(Array.from({ length: count }, () => open(user, chat)));
  expect(streams.map(({ status }) => status)).toEqual(Array(count).fill(200));
  return streams;
}

async function codeOf(response: Response): Promise<[number, string]> {
  return [response.status, ErrorBody.parse(await response.json()).code];
}

async function leave(streams: Response[]): Promise<void> {
  await Promise.all(streams.map(async ({ body }) => body?.cancel()));
}

const used = async (user: Client) => (await user.take(getQuotas, {})).connections.used;

it("A person's streams are limited over all chats, with an error that says so before anything begins, and one that is closed makes room", async () => {
  const [user, other] = [await signIn(), await signIn()];
  const [one, two] = [await startChat(user, LONG), await startChat(user, LONG)];
  const streams = [...(await openMany(user, one, CONNECTIONS_MAX / 2)), ...(await openMany(user, two, CONNECTIONS_MAX / 2))];
  expect(await used(user)).toBe(CONNECTIONS_MAX);
  for (const chat of [one, two]) expect(await codeOf(await open(user, chat))).toEqual([429, "STREAMS_LIMITED"]);

  const params = { id: crypto.randomUUID() };
  const body = { id: crypto.randomUUID(), parent_id: null, content: "say Another one.", model_id: CHEAP_MODEL };
  expect(await codeOf(await beginStreamedTurn(user, sendMessage, { params, body }))).toEqual([429, "STREAMS_LIMITED"]);
  expect((await user.fetch(`/api/chat/${params.id}/messages`)).status).toBe(404);
  expect((await user.fetch("/api/live", { headers: { upgrade: "websocket" } })).status).toBe(429);
  // Nobody else is concerned.
  await leave(await openMany(other, await startChat(other, LONG), 2));

  await streams.pop()?.body?.cancel();
  const begun = await until("a place", async () => {
    const response = await beginStreamedTurn(user, sendMessage, { params, body });
    return response.status === 200 ? response : null;
  });
  await leave([begun, ...streams]);
  await until("all places", async () => (await used(user)) === 0);
});

it("A stream closes the oldest sockets of tabs that nobody looks at where all together would be too many, which settings show", async () => {
  const user = await signIn();
  const tabs: Awaited<ReturnType<typeof openTab>>[] = [];
  // One after another, so the first is the oldest.
  for (let n = 0; n < CONNECTIONS_MAX - 1; n += 1) tabs.push(await openTab(user));
  expect(await used(user)).toBe(CONNECTIONS_MAX - 1);
  tabs[0]?.say({ chat_id: null, visible: true, typing: false });
  const chat = await startChat(user, LONG);
  const streams = await openMany(user, chat, 3);
  await until("the oldest sockets' end", () => tabs[2]?.closed.length);
  const ends = [undefined, LIVE_TOO_MANY, LIVE_TOO_MANY, ...Array(CONNECTIONS_MAX - 4).fill(undefined)];
  expect(tabs.map(({ closed }) => closed[0])).toEqual(ends);
  expect(await used(user)).toBe(CONNECTIONS_MAX);
  await leave(streams);
});

it("What a reply held is free again when it has ended", async () => {
  const user = await signIn();
  const chat = await startChat(user, "delay 500\nsay Short.");
  const streams = await openMany(user, chat, CONNECTIONS_MAX);
  await Promise.all(streams.map((stream) => stream.text()));
  expect(await used(user)).toBe(0);
  await leave(await openMany(user, await startChat(user, LONG), CONNECTIONS_MAX));
});

it("A room that cannot be asked refuses nobody by that: what is noted of it counts, and the others are asked", async () => {
  const { user } = await signIn();
  await runInDurableObject(env.USER_HUB.getByName(user.id), async (_, ctx) => {
    const { sql } = ctx.storage;
    const now = Date.now();
    sql.exec("INSERT INTO streams (reply_id, chat_id, open) VALUES ('lost', 'broken', 30), ('over', 'empty', ?)", CONNECTIONS_MAX);
    sql.exec("INSERT INTO reservations (reply_id, generation, amount_micros, at, chat_id) VALUES ('lost', 0, 1, ?, 'broken')", now);
    vi.spyOn(console, "warn").mockReturnValue();
    const ask = (chatId: string) => (chatId === "broken" ? Promise.reject(new Error("The room is gone.")) : Promise.resolve(null));
    const connections = createConnections({ ctx, ask });
    expect(await connections.makePlace()).toBe(true);
    expect(await connections.count()).toBe(31);
    sql.exec("UPDATE streams SET open = ?", CONNECTIONS_MAX);
    expect(await connections.makePlace()).toBe(false);
  });
});

it("Whoever sends too fast hears so before any room is asked for a place", async () => {
  const user = await signIn();
  const chat = await startChat(user, LONG);
  const streams = await openMany(user, chat, CONNECTIONS_MAX);
  await runInDurableObject(env.USER_HUB.getByName(user.user.id), (_, { storage }) => {
    storage.sql.exec("UPDATE hub SET turns_at = ?", JSON.stringify(Array.from({ length: 30 }, () => Date.now())));
  });
  const asked = vi.spyOn(ChatRoom.prototype, "streamsOf");
  const body = { id: crypto.randomUUID(), parent_id: null, content: "say Another one.", model_id: CHEAP_MODEL };
  const response = await beginStreamedTurn(user, sendMessage, { params: { id: crypto.randomUUID() }, body });
  expect(await codeOf(response)).toEqual([429, "RATE_LIMITED"]);
  expect(asked).not.toHaveBeenCalled();
  await leave(streams);
});
