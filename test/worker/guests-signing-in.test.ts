import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { getChat, listChats } from "#shared/contracts/chat/chats.ts";
import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { startChat } from "#test/support/replies.ts";
import { SESSION_COOKIE } from "#test/support/seed-account.ts";
import { until } from "#test/support/until.ts";
import { type Client, newAddress, signInByMail, visit, visitor } from "#test/support/worker.ts";
import { mergeGuest } from "#worker/people/auth/merge-guest.ts";
import { newSession, sessionStatements } from "#worker/people/sessions/sessions.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { createAccount } from "#worker/people/users/users.ts";

const LIGHT_MODEL = "openai/gpt-5-nano";

/** A guest with a chat whose reply has ended. */
async function guestWithChat(content = "say hello guest") {
  const client = visitor();
  const { chatId, messageId } = await startChat(client, content, LIGHT_MODEL);
  await settled(client, chatId);
  const { user } = await client.take(getSession, {});
  if (!user) throw new Error("No guest was made.");
  return { client, guestId: user.id, chatId, messageId, cookie: `${SESSION_COOKIE}=${client.cookies.get(SESSION_COOKIE)}` };
}

/** The messages of a chat whose reply has ended, once its list knows the chat. */
async function settled(client: Client, chatId: string) {
  await until("the chat in the list", async () => (await chatIdsOf(client)).includes(chatId));
  return until("the reply's end", async () => {
    const { messages } = await client.take(listMessages, { params: { id: chatId } });
    return messages.at(-1)?.status === "done" ? messages : null;
  });
}

async function chatIdsOf(client: Client): Promise<string[]> {
  return (await client.take(listChats, {})).chats.map(({ id }) => id);
}

it("a guest who signs in to a new account becomes it, with its chats and default credits", async () => {
  const { client, guestId, chatId } = await guestWithChat();
  const { user, email } = await signInByMail(client);
  expect(user).toMatchObject({ id: guestId, anonymous: false, email, credits: 5, display_name: email.split("@")[0] });
  expect(await chatIdsOf(client)).toEqual([chatId]);
  expect((await client.take(getChat, { params: { id: chatId } })).chat).toMatchObject({ user_id: guestId, permissionLevel: "owner" });
});

it("a guest who signs in to a new account is named as the author of what the guest wrote", async () => {
  const { client, chatId } = await guestWithChat();
  const { user } = await signInByMail(client);
  const { messages } = await client.take(listMessages, { params: { id: chatId } });
  expect(messages[0]?.author).toEqual({ id: user.id, display_name: user.display_name });
});

it("a guest who signs in to a new account by two addresses at once is two accounts, each with the one session that its own sign-in opened", async () => {
  const { guestId } = await guestWithChat();
  const db = openDatabase(env.DB);
  await env.DB.prepare("DELETE FROM sessions WHERE user_id = ?").bind(guestId).run();
  const accounts = [newAddress(), newAddress()].map((email) => {
    const beside = async (userId: string) => sessionStatements(db, (await newSession(userId, { userAgent: email })).made, email);
    return createAccount(db, { email, displayName: "Ann", giftMicros: 0, beside }, guestId);
  });
  const users = (await Promise.all(accounts)).map(({ row }) => row);
  const find = "SELECT user_id AS id, user_agent AS email FROM sessions WHERE user_id IN (SELECT value FROM json_each(?))";
  const { results } = await env.DB.prepare(find)
    .bind(JSON.stringify(users.map(({ id }) => id)))
    .all<{ id: string; email: string }>();
  const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id);
  expect(results.toSorted(byId)).toEqual(users.map(({ id, email }) => ({ id, email })).toSorted(byId));
  expect(users.map(({ id }) => id)).toContain(guestId);
});

it("a guest who signs in to a new account gets another session: the guest's cookie opens nothing any more", async () => {
  const { client, cookie } = await guestWithChat();
  await signInByMail(client);
  const response = await visit("/api/user", {
    method: "PATCH",
    headers: { cookie, origin: "http://localhost", "content-type": "application/json" },
    body: "{}",
  });
  expect(response.status).toBe(401);
});

it("a guest who signs in to a new account finds the whole answer when it signs in in the middle of one", async () => {
  const client = visitor();
  const { chatId } = await startChat(client, "say in the middle", LIGHT_MODEL);
  await signInByMail(client);
  const messages = await settled(client, chatId);
  expect(messages.map(({ content }) => content)).toEqual(["say in the middle", "in the middle"]);
});

it("a guest who signs in to an existing account moves its chats and authorship there and is deleted", async () => {
  const account = await signInByMail();
  const own = await startChat(account, "say mine", LIGHT_MODEL);
  await settled(account, own.chatId);
  const { client, guestId, chatId, messageId } = await guestWithChat();
  const { user } = await signInByMail(client, account.email);
  expect(user.id).toBe(account.user.id);
  // The account's own chat cost it a fraction of a cent; what the guest used cost it nothing.
  expect(user.credits).toBeGreaterThan(4.99);
  expect((await chatIdsOf(client)).toSorted()).toEqual([own.chatId, chatId].toSorted());
  expect((await chatIdsOf(account)).toSorted()).toEqual([own.chatId, chatId].toSorted());
  const { messages } = await client.take(listMessages, { params: { id: chatId } });
  expect(messages[0]).toMatchObject({ id: messageId, author: { id: user.id, display_name: user.display_name } });
  expect((await client.take(getChat, { params: { id: chatId } })).chat).toMatchObject({ user_id: user.id, permissionLevel: "owner" });
  const rows = await env.DB.prepare("SELECT 1 FROM users WHERE id = ?1 UNION ALL SELECT 1 FROM chats WHERE user_id = ?1")
    .bind(guestId)
    .all();
  expect(rows.results).toEqual([]);
});

it("a guest who signs in to an account that exists can go on in the chat it began as a guest", async () => {
  const account = await signInByMail();
  const { client, chatId } = await guestWithChat("say before");
  await signInByMail(client, account.email);
  const { messages } = await client.take(listMessages, { params: { id: chatId } });
  const body = { id: crypto.randomUUID(), parent_id: messages.at(-1)?.id ?? null, content: "say after", model_id: LIGHT_MODEL };
  await client.take(sendMessage, { params: { id: chatId }, body });
  const all = await until("the second reply", async () => {
    const page = (await client.take(listMessages, { params: { id: chatId } })).messages;
    return page.length === 4 && page.at(-1)?.status === "done" ? page : null;
  });
  expect(all.map(({ content }) => content)).toEqual(["say before", "before", "say after", "after"]);
});

it("a guest who signs in to an account that exists leaves nothing to whoever still has the guest's cookie", async () => {
  const account = await signInByMail();
  const { client, chatId, cookie } = await guestWithChat();
  await signInByMail(client, account.email);
  expect((await visit(`/api/chat/${chatId}/messages`, { headers: { cookie } })).status).toBe(401);
  const stream = await visit(`/api/chat/${chatId}/replies/${crypto.randomUUID()}`, { headers: { cookie, accept: "text/event-stream" } });
  expect(stream.status).toBe(401);
});

it("a guest who signs in to an account that exists lets its tab connect again, without a word of being signed out", async () => {
  const account = await signInByMail();
  const { client } = await guestWithChat();
  const { webSocket } = await client.fetch("/api/live", { headers: { upgrade: "websocket" } });
  const frames: string[] = [];
  const closed: number[] = [];
  webSocket?.addEventListener("message", ({ data }) => void frames.push(String(data)));
  webSocket?.addEventListener("close", ({ code }) => void closed.push(code));
  webSocket?.accept();
  await signInByMail(client, account.email);
  await until("the socket's end", () => closed.length > 0);
  expect(closed).toEqual([1012]);
  expect(frames.join()).not.toContain("session.ended");
});

it("a guest who signs in to an account that exists moves only what is its own", async () => {
  const account = await signInByMail();
  const bystander = await guestWithChat();
  const { client } = await guestWithChat();
  await signInByMail(client, account.email);
  expect(await chatIdsOf(bystander.client)).toEqual([bystander.chatId]);
});

it("a guest who signs in to an account that exists has nothing moved when an account signs in to another", async () => {
  const first = await signInByMail();
  const { chatId } = await startChat(first, "say mine", LIGHT_MODEL);
  const cookie = first.cookies.get(SESSION_COOKIE);
  const second = await signInByMail(first, newAddress());
  expect(second.user.id).not.toBe(first.user.id);
  expect(await chatIdsOf(second)).toEqual([]);
  expect((await signInByMail(visitor(), first.email)).user.id).toBe(first.user.id);
  expect(cookie).not.toBe(second.cookies.get(SESSION_COOKIE));
  const owner = await env.DB.prepare("SELECT user_id FROM chats WHERE id = ?").bind(chatId).first<string>("user_id");
  expect(owner).toBe(first.user.id);
});

it("a guest who signs in to an account that exists ends the same when the move is made twice", async () => {
  const account = await signInByMail();
  const { guestId, chatId } = await guestWithChat();
  const merge = { guestId, accountId: account.user.id };
  await mergeGuest(env, merge);
  await mergeGuest(env, merge);
  expect(await chatIdsOf(account)).toEqual([chatId]);
});
