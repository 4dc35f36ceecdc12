import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ENDPOINTS } from "#shared/contracts/all.ts";
import { cancelImport, listImports } from "#shared/contracts/account/imports.ts";
import { createArtifact, putArtifactContent } from "#shared/contracts/artifacts.ts";
import { createChat, listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import type { Endpoint } from "#shared/contracts/endpoint.ts";
import { continueReply, listMessages, stopReply } from "#shared/contracts/chat/messages.ts";
import { createTeam, sendTeamInvitation } from "#shared/contracts/account/teams.ts";
import { createPersona, updatePersona } from "#shared/contracts/library/personas.ts";
import { createInvite } from "#shared/contracts/account/invites.ts";
import { createMcpConnection } from "#shared/contracts/library/mcp-connections.ts";
import { createPrompt, deletePrompt } from "#shared/contracts/library/prompts.ts";
import { shareKnowledge, sharePersona, sharePrompt } from "#shared/contracts/library/share-links.ts";
import { startAccountExport } from "#shared/contracts/account/account-export.ts";
import { putPushDevice } from "#shared/contracts/account/push.ts";
import { createApiKey } from "#shared/contracts/account/api-keys.ts";
import { listLinkedSignIns } from "#shared/contracts/account/linked-sign-ins.ts";
import { listSessions } from "#shared/contracts/account/sessions.ts";
import { createFolder, createTag, deleteFolder } from "#shared/contracts/folders.ts";
import { createSchedule } from "#shared/contracts/schedules.ts";
import { createMemory } from "#shared/contracts/memories.ts";
import { createKnowledge } from "#shared/contracts/library/knowledge.ts";
import { CHEAP_MODEL, readReply, startChat, startChatAndRead, textOf } from "#test/support/replies.ts";
import { connectGoogle } from "#test/support/google.ts";
import { beginUpload, uploadImport } from "#test/support/imports/upload-import.ts";
import { storeEndedRun } from "#test/support/runs.ts";
import { addMailToRoom } from "#test/support/mails.ts";
import { newFeedback, stuckJob, waitingPerson } from "#test/support/operation.ts";
import { png } from "#test/support/pictures.ts";
import { subscribed } from "#test/support/push.ts";
import { namesMessages, sampleRequest, type Target } from "#test/support/samples.ts";
import { until } from "#test/support/until.ts";
import { type Client, newAddress, signIn, signInAdministrator, visitor } from "#test/support/worker.ts";
import { UserHub } from "#worker/conversation/user-hub/user-hub.ts";

type Person = Awaited<ReturnType<typeof signIn>>;

const HOUR = 60 * 60_000;
const changing = Object.entries(ENDPOINTS).filter(([, { method }]) => method !== "GET");
const CONTENT =
  /\/(?:user-system-prompts|template-messages|user-contexts|teams|invites|artifacts|mcp-connections|schedules|folders|tags|account\/export|auth\/linked-sign-ins|auth\/sessions)\/|^\/api\/(?:user|admin\/users\/:id)$/;
/** A repeat finds spent what the first one used up, and says so. */
const isSpent = ({ repeat, method, action, path }: Endpoint) =>
  // A share that was taken away, or left, content that was deleted, and an account are not there a second time.
  repeat === "spent" || (method === "DELETE" && (action === "share" || action === "leave" || CONTENT.test(path)));
const spending = changing.filter(([, endpoint]) => isSpent(endpoint));
const steady = changing.filter(([, endpoint]) => !isSpent(endpoint));

afterEach(() => void vi.useRealTimers());

async function send(client: Client, { path, init }: ReturnType<typeof sampleRequest>, headers: Record<string, string> = {}) {
  const response = await client.fetch(path, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers } });
  return { status: response.status, body: await response.text() };
}

/** All that a person has: their rows in the database, their hub's and their chats' rooms'. */
async function countEffects(userId: string, chatId: string) {
  const count = (table: string, column: string) =>
    env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`).bind(userId).first<number>("n");
  const room = await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, state) => {
    const tables = state.storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'messages'").toArray().length;
    return tables === 0
      ? null
      : state.storage.sql.exec<{ id: string; generation: number }>("SELECT id, generation FROM messages").toArray();
  });
  const ledger = await runInDurableObject(env.USER_HUB.getByName(userId), (_, state) =>
    state.storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM ledger WHERE what = 'reply'").one(),
  );
  const audit = await env.DB.prepare("SELECT count(*) AS n FROM audit_log WHERE subject_id = ?").bind(chatId).first<number>("n");
  return { chats: await count("chats", "user_id"), feedback: await count("feedback", "user_id"), audit, room, replies: ledger.n };
}

/** Waits until no reply is under way and all that was spent in this chat has reached the ledger. */
async function settled(client: Client, chatId: string): Promise<void> {
  await until("every chat at rest", async () => {
    const { chats } = await client.take(listChats, {});
    if (chats.some((chat) => chat.isStreaming)) return false;
    if (chats.every(({ id }) => id !== chatId)) return true;
    const sql = "SELECT 1 FROM charges UNION ALL SELECT 1 FROM outbox UNION ALL SELECT 1 FROM chat WHERE turn IS NOT NULL";
    return runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, state) => state.storage.sql.exec(sql).toArray().length === 0);
  });
}

/** A chat with a reply that was stopped, which every call of the contracts can be about; asked for again, it comes at once. */
async function stoppedChat(client: Client): Promise<Target> {
  const chat = await startChat(client, `${crypto.randomUUID()}\nfault hang-mid-stream times 1\nbytes 3000`, CHEAP_MODEL);
  await readReply(client, { ...chat, enough: (events) => textOf(events).length > 20 });
  await client.take(stopReply, { params: { id: chat.chatId } });
  await settled(client, chat.chatId);
  return chat;
}

const KEYED = { "idempotency-key": "the-same-key" };

/** Calls that the same two people make before two others take over, as nobody may begin more than 30 turns a minute. */
const CALLS_EACH = 8;
const pairs: Promise<[once: Person, often: Person]>[] = [];

/** Two people for several calls: what counts is how the second one's effects differ from the first one's. */
function twoPeople({ access }: Endpoint, call: number): Promise<[once: Person, often: Person]> {
  if (access === "admin") return Promise.all([signInAdministrator(), signInAdministrator()]);
  return (pairs[Math.floor(call / CALLS_EACH)] ??= Promise.all([signIn(), signIn()]));
}

/** A chat that a call of the contracts can be about; no more than its name where the call is about none. */
async function targetOf(name: string, endpoint: Endpoint, client: Person): Promise<Target> {
  const { method, path } = endpoint;
  if (path.includes("/emails/:mailId")) return chatWithMail(client, path);
  if (path.startsWith("/api/admin/")) return { ...NOWHERE, chatId: await administered(path) };
  if (path.includes("/runs/")) return chatWithRun(client);
  if (path.includes("/chat/")) return namesMessages(name, endpoint) ? stoppedChat(client) : emptyChat(client);
  if (path.startsWith("/api/public/chats/")) {
    const chat = await stoppedChat(client);
    await client.take(updateChat, { params: { id: chat.chatId }, body: { public: true } });
    return chat;
  }
  if (path.startsWith("/api/shared/")) return { ...NOWHERE, chatId: await sharedToken(client, path) };
  if (path.includes("/teams")) return { ...NOWHERE, ...(await newTeam(client, path)) };
  if (path.startsWith("/api/invites/:id")) return { ...NOWHERE, chatId: (await client.take(createInvite, { body: {} })).invite.id };
  if (path.includes("/user-system-prompts/")) return { ...NOWHERE, chatId: await changedPersona(client) };
  if (path.endsWith("/:id/drive")) await connectGoogle(client);
  if (path.includes("/user-contexts/")) return newKnowledge(client, { isAdded: method === "DELETE" });
  if (path.includes("/template-messages/")) return { ...NOWHERE, chatId: await newPrompt(client) };
  if (path.includes("/artifacts/:id")) return { ...NOWHERE, chatId: await newArtifact(client, path) };
  if (path.includes("/mcp-connections/:id")) return { ...NOWHERE, chatId: await newConnection(client) };
  if (path.startsWith("/api/push/devices/")) return { ...NOWHERE, chatId: await newDevice(client) };
  if (path.startsWith("/api/keys/")) return { ...NOWHERE, chatId: await newKey(client) };
  if (path.startsWith("/api/account/export/:id")) return { ...NOWHERE, chatId: await newExport(client) };
  if (path.startsWith("/api/schedules/:id")) return { ...NOWHERE, chatId: await newSchedule(client) };
  if (path.startsWith("/api/folders/:id")) return { ...NOWHERE, chatId: await newFolder(client) };
  if (path.startsWith("/api/folders/restore")) {
    return { ...NOWHERE, chatId: (await client.take(deleteFolder, { params: { id: await newFolder(client) } })).undo_token };
  }
  if (path.startsWith("/api/tags/:id")) return { ...NOWHERE, chatId: (await client.take(createTag, { body: { name: "Later" } })).tag.id };
  if (path.startsWith("/api/google/")) {
    await connectGoogle(client);
    return NOWHERE;
  }
  if (path.startsWith("/api/imports")) return { ...NOWHERE, chatId: await importFor(client, path) };
  if (path.startsWith("/api/auth/linked-sign-ins/")) return { ...NOWHERE, chatId: await linkedSignIn(client) };
  if (path.startsWith("/api/auth/sessions/")) return { ...NOWHERE, chatId: await otherSession(client) };
  if (path.startsWith("/api/memories/")) return { ...NOWHERE, chatId: await newFact(client) };
  return { chatId: crypto.randomUUID(), messageId: crypto.randomUUID(), replyId: crypto.randomUUID() };
}

/** An empty folder. */
async function newFolder(client: Person): Promise<string> {
  return (await client.take(createFolder, { body: { id: crypto.randomUUID(), name: "Folder" } })).folder.id;
}

/** An import that stands where a call is about it; none is under way for the one that begins another. */
async function importFor(client: Person, path: string): Promise<string> {
  const { imports } = await client.take(listImports, {});
  for (const { id } of imports) await client.take(cancelImport, { params: { id } });
  if (path === "/api/imports") return crypto.randomUUID();
  if (path.endsWith("/parts/:number")) return beginUpload(client, { name: "export.zip", size: 8 });
  return uploadImport(client, new TextEncoder().encode('[{"mapping": {}}]'), {
    name: "conversations.json",
    isFinished: !path.endsWith("/uploaded"),
  });
}

/** A key for another program. */
async function newKey(client: Person): Promise<string> {
  return (await client.take(createApiKey, { body: { id: crypto.randomUUID(), name: "Editor", scopes: ["chats"], budget: null } })).key.id;
}

/** A Google account that opens this one. */
async function linkedSignIn(client: Person): Promise<string> {
  await env.DB.prepare("INSERT INTO identities (provider, subject, user_id, email, created_at) VALUES ('google', ?, ?, ?, ?)")
    .bind(crypto.randomUUID(), client.user.id, client.email, new Date().toISOString())
    .run();
  return (await client.take(listLinkedSignIns, {})).linked[0]?.id ?? "";
}

/** Another browser that is signed in to this account. */
async function otherSession(client: Person): Promise<string> {
  await signIn(visitor(), client.email);
  return (await client.take(listSessions, {})).sessions.at(-1)?.id ?? "";
}

/** An export of all that somebody has. */
async function newExport(client: Person): Promise<string> {
  return (await client.take(startAccountExport, { body: { id: crypto.randomUUID() } })).export.id;
}

/** A browser that is notified by push. */
async function newDevice(client: Person): Promise<string> {
  const { endpoint, p256dh, auth } = await subscribed(env.PUSH_SIMULATOR);
  return (await client.take(putPushDevice, { body: { endpoint, p256dh, auth } })).device.id;
}

/** A schedule whose runs begin nothing: what it sends is gone. */
async function newSchedule(client: Person): Promise<string> {
  const promptId = await newPrompt(client);
  const body = { id: crypto.randomUUID(), prompt_id: promptId, when: "every day at 8" };
  const { schedule } = await client.take(createSchedule, { body });
  await client.take(deletePrompt, { params: { id: promptId } });
  return schedule.id;
}

/** A connection that nobody has signed in to yet. */
async function newConnection(client: Person): Promise<string> {
  const body = { name: "Vault", server_url: `${env.MCP_SIMULATOR}/vault/mcp`, auth_type: "oauth" as const };
  return (await client.take(createMcpConnection, { body })).connection.id;
}

/** An artifact; for going back to its first version, one that was saved since. */
async function newArtifact(client: Person, path: string): Promise<string> {
  const { id } = await client.take(createArtifact, { body: { title: "Artifact", content: "First." } });
  if (path.endsWith("/restore")) await client.take(putArtifactContent, { params: { id }, body: { content: "Then.", base_version: 1 } });
  return id;
}

async function emptyChat(client: Person): Promise<Target> {
  return { ...NOWHERE, chatId: (await client.take(createChat, { body: {} })).chat.id };
}

/** A chat with a phone call as `replyId`. */
async function chatWithRun(client: Person): Promise<Target> {
  const target = await emptyChat(client);
  await storeEndedRun(target.chatId, { callId: target.replyId, userId: client.user.id });
  return target;
}

/** A chat with a mail as `replyId`: one that could not be sent, where the call is about such a one, else one in quarantine. */
async function chatWithMail(client: Person, path: string): Promise<Target> {
  const target = await emptyChat(client);
  const unsent = {
    direction: "out",
    state: path.endsWith("/send") ? "failed" : path.endsWith("/discard") ? "draft" : "sent",
    sender_id: client.user.id,
    delivery_key: null,
  } as const;
  const isOut = /\/(?:send|discard|reminder)$/.test(path);
  await addMailToRoom(target.chatId, {
    id: target.replyId,
    ...(isOut ? { ...unsent, to_addr: [newAddress()] } : { state: "quarantined" }),
  });
  return target;
}

/** A team as `chatId`, with a member as `messageId`, and an open invitation as `replyId`; for accepting one, one of the client's own with its token as `chatId`. */
async function newTeam(client: Person, path: string): Promise<Target> {
  const [admin, other] = path.endsWith("/:token") ? [await signIn(), client] : [client, await signIn()];
  const { team } = await admin.take(createTeam, { body: { name: "Team" } });
  const invite = (email: string) => admin.take(sendTeamInvitation, { body: { teamId: team.id, email } });
  if (other === client) {
    const { invitation } = await invite(client.email);
    return { ...NOWHERE, chatId: invitation.token };
  }
  await env.DB.prepare("INSERT INTO team_members (team_id, user_id, role, created_at) VALUES (?, ?, 'member', '')")
    .bind(team.id, other.user.id)
    .run();
  const { invitation } = await invite(newAddress());
  return { chatId: team.id, messageId: other.user.id, replyId: invitation.id };
}

/** Something that an act of an administrator can be about. */
async function administered(path: string): Promise<string> {
  if (path.startsWith("/api/admin/invites")) return (await (await signIn()).take(createInvite, { body: {} })).invite.id;
  if (path.startsWith("/api/admin/jobs")) return stuckJob();
  if (path.startsWith("/api/admin/feedback")) return newFeedback();
  if (path.startsWith("/api/admin/plans")) return (await waitingPerson(await signInAdministrator())).user.id;
  const { user } = await signIn();
  if (path.endsWith("/unblock"))
    await env.DB.prepare("UPDATE users SET blocked_at = ? WHERE id = ?").bind(new Date().toISOString(), user.id).run();
  return user.id;
}

/** A persona that said something else before. */
async function changedPersona(client: Client): Promise<string> {
  const { persona } = await client.take(createPersona, { body: { name: "Persona", content: "First." } });
  await client.take(updatePersona, { params: { id: persona.id }, body: { content: "Then." } });
  return persona.id;
}

async function newPrompt(client: Client): Promise<string> {
  return (await client.take(createPrompt, { body: { name: "Prompt", content: "Text." } })).prompt.id;
}

async function newFact(client: Client): Promise<string> {
  return (await client.take(createMemory, { body: { id: crypto.randomUUID(), text: "Likes tea" } })).memory.id;
}

/** The token of a link to what this call is about. */
async function sharedToken(client: Client, path: string): Promise<string> {
  const { shareUrl } = path.includes("/contexts/")
    ? await client.take(shareKnowledge, { params: { id: (await newKnowledge(client, { isAdded: false })).chatId } })
    : path.includes("/template-messages/")
      ? await client.take(sharePrompt, { params: { id: await newPrompt(client) } })
      : await client.take(sharePersona, { params: { id: await changedPersona(client) } });
  return [...new URL(shareUrl).searchParams.values()][0] ?? "";
}

/** Knowledge as `chatId`, with a file as `messageId` that was read, and an artifact as `replyId` that is part of it or can be. */
async function newKnowledge(client: Client, { isAdded }: { isAdded: boolean }): Promise<Target> {
  const { id: replyId } = await client.take(createArtifact, { body: { title: "Artifact", content: "Text." } });
  const { context } = await client.take(createKnowledge, { body: { name: "Facts", ...(isAdded && { artifact_id: replyId }) } });
  const target = { chatId: context.id, messageId: crypto.randomUUID(), replyId };
  await client.fetch(`/api/user-contexts/${context.id}/files/${target.messageId}?name=plan.png`, { method: "PUT", body: png(1, 1) });
  return target;
}

const NOWHERE: Target = { chatId: crypto.randomUUID(), messageId: crypto.randomUUID(), replyId: crypto.randomUUID() };

describe.each(steady.map(([name, endpoint], call): [string, Endpoint, number] => [name, endpoint, call]))("%s", (name, endpoint, call) => {
  it("twice at once, and once more with a delay, has its effect once and answers the same", async () => {
    const [once, often] = await twoPeople(endpoint, call);
    const [target, targets] = await Promise.all([targetOf(name, endpoint, once), targetOf(name, endpoint, often)]);
    const request = sampleRequest(name, endpoint, targets);
    const [single, ...answers] = await Promise.all([
      send(once, sampleRequest(name, endpoint, target), { "idempotency-key": "another-key" }),
      send(often, request, KEYED),
      send(often, request, KEYED),
    ]);
    expect(single.status).toBe(endpoint.status);
    // The delay is as long as what the one before it set going takes.
    await settled(often, targets.chatId);
    answers.push(await send(often, request, KEYED));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([endpoint.status]));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    await Promise.all([settled(once, target.chatId), settled(often, targets.chatId)]);
    const expected = await countEffects(once.user.id, target.chatId);
    const found = await countEffects(often.user.id, targets.chatId);
    expect({ ...found, room: found.room?.map(({ generation }) => generation) }).toEqual({
      ...expected,
      room: expected.room?.map(({ generation }) => generation),
    });
  });
});

describe.each(spending)("%s", (name, endpoint: Endpoint) => {
  it("twice at once, and three times more, is refused once it is spent", async () => {
    const client = await (endpoint.access === "admin" ? signInAdministrator() : signIn());
    const request = sampleRequest(name, endpoint, await targetOf(name, endpoint, client));
    const cookies = new Map(client.cookies);
    const again = async () => {
      for (const [cookie, value] of cookies) client.cookies.set(cookie, value);
      return (await send(client, request)).status;
    };
    const [first, second] = await Promise.all([again(), again()]);
    expect([first, second].every((status) => status < 500)).toBe(true);
    for (let n = 0; n < 3; n += 1) expect([400, 401, 404]).toContain(await again());
  });
});

describe("an Idempotency-Key", () => {
  const feedback = (message: string, key: string) => ({
    path: "/api/feedback",
    init: { method: "POST", headers: { "content-type": "application/json", "idempotency-key": key }, body: JSON.stringify({ message }) },
  });

  it("an Idempotency-Key with another body is refused, and is each person's own", async () => {
    const [client, other] = [await signIn(), await signIn()];
    expect((await send(client, feedback("one", "k"))).status).toBe(200);
    expect(await send(client, feedback("two", "k"))).toMatchObject({ status: 409, body: expect.stringContaining("CONFLICT") });
    expect((await send(client, feedback("two", "k2"))).status).toBe(200);
    expect((await send(other, feedback("two", "k"))).status).toBe(200);
  });

  it("an Idempotency-Key is one call's on one thing: others may have the same, and the same call on another thing is refused", async () => {
    const client = await signIn();
    const [one, two] = [(await client.take(createChat, { body: {} })).chat, (await client.take(createChat, { body: {} })).chat];
    const body = JSON.stringify({ type: "user", email: newAddress(), permissionLevel: "viewer", invite: true });
    const share = (chatId: string) => {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body };
      return send(client, { path: `/api/chat/${chatId}/share`, init }, KEYED);
    };
    expect((await share(one.id)).status).toBeLessThan(300);
    expect((await share(two.id)).status).toBe(409);
    expect((await send(client, feedback("one", KEYED["idempotency-key"]))).status).toBe(200);
  });

  it("an Idempotency-Key holds for a day", async () => {
    const client = await signIn();
    await client.take(createChat, { body: {} });
    const request = { path: "/api/chats", init: { method: "POST", headers: { "content-type": "application/json" }, body: "{}" } };
    const first = await send(client, request, KEYED);
    expect((await send(client, request, KEYED)).body).toBe(first.body);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 25 * HOUR });
    expect((await send(client, request, KEYED)).body).not.toBe(first.body);
  });

  it("an Idempotency-Key holds although the hub that keeps the answer ends in that very call", async () => {
    const client = await signIn();
    const request = { path: "/api/chats", init: { method: "POST", headers: { "content-type": "application/json" }, body: "{}" } };
    const failingSettle = vi.spyOn(UserHub.prototype, "settleKey").mockRejectedValueOnce(new Error("ended"));
    const first = await send(client, request, KEYED);
    failingSettle.mockRestore();
    expect(first.status).toBeLessThan(300);
    expect(await send(client, request, KEYED)).toEqual(first);
  });

  it("an Idempotency-Key of a refused request may be used again", async () => {
    const client = await signIn();
    const { chatId, replyId } = await startChatAndRead(client, "say whole");
    const path = `/api/chat/${chatId}/messages/${replyId}/continue`;
    const request = { path, init: { method: "POST" } };
    expect((await send(client, request, KEYED)).status).toBe(400);
    expect((await send(client, request, KEYED)).status).toBe(400);
  });

  it("an Idempotency-Key must be plain", async () => {
    const client = await signIn();
    for (const key of ["", "a b", "x".repeat(201)]) expect((await send(client, feedback("one", key))).status).toBe(400);
  });

  it("an Idempotency-Key is not needed where the body names what it makes, which is refused with other content", async () => {
    const client = await signIn();
    const id = crypto.randomUUID();
    const first = await client.take(createChat, { body: { id, title: "One" } });
    expect(await client.take(createChat, { body: { id, title: "One" } })).toEqual(first);
    expect(await client.call(createChat, { body: { id, title: "Two" } })).toMatchObject({ status: 409 });
  });

  it("an Idempotency-Key keeps a late repeat of 'Continue' from going on a second time", async () => {
    const client = await signIn();
    const { chatId, replyId } = await stoppedChat(client);
    const request = { path: `/api/chat/${chatId}/messages/${replyId}/continue`, init: { method: "POST" } };
    await send(client, request, KEYED);
    await client.take(stopReply, { params: { id: chatId } });
    await settled(client, chatId);
    const before = await client.take(listMessages, { params: { id: chatId } });
    expect((await send(client, request, KEYED)).status).toBe(continueReply.status);
    expect(await client.take(listMessages, { params: { id: chatId } })).toEqual(before);
  });
});
