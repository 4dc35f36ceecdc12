import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { createArtifact, deleteArtifact, getArtifact, putArtifactContent, shareArtifact } from "#shared/contracts/artifacts.ts";
import { createChat, deleteChat } from "#shared/contracts/chat/chats.ts";
import { forkChat } from "#shared/contracts/chat/copies.ts";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { getQuotas } from "#shared/contracts/account/quotas.ts";
import { shareChat } from "#shared/contracts/chat/sharing.ts";
import { ErrorBody } from "#shared/errors.ts";
import { ATTACHMENT_BYTES, STORAGE_BYTES } from "#shared/limits.ts";
import { ACCOUNT_FORMAT, ACCOUNT_VERSION } from "#shared/entities/library/account-export.ts";
import { importFile } from "#test/support/imports/upload-import.ts";
import { zipOf } from "#test/support/imports/zip-of.ts";
import { make as makeKnowledge, readKnowledgeEntry } from "#test/support/knowledge.ts";
import { runNight } from "#test/support/night.ts";
import { png } from "#test/support/pictures.ts";
import { CHEAP_MODEL, readReply } from "#test/support/replies.ts";
import { cookiesOf, visitWith } from "#test/support/sign-in.ts";
import { type Client, ORIGIN, type Person, signIn } from "#test/support/worker.ts";
import { copyArtifact } from "#worker/library/artifacts/artifacts.ts";
import { openDatabase } from "#worker/platform/db/client.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const DAY = 24 * 60 * 60_000;

async function put(client: Client, chatId: string, { body, headers = {} }: { body: BodyInit; headers?: Record<string, string> }) {
  const id = crypto.randomUUID();
  const init = { method: "PUT", body, headers: typeof body === "string" ? { "content-length": String(body.length), ...headers } : headers };
  const response = await client.fetch(`/api/chat/${chatId}/attachments/${id}?name=a.txt`, init);
  const json: unknown = await response.json();
  return response.ok ? { id, status: response.status } : { id, status: response.status, ...ErrorBody.parse(json) };
}

function ofUnknownLength(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array([0x7a]));
      controller.close();
    },
  });
}

async function used(person: Person): Promise<number> {
  return (await person.take(getQuotas, {})).storage.used;
}

/** Counts so many bytes for a chat that has no room here. */
async function fill(person: Person, bytes: number): Promise<void> {
  await runInDurableObject(env.USER_HUB.getByName(person.user.id), (_, { storage }) => {
    storage.sql.exec("INSERT INTO stored (chat_id, bytes, seq) VALUES (?, ?, 1)", crypto.randomUUID(), bytes);
  });
}

it("Storage counts each file once, a fork's copies too, and gives back what an unused upload and a deleted chat took", async () => {
  const user = await signIn();
  const chatId = crypto.randomUUID();
  const sent = await put(user, chatId, { body: "seven b" });
  await put(user, chatId, { body: "eleven byte" });
  expect(await used(user)).toBe(18);

  const body = { id: crypto.randomUUID(), parent_id: null, content: "say kept", model_id: CHEAP_MODEL, attachments: [sent.id] };
  const { replyId } = await user.take(sendMessage, { params: { id: chatId }, body });
  await readReply(user, { chatId, replyId });
  expect(await used(user)).toBe(18);
  const { chat: fork } = await user.take(forkChat, { params: { id: chatId }, body: { messageId: replyId } });
  expect(await used(user)).toBe(25);

  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + DAY + 60_000 });
  await runNight();
  vi.useRealTimers();
  expect(await used(user)).toBe(14);
  await user.take(deleteChat, { params: { id: chatId } });
  expect(await used(user)).toBe(7);
  await user.take(deleteChat, { params: { id: fork.id } });
  expect(await used(user)).toBe(0);
});

it("An upload beyond the quota is refused before its body is read, with a sentence that says how much is used; so is a fork", async () => {
  const user = await signIn();
  const chatId = crypto.randomUUID();
  const sent = await put(user, chatId, { body: "x".repeat(2000) });
  const body = { id: crypto.randomUUID(), parent_id: null, content: "say kept", model_id: CHEAP_MODEL, attachments: [sent.id] };
  const { replyId } = await user.take(sendMessage, { params: { id: chatId }, body });
  await readReply(user, { chatId, replyId });
  await fill(user, STORAGE_BYTES - 3000);

  // It has no end, so whoever reads it never answers.
  const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(1024)) });
  const refused = await put(user, chatId, { body: endless, headers: { "content-length": "1001" } });
  expect(refused).toMatchObject({ status: 413, code: "STORAGE_FULL" });
  expect(refused).toHaveProperty("error", expect.stringContaining("Your files take 5 GB of your 5 GB"));
  const forked = await user.call(forkChat, { params: { id: chatId }, body: { messageId: replyId } });
  expect(forked).toMatchObject({ ok: false, error: { code: "STORAGE_FULL" } });

  expect(await put(user, chatId, { body: "y".repeat(1000) })).toMatchObject({ status: 201 });
  expect(await used(user)).toBe(STORAGE_BYTES);
});

it("Uploads at the same time cannot pass the quota together; one of unknown length takes the room of the largest", async () => {
  const user = await signIn();
  const chatId = crypto.randomUUID();
  await user.take(createChat, { body: { id: chatId } });
  await fill(user, STORAGE_BYTES - 1500);
  const outcomes = await Promise.all([1, 2, 3].map(() => put(user, chatId, { body: "z".repeat(1000) })));
  expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await used(user)).toBe(STORAGE_BYTES - 500);

  const hub = env.USER_HUB.getByName(user.user.id);
  await fill(user, 500 - ATTACHMENT_BYTES);
  expect(await put(user, chatId, { body: ofUnknownLength() })).toMatchObject({ status: 201 });
  expect(await hub.storedBytes()).toBe(STORAGE_BYTES - ATTACHMENT_BYTES + 1);
  expect(await put(user, chatId, { body: ofUnknownLength() })).toMatchObject({ code: "STORAGE_FULL" });
});

it("A count that comes late does not bring files back that are gone", async () => {
  const user = await signIn();
  const hub = env.USER_HUB.getByName(user.user.id);
  const chatId = crypto.randomUUID();
  await hub.keepStored({ chatId, bytes: 0, seq: 2 });
  await hub.keepStored({ chatId, bytes: 7, seq: 1 });
  expect(await used(user)).toBe(0);

  // Deleted: what its room reported while its files were still there comes after that.
  const deleted = crypto.randomUUID();
  await put(user, deleted, { body: "seven b" });
  const body = { id: crypto.randomUUID(), parent_id: null, content: "say hi", model_id: CHEAP_MODEL };
  const { replyId } = await user.take(sendMessage, { params: { id: deleted }, body });
  await readReply(user, { chatId: deleted, replyId });
  await user.take(deleteChat, { params: { id: deleted } });
  expect(await used(user)).toBe(0);
  await hub.keepStored({ chatId: deleted, bytes: 7, seq: 1 });
  expect(await used(user)).toBe(0);
});

it("A file in a shared chat counts for the chat's owner, whose use stays their own", async () => {
  const [owner, editor] = [await signIn(), await signIn()];
  const chatId = crypto.randomUUID();
  await owner.take(createChat, { body: { id: chatId } });
  await owner.take(shareChat, { params: { id: chatId }, body: { type: "user", email: editor.email, permissionLevel: "editor" } });
  expect(await put(editor, chatId, { body: "five!" })).toMatchObject({ status: 201 });
  expect([await used(owner), await used(editor)]).toEqual([5, 0]);
  await fill(owner, STORAGE_BYTES - 5);
  expect(await put(editor, chatId, { body: "!" })).toMatchObject({
    code: "STORAGE_FULL",
    error: "The storage of this chat's owner is full.",
  });
});

it("Artifacts count with all their versions and pictures, and a full storage refuses what would add without losing what is there", async () => {
  const [user, writer] = [await signIn(), await signIn()];
  const { id } = await user.take(createArtifact, { body: { title: "Plan", content: "four" } });
  expect(await used(user)).toBe(4);
  const save = (person: Person, content: string, version: number) =>
    person.call(putArtifactContent, { params: { id }, body: { content, base_version: version, is_review: true } });
  await save(user, "seven b", 1);
  const picture = `/api/artifacts/${id}/files/${crypto.randomUUID()}?name=a.png`;
  const body = png(2, 2);
  await user.fetch(picture, { method: "PUT", body });
  expect(await used(user)).toBe(4 + 7 + body.byteLength);
  // A later save of the same sitting takes the former one's place.
  await user.take(putArtifactContent, { params: { id }, body: { content: "x", base_version: 2 } });
  await user.take(putArtifactContent, { params: { id }, body: { content: "xy", base_version: 3 } });
  const before = 4 + 7 + 2 + body.byteLength;
  expect(await used(user)).toBe(before);

  await fill(user, STORAGE_BYTES - before - 3);
  await user.take(shareArtifact, { params: { id }, body: { type: "user", email: writer.email, permissionLevel: "editor" } });
  const refused = await save(user, "longer", 4);
  expect(refused).toMatchObject({ ok: false, error: { code: "STORAGE_FULL", error: expect.stringContaining("Delete artifacts") } });
  expect(await save(writer, "longer", 4)).toMatchObject({ ok: false, error: { error: "The storage of this artifact's owner is full." } });
  expect(await user.call(createArtifact, { body: { content: "longer" } })).toMatchObject({ ok: false, error: { code: "STORAGE_FULL" } });
  expect((await user.fetch(`/api/artifacts/${id}/files/${crypto.randomUUID()}?name=a.png`, { method: "PUT", body })).status).toBe(413);
  expect((await user.take(getArtifact, { params: { id } })).artifact).toMatchObject({ content: "xy", version: 4 });
  // What does not add goes on.
  await user.take(putArtifactContent, { params: { id }, body: { content: "y", base_version: 4 } });
  await user.take(deleteArtifact, { params: { id } });
  expect(await used(user)).toBe(STORAGE_BYTES - before - 3);
  const left = await env.DB.prepare("SELECT stored FROM artifacts WHERE user_id = ?").bind(user.user.id).all();
  expect(left.results).toEqual([]);
});

it("Pictures of an artifact that come at the same time cannot pass the quota together, nor can copies of it", async () => {
  const user = await signIn();
  const { id } = await user.take(createArtifact, { body: { title: "Plan", content: "four" } });
  const body = png(2, 2);
  const keep = (fileId: string) => user.fetch(`/api/artifacts/${id}/files/${fileId}?name=a.png`, { method: "PUT", body });
  await fill(user, STORAGE_BYTES - 4 - Math.floor(1.5 * body.byteLength));
  const responses = await Promise.all([1, 2, 3].map(() => keep(crypto.randomUUID())));
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 413, 413]);
  await fill(user, STORAGE_BYTES - (await used(user)) - 6);
  const db = openDatabase(env.DB);
  const copy = () => copyArtifact(env, db, { userId: user.user.id }, { id: crypto.randomUUID(), from: id });
  const copies = await Promise.allSettled([copy(), copy(), copy()]);
  expect(copies.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(await used(user)).toBe(STORAGE_BYTES - 2);
});

it("An import keeps the pictures of an artifact as far as there is room, and says which it left behind", async () => {
  const user = await signIn();
  const at = "2026-11-01T08:00:00.000Z";
  const pictures = ["one.png", "two.png"].map((name) => ({ id: crypto.randomUUID(), name, path: `artifacts/Log/${name}`, created_at: at }));
  const shown = { id: crypto.randomUUID(), title: "Log", version: 1, is_pinned: false, created_at: at, updated_at: at };
  const file = await zipOf({
    "account.json": JSON.stringify({ format: ACCOUNT_FORMAT, version: ACCOUNT_VERSION, account_id: crypto.randomUUID() }),
    "artifacts/Log/artifact.json": JSON.stringify({ ...shown, path: "artifacts/Log.md", versions: [], pictures }),
    "artifacts/Log.md": "four",
    "artifacts/Log/one.png": png(2, 2),
    "artifacts/Log/two.png": png(2, 2),
  });
  await fill(user, STORAGE_BYTES - 4 - Math.floor(1.5 * png(2, 2).byteLength));
  const made = await importFile(user, file, { name: "polylogue.zip" });
  expect(made.counts).toMatchObject({ artifact: { came: 1 }, file: { came: 1, failed: 1 } });
  expect(made.notes).toEqual([{ kind: "file", title: "two.png (Log)", reason: expect.stringContaining("leaves no room for this") }]);
});

it("a file is not taken where no storage is bound, and the server says so", async () => {
  const user = await signIn();
  const { id } = await makeKnowledge(user);
  const path = `/api/user-contexts/${id}/files/${crypto.randomUUID()}?name=a.txt`;
  const headers = { ...cookiesOf(user), origin: ORIGIN, "content-length": "4" };
  const answer = await visitWith({ FILES: undefined }, path, { method: "PUT", body: "text", headers });
  expect({ status: answer.status, body: await answer.json() }).toEqual({
    status: 503,
    body: { error: "File upload not available", code: "STORAGE_NOT_CONFIGURED" },
  });
  expect((await readKnowledgeEntry(user, id)).user_context_files).toEqual([]);
});
