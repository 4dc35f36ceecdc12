import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { ENDPOINTS } from "#shared/contracts/all.ts";
import { blockUser } from "#shared/contracts/account/admin.ts";
import { signOut } from "#shared/contracts/account/auth.ts";
import { deleteAccount } from "#shared/contracts/account/deletion.ts";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { listMessages, regenerateReply, selectVersion } from "#shared/contracts/chat/messages.ts";
import type { Endpoint } from "#shared/contracts/endpoint.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { CONNECTIONS_MAX, LIVE_TOO_MANY } from "#shared/live-limits.ts";
import { readReply, startChat, startChatAndRead } from "#test/support/replies.ts";
import { sampleRequest, type Target } from "#test/support/samples.ts";
import { addTestTools, switchOnTestTools } from "#test/support/test-tools.ts";
import { until } from "#test/support/until.ts";
import { type Client, type Person, signIn, signInAdministrator, signInByMail, visitor } from "#test/support/worker.ts";

addTestTools();

const SECOND = 1_000;
/** How a session ends though a browser still has its cookie. */
const ENDINGS: [string, (user: Person) => Promise<unknown>][] = [
  ["signing out", (user) => user.take(signOut, { body: {} })],
  ["a block", async ({ user: { id } }) => (await signInAdministrator()).take(blockUser, { params: { id }, body: { reason: "Spam" } })],
  ["deleting the account", (user) => user.take(deleteAccount, { body: { email: user.email } })],
];

const PICKER = "/api/google/drive/picker?channel=a-channel-of-its-own";
const WINDOW = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

const reading = Object.entries(ENDPOINTS).filter(([, { method }]) => method === "GET");

async function openSocket(client: Client): Promise<number[]> {
  const { webSocket } = await client.fetch("/api/live", { headers: { upgrade: "websocket" } });
  if (!webSocket) throw new Error("No socket was opened.");
  const closed: number[] = [];
  webSocket.addEventListener("close", ({ code }) => void closed.push(code));
  webSocket.accept();
  return closed;
}

/** Reads a stream until it ends, which `ended` then says. */
async function openStream(client: Client, { chatId, replyId }: { chatId: string; replyId: string }) {
  const response = await client.fetch(`/api/chat/${chatId}/replies/${replyId}`, { headers: { accept: "text/event-stream" } });
  const state = { status: response.status, isOver: false, text: "" };
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  void (async () => {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) state.text += next.value;
    state.isOver = true;
  })();
  await until("the stream's first words", () => state.text !== "");
  return state;
}

it.each([false, true])("a revoked session loses its socket and its streams within a second (everywhere: %s)", async (everywhere) => {
  const here = await signIn();
  const there = await signIn(visitor(), here.email);
  const chat = await startChat(there, "speed 20\nbytes 4000");
  const [socket, stream] = [await openSocket(there), await openStream(there, chat)];
  await until("the list to know", async () => (await here.take(listChats, {})).chats[0]?.isStreaming === true);
  await (everywhere ? here : there).take(signOut, { body: { everywhere } });
  await until("the socket's end", () => socket.length > 0, SECOND);
  await until("the stream's end", () => stream.isOver, SECOND);
  expect(socket).toEqual([4001]);
  expect(stream.text).not.toContain('"settled"');
});

it("a revoked session that took another's place in its browser loses the stream that was open before, which goes on till then", async () => {
  const user = await signIn();
  const chat = await startChat(user, "speed 20\nbytes 4000");
  const [socket, stream] = [await openSocket(user), await openStream(user, chat)];
  await until("the list to know", async () => (await user.take(listChats, {})).chats[0]?.isStreaming === true);
  await signInByMail(user, user.email);
  const { length } = stream.text;
  await until("more words", () => stream.text.length > length);
  expect([stream.isOver, socket]).toEqual([false, []]);
  await user.take(signOut, { body: {} });
  await until("the socket's end", () => socket.length > 0, SECOND);
  await until("the stream's end", () => stream.isOver, SECOND);
  expect(stream.text).not.toContain('"settled"');
});

it.each(ENDINGS)("a revoked session by %s reads nothing private from that moment on, by any call", async (_, end) => {
  const user = await signIn();
  // What somebody had copied of the cookie.
  const copy = visitor();
  for (const [name, value] of user.cookies) copy.cookies.set(name, value);
  const chat = await startChatAndRead(user, "say mine");
  const ask = async (name: string, endpoint: Endpoint) => {
    const { path, init } = sampleRequest(name, endpoint, chat);
    const response = await copy.fetch(path, init);
    response.webSocket?.accept();
    response.webSocket?.close();
    return { name, status: response.status, text: response.webSocket ? "" : await response.text() };
  };
  const secret = reading.filter(([, { access }]) => access === "user" || access === "account");
  const before = await Promise.all(secret.map((call) => ask(...call)));
  expect(before.filter(({ status }) => status === 401)).toEqual([]);
  await end(user);
  const after = await Promise.all(secret.map((call) => ask(...call)));
  expect(after.filter(({ status, text }) => status !== 401 || !text.includes("UNAUTHENTICATED"))).toEqual([]);
  // Whatever is there for everybody takes whom it knew for a visitor.
  const open = await Promise.all(reading.filter(([, { access }]) => access === "anyone").map((call) => ask(...call)));
  expect(open.filter(({ status }) => status === 401)).toEqual([]);
  const picker = await copy.fetch(PICKER, { headers: WINDOW });
  expect(await picker.text()).toContain('"refusal":"sign_in"');
});

it("a revoked session loses the stream of a reply that waits for a word", async () => {
  const user = await signIn();
  await switchOnTestTools(user);
  const chat = await startChat(user, 'call testSend {"name":"ann"}');
  const stream = await openStream(user, chat);
  await until("the reply to wait", async () => {
    const { messages } = await user.take(listMessages, { params: { id: chat.chatId } });
    return messages[1]?.status === "waiting";
  });
  await until("the list to know", async () => (await user.take(listChats, {})).chats[0]?.isStreaming === false);
  await user.take(signOut, { body: {} });
  await until("the stream's end", () => stream.isOver, SECOND);
  expect(stream.text).not.toContain('"settled"');
});

it("a revoked session of one device leaves the streams of another", async () => {
  const here = await signIn();
  const there = await signIn(visitor(), here.email);
  const chat = await startChat(there, "speed 200\nbytes 1500");
  const stream = await openStream(there, chat);
  await here.take(signOut, { body: {} });
  await until("the reply's end", () => stream.isOver);
  expect(stream.text).toContain('"settled"');
});

it("one user's sockets are at most fifty: one more closes the oldest and no other", async () => {
  const [client, other] = [await signIn(), await signIn()];
  const others = await openSocket(other);
  const sockets: number[][] = [];
  // One after another, so the first is the oldest.
  for (let n = 0; n < CONNECTIONS_MAX; n += 1) sockets.push(await openSocket(client));
  expect(sockets.flat()).toEqual([]);
  sockets.push(await openSocket(client));
  await until("the first one's end", () => sockets[0]?.length);
  sockets.push(await openSocket(client));
  await until("the second one's end", () => sockets[1]?.length);
  expect(sockets.map((closed) => closed[0])).toEqual([LIVE_TOO_MANY, LIVE_TOO_MANY, ...Array(CONNECTIONS_MAX).fill(undefined)]);
  expect(others).toEqual([]);
});

describe("another site's page", () => {
  const LOADED = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" };

  let victim: Person;
  let chat: Target;
  beforeAll(async () => {
    victim = await signIn();
    chat = await startChatAndRead(victim, "say mine");
  });

  it.each(reading)("another site's page gets nothing of %s into itself", async (name, endpoint) => {
    const { path, init } = sampleRequest(name, endpoint, chat);
    const response = await victim.fetch(path, { ...init, headers: { ...LOADED, ...Object.fromEntries(new Headers(init.headers)) } });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "FOREIGN_ORIGIN" });
  });

  it("another site's page changes no view by an image whose address reads around a message", async () => {
    const client = await signIn();
    const { chatId, replyId } = await startChatAndRead(client, "say first");
    const again = await client.take(regenerateReply, { params: { id: chatId, messageId: replyId }, body: { id: crypto.randomUUID() } });
    await readReply(client, { chatId, replyId: again.replyId });
    await client.take(selectVersion, { params: { id: chatId, messageId: again.replyId } });
    await client.fetch(`/api/chat/${chatId}/messages?around=${replyId}`, { headers: LOADED });
    const { messages } = await client.take(listMessages, { params: { id: chatId } });
    expect(messages.at(-1)?.id).toBe(again.replyId);
  });
});

describe("reading", () => {
  let client: Person;
  let chat: Target;
  beforeAll(async () => {
    client = await signIn();
    chat = await startChatAndRead(client, "say still");
    await until("the title", async () => (await client.take(getUsage, { query: { by: "chat" } })).usage[0]?.calls === 2);
  });

  it.each(reading)("reading by %s changes nothing", async (name, endpoint) => {
    const snapshot = async () => {
      const rows = (table: string, column: string) =>
        env.DB.prepare(`SELECT * FROM ${table} WHERE ${column} = ?`).bind(client.user.id).all();
      const [users, chats, sessions, feedback] = await Promise.all([
        rows("users", "id"),
        rows("chats", "user_id"),
        rows("sessions", "user_id"),
        rows("feedback", "user_id"),
      ]);
      const messages = await runInDurableObject(env.CHAT_ROOM.getByName(chat.chatId), (_, state) =>
        ["messages", "readers", "chat"].map((table) => state.storage.sql.exec(`SELECT * FROM ${table}`).toArray()),
      );
      return JSON.stringify([users.results, sessions.results, feedback.results, messages, chats.results.length]);
    };
    const before = await snapshot();
    const { path, init } = sampleRequest(name, endpoint, chat);
    const response = await client.fetch(path, init);
    if (response.webSocket) response.webSocket.accept();
    else await response.text();
    expect(await snapshot()).toBe(before);
  });
});
