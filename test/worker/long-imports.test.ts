import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { createChat, listChats } from "#shared/contracts/chat/chats.ts";
import { importChat } from "#shared/contracts/chat/copies.ts";
import { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { longExport } from "#test/support/exported-chat.ts";
import { signIn } from "#test/support/worker.ts";
import { abandonCopy, abandonCopyJob, transferChat, splitCopy } from "#worker/conversation/chats/transfer-chat.ts";
import { PAUSE_MS, TRIES } from "#worker/platform/http/body-memory.ts";
import { renewIds } from "#worker/conversation/chats/renew-ids.ts";
import { claimChat } from "#worker/people/owned-chats/owned-chats.ts";
import { toCopy } from "#worker/conversation/chats/to-copy.ts";
import { openDatabase } from "#worker/platform/db/client.ts";

let user: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  user = await signIn();
});
afterEach(() => void vi.restoreAllMocks());

/** A chat of 1.2 million characters. */
function longChat(): ExportedChat {
  const { messages, ...chat } = longExport(40);
  return { ...chat, messages: messages.map((message) => ({ ...message, content: `${message.content}${"word ".repeat(6_000)}` })) };
}

async function textsOf(chatId: string): Promise<string[]> {
  const exported = ExportedChat.parse(await (await user.fetch(`/api/chat/${chatId}/export?format=json`)).json());
  return exported.messages.map(({ content }) => content);
}

/** A chat whose Worker ended after the first part of its copy. */
async function unfinished() {
  const id = crypto.randomUUID();
  const copyId = crypto.randomUUID();
  const caller = { userId: user.user.id, sessionId: "", anonymous: false, displayName: "Ada", plan: "none" as const };
  const file = longChat();
  const copy = renewIds(toCopy(file, caller));
  const { title, settings } = copy;
  const { chat } = await claimChat(openDatabase(env.DB), { id, caller, title, settings });
  const room = env.CHAT_ROOM.getByName(id);
  const [first, second] = splitCopy(copy);
  if (!first || !second) throw new Error("The copy is short.");
  expect(await room.stage({ copyId, before: 0 }, chat.ownerId, first)).toBe(true);
  const texts = file.messages.map(({ content }) => content);
  return { id, copyId, chat, room, copy, second, texts };
}

function claims(id: string): Promise<number | null> {
  return env.DB.prepare("SELECT count(*) AS n FROM chats WHERE id = ?").bind(id).first<number>("n");
}

it("a long import waits while its isolate holds as much as it can, hears so after a while, and keeps no short one waiting", async () => {
  const send = async (body: BodyInit) => {
    const response = await user.fetch("/api/chats/import", { method: "POST", headers: { "content-type": "application/json" }, body });
    return { status: response.status, body: await response.json() };
  };
  // Without a known length: room is made for the longest.
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const sending = send(readable);
  const writer = writable.getWriter();
  // What it holds would be missing to all that runs after a failure here.
  onTestFinished(() => writer.abort().catch(() => {}));
  await writer.write(new TextEncoder().encode(" "));
  const openEnded = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(JSON.stringify(longExport(2))));
        controller.close();
      },
    });

  const really = scheduler.wait.bind(scheduler);
  const waits = vi.spyOn(scheduler, "wait");
  waits.mockImplementation((ms, options) => (ms === PAUSE_MS ? Promise.resolve() : really(ms, options)));
  expect(await send(openEnded())).toMatchObject({
    status: 429,
    body: { code: "RATE_LIMITED", error: expect.stringContaining("Too many") },
  });
  expect(waits.mock.calls.filter(([ms]) => ms === PAUSE_MS)).toHaveLength(TRIES);
  waits.mockRestore();
  expect(await user.call(importChat, { body: longExport(2) })).toMatchObject({ status: 201 });

  const waiting = send(openEnded());
  await writer.close();
  expect(await sending).toMatchObject({ status: 400, body: { code: "INVALID_JSON" } });
  expect(await waiting).toMatchObject({ status: 201 });
});

it("a long import goes to its room in parts, and is whole once it is there", async () => {
  const jobs = vi.spyOn(env.JOBS, "send");
  const file = longChat();
  const texts = file.messages.map(({ content }) => content);
  const { id } = (await user.take(importChat, { body: file })).chat;
  expect(await textsOf(id)).toEqual(texts);
  const [job] = jobs.mock.calls.flatMap(([sent]) => (sent.kind === "copy.abandon" && sent.chatId === id ? [sent] : []));
  if (!job) throw new Error("Nothing would take it back.");
  await abandonCopyJob.receive(env, job, 1);
  expect(await textsOf(id)).toEqual(texts);

  const parts = splitCopy(toCopy(file, { userId: user.user.id, displayName: "Ada" }));
  expect(parts.length).toBeGreaterThan(2);
  expect(Math.max(...parts.map((part) => JSON.stringify(part).length))).toBeLessThan(600_000);
  expect(parts.flatMap(({ messages }) => messages.map((row) => row.id))).toEqual(file.messages.map((message) => message.id));
});

it("a long import that broke off is nowhere to be seen, and is taken back with all that it left", async () => {
  const { id, copyId, chat, room, second } = await unfinished();
  for (const path of ["", "/messages", "/export", "/todos"]) expect((await user.fetch(`/api/chat/${id}${path}`)).status).toBe(404);
  expect((await user.take(listChats, {})).chats.some((row) => row.id === id)).toBe(false);
  expect(await room.readTexts(user.user.id, { from: 0, again: [] })).toMatchObject({ ok: false });
  expect(await room.stage({ copyId: crypto.randomUUID(), before: 0 }, chat.ownerId, second)).toBe(false);

  await abandonCopy(env, { chatId: id, copyId: crypto.randomUUID(), createdAt: chat.createdAt });
  expect(await claims(id)).toBe(1);
  await abandonCopy(env, { chatId: id, copyId, createdAt: chat.createdAt });
  expect(await claims(id)).toBe(0);
  expect(await runInDurableObject(room, (_, state) => state.storage.sql.exec("SELECT name FROM sqlite_master").toArray().length)).toBe(0);
  // What came late finds nothing to go on from.
  expect(await room.stage({ copyId, before: 1 }, chat.ownerId, second)).toBe(false);
});

it("a long import is founded with all of its parts or not at all, and one that is lost gives way to the next", async () => {
  const { id, copyId, chat, room, copy, second, texts } = await unfinished();
  expect(await room.createChat(id, chat, { copy: { ...copy, ...second }, staged: { copyId, before: 2 } })).toBe(false);
  expect((await user.fetch(`/api/chat/${id}`)).status).toBe(404);
  await runInDurableObject(room, (_, state) => void state.storage.sql.exec("UPDATE staged_copy SET at = at - 60001"));
  await transferChat(env, { id, chat, copy });
  expect(await textsOf(id)).toEqual(texts);
  expect(await room.stage({ copyId, before: 1 }, chat.ownerId, second)).toBe(true);
  expect(await textsOf(id)).toEqual(texts);
});

it("a long import leaves nothing in a chat that its id is given to meanwhile", async () => {
  const { id, copyId, chat, room, copy, second } = await unfinished();
  await user.take(createChat, { body: { id } });
  await room.createChat(id, chat, { copy: { ...copy, ...second }, staged: { copyId, before: 1 } });
  expect(await textsOf(id)).toEqual([]);
});

it("a long import that is repeated under its key is the same chat, and another one under that key is refused", async () => {
  const file = longChat();
  const headers = { "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
  const send = async (body: object) => {
    const response = await user.fetch("/api/chats/import", { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  };
  const first = await send(file);
  expect(first.status).toBe(201);
  expect(await send(file)).toEqual(first);
  const messages = file.messages.map((message, index) => (index === 20 ? { ...message, content: `${message.content}.` } : message));
  expect(await send({ ...file, messages })).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
});
