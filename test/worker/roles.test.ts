import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { signOut } from "#shared/contracts/account/auth.ts";
import { createChat, getChat } from "#shared/contracts/chat/chats.ts";
import { ENDPOINTS } from "#shared/contracts/all.ts";
import type { Endpoint } from "#shared/contracts/endpoint.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { RIGHTS } from "#shared/permissions.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { ask, NOT_FOUND, expectedStatus } from "#test/support/role-answers.ts";
import { namesMessages, type Target } from "#test/support/samples.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";
import { app } from "#worker/app.ts";
import { routesLater } from "#worker/platform/http/mount-later.ts";
import { refuse } from "#worker/conversation/chat-room/access/access.ts";

const calls = Object.entries(ENDPOINTS);
const aboutChats = calls.filter(([, { path }]) => path.startsWith("/api/chat/:id"));

/** Described by hand: two show the contracts and are none themselves, the webhooks are for whoever signs by their secret (mail-returns.test.ts), and one is for whoever deploys (deployment-turn.test.ts). */
const UNCONTRACTED = [
  "GET /api/docs",
  "GET /api/openapi.json",
  "GET /api/whatsapp/webhook",
  "POST /api/deployment/turn",
  "POST /api/mail/webhook",
  "POST /api/phone/webhook/:chatId/:callId/:token",
  "POST /api/whatsapp/webhook",
];

/** A refused chat answers word for word as one that doesn't exist, and so does administration; of every other answer the status counts. */
function summary(endpoint: Endpoint, { status, text }: { status: number; text: string }): string {
  return (endpoint.action && status !== 401) || endpoint.access === "admin" ? `${status} ${text}` : String(status);
}

it("every route is a contract, and every contract is mounted", async () => {
  const mounted = [...app.routes, ...(await routesLater())]
    .filter(({ path, method }) => path.startsWith("/api/") && method !== "ALL" && !path.includes("*"))
    .map(({ path, method }) => `${method} ${path}`);
  const contracts = calls.map(([, { method, path }]) => `${method} ${path}`);
  expect([...new Set(mounted)].toSorted()).toEqual([...contracts, ...UNCONTRACTED].toSorted());
});

it("every route names its right where it is about a chat, and how it bears repeating where it is a POST", () => {
  const lacking = calls.filter(
    ([, { method, path, action, repeat }]) =>
      (path.startsWith("/api/chat/:id") && !(action && Object.hasOwn(RIGHTS, action))) || (method === "POST" && !repeat),
  );
  expect(lacking.map(([name]) => name)).toEqual([]);
  expect(aboutChats.length).toBeGreaterThanOrEqual(11);
});

it("every route refuses with FORBIDDEN only those who may know of the chat", () => {
  expect(refuse("owner", "delete")).toBeNull();
  expect(refuse("viewer", "send")).toEqual({ ok: false, code: "FORBIDDEN" });
  expect(refuse("editor", "delete")).toEqual({ ok: false, code: "FORBIDDEN" });
  expect(refuse(null, "read")).toEqual({ ok: false, code: "NOT_FOUND" });
});

describe("the role matrix", () => {
  let owner: Client;
  let target: Target;
  /** Who has nothing to do with the chat: what only reads changes none of them, and a change is each one's own. */
  let stranger: Client;
  let guest: Client;
  /** A session that is over, with the chat that it began. */
  let over: { cookies: Client["cookies"]; chat: Target };

  const readsOnly = ({ method }: Endpoint) => method === "GET";
  /** What is about a chat is refused to all who have nothing to do with it, so it changes nothing of theirs either. */
  const changesAsker = (endpoint: Endpoint) => !readsOnly(endpoint) && !endpoint.action;

  async function newGuest(): Promise<Client> {
    const client = visitor();
    await client.take(createChat, { body: {} });
    return client;
  }

  async function endSession(): Promise<typeof over> {
    const user = await signIn();
    const chat = await startChatAndRead(user, "say over");
    const cookies = new Map(user.cookies);
    await user.take(signOut, { body: {} });
    return { cookies, chat };
  }

  beforeAll(async () => {
    [owner, stranger, guest, over] = await Promise.all([signIn(), signIn(), newGuest(), endSession()]);
    target = await startChatAndRead(owner, "say nobody else's");
    await until("the chat at rest", async () => {
      const { chat } = await owner.take(getChat, { params: { id: target.chatId } });
      return !chat.isStreaming && chat.title !== "";
    });
  });

  /** A chat with a reply where the call is about one, else an empty one. */
  async function ownChat(user: Client, name: string, endpoint: Endpoint): Promise<Target> {
    if (endpoint.action || namesMessages(name, endpoint)) return startChatAndRead(user, "say mine");
    const { chat } = await user.take(createChat, { body: {} });
    return { chatId: chat.id, messageId: crypto.randomUUID(), replyId: crypto.randomUUID() };
  }

  it.each(calls)("the role matrix: %s answers the owner", async (name, endpoint) => {
    const user = readsOnly(endpoint) ? owner : await signIn();
    const own = readsOnly(endpoint) ? target : await ownChat(user, name, endpoint);
    const answer = await ask(user, name, endpoint, own);
    expect(endpoint.access === "admin" ? summary(endpoint, answer) : String(answer.status)).toBe(expectedStatus(name, endpoint));
  });

  it.each(calls)("the role matrix: %s shows a stranger nothing of the chat", async (name, endpoint) => {
    const answer = await ask(changesAsker(endpoint) ? await signIn() : stranger, name, endpoint, target);
    expect(summary(endpoint, answer)).toBe(endpoint.action ? NOT_FOUND : expectedStatus(name, endpoint));
    expect(answer.text).not.toContain("nobody else's");
  });

  it.each(calls)("the role matrix: %s shows a guest nothing of the chat, and nothing that needs an account", async (name, endpoint) => {
    const asker = changesAsker(endpoint) ? await newGuest() : guest;
    const allowed = endpoint.action ? NOT_FOUND : expectedStatus(name, endpoint);
    expect(summary(endpoint, await ask(asker, name, endpoint, target))).toBe(endpoint.access === "account" ? "401" : allowed);
  });

  it.each(calls)("the role matrix: %s asks a visitor for a session where one is needed", async (name, endpoint) => {
    const needsSession = endpoint.access === "user" || endpoint.access === "account";
    const allowed = endpoint.action ? NOT_FOUND : expectedStatus(name, endpoint);
    expect(summary(endpoint, await ask(visitor(), name, endpoint, target))).toBe(needsSession ? "401" : allowed);
  });

  it.each(calls)("the role matrix: %s takes an ended session for none", async (name, endpoint) => {
    const user = visitor();
    for (const [cookie, value] of over.cookies) user.cookies.set(cookie, value);
    const answer = await ask(user, name, endpoint, over.chat);
    const isKnown = endpoint.access === "anyone" || endpoint.access === "admin";
    expect(endpoint.access === "admin" ? summary(endpoint, answer) : String(answer.status)).toBe(
      isKnown ? expectedStatus(name, endpoint) : "401",
    );
  });

  it("nobody whom the role matrix refuses changed the chat", async () => {
    const { messages } = await owner.take(listMessages, { params: { id: target.chatId } });
    expect(messages.map(({ id, content }) => ({ id, content }))).toEqual([
      { id: target.messageId, content: "say nobody else's" },
      { id: target.replyId, content: "nobody else's" },
    ]);
  });

  it("the role matrix is not fooled by ids in bodies, queries and headers", async () => {
    const liar = await signIn();
    const { user } = await signIn();
    const claims = { "x-user-id": user.id, "x-session-id": "s", "x-forwarded-user": user.id, authorization: `Bearer ${user.id}` };
    const path = `/api/chat/${target.chatId}`;
    for (const suffix of ["", `/replies/${target.replyId}`, `/messages?userId=${user.id}&isAuthenticated=true`]) {
      const response = await liar.fetch(path + suffix, { headers: claims });
      expect(`${response.status} ${await response.text()}`).toBe(NOT_FOUND);
    }
    const body = JSON.stringify({
      display_name: "Mine",
      userId: user.id,
      id: user.id,
      isAuthenticated: true,
      credits: 1e6,
      team_plan: true,
    });
    const response = await liar.fetch("/api/user", { method: "PATCH", headers: { "content-type": "application/json" }, body });
    expect(await response.json()).toMatchObject({ user: { display_name: "Mine", credits: 5, team_plan: false } });
    expect(await env.DB.prepare("SELECT count(*) AS n FROM users WHERE display_name = 'Mine' AND id = ?").bind(user.id).first("n")).toBe(0);
  });
});
