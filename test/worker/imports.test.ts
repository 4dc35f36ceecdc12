import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import {
  beginImport as beginImportCall,
  cancelImport,
  finishImportUpload,
  getImport,
  putImportPart,
  startImport,
} from "#shared/contracts/account/imports.ts";
import { deleteChat, listChats } from "#shared/contracts/chat/chats.ts";
import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { search } from "#shared/contracts/search.ts";
import { ACCOUNT_FORMAT } from "#shared/entities/library/account-export.ts";
import { IMPORT_PART_BYTES } from "#shared/limits.ts";
import { importStepJob } from "#worker/account/imports/import-job.ts";
import { BEGUN, chatgptConversation, plainConversations, plainSteps } from "#test/support/imports/chatgpt-export.ts";
import { beginUpload, importEnd, importFile, uploadImport } from "#test/support/imports/upload-import.ts";
import { zipOf } from "#test/support/imports/zip-of.ts";
import { runNight } from "#test/support/night.ts";
import { CHEAP_MODEL, readReply } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { addressOf, type Person, refusal, signIn, visitor } from "#test/support/worker.ts";

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
/** A ZIP whose second file is said to begin where the first one does. */
function interleaved(zip: Uint8Array): Uint8Array {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const entries = Array.from(zip.keys()).filter((at) => at + 46 <= zip.length && view.getUint32(at, true) === 0x02014b50);
  view.setUint32((entries[1] ?? 0) + 42, 0, true);
  return zip;
}
const stored = async (userId: string) => (await env.FILES.list({ prefix: `imports/${userId}/` })).objects.length;
const titles = async (client: Person) =>
  (await client.take(listChats, { query: { limit: 100 } })).chats.map(({ title }) => title).toSorted();

let user: Person;
beforeAll(async () => {
  user = await signIn();
});

it("an import of forty chats comes in several parts, costs nothing, and can be searched", async () => {
  const made = await importFile(user, await zipOf({ "conversations.json": JSON.stringify(plainConversations(40)) }));
  expect(made).toMatchObject({ state: "done", items: 40, done: 40, counts: { chat: { came: 40, here: 0, failed: 0 } } });
  expect(await titles(user)).toHaveLength(40);
  const { chats, unreadCount } = await user.take(listChats, {});
  expect(unreadCount).toBe(0);
  expect(chats[0]?.title).toBe("Conversation 39");
  const found = await until("the index", async () => {
    const { hits } = await user.take(search, { query: { q: '"of number 17"', kind: "message" } });
    return hits.length > 0 ? hits : null;
  });
  expect(found[0]?.chat.title.text).toBe("Conversation 17");
  expect(await stored(user.user.id)).toBe(0);
});

it("an import comes once: the same file again finds all here, but what was deleted since comes again", async () => {
  const person = await signIn();
  const conversations = plainConversations(3);
  const file = json(conversations);
  await importFile(person, file, { name: "conversations.json" });
  const again = await importFile(person, file, { name: "conversations.json" });
  expect(again.counts).toEqual({ chat: { came: 0, here: 3, failed: 0 } });
  const { chats } = await person.take(listChats, {});
  expect(chats).toHaveLength(3);
  const firstChat = chats.find(({ title }) => title === "Conversation 1");
  await person.take(deleteChat, { params: { id: firstChat?.id ?? "" } });
  const third = await importFile(person, await zipOf({ "conversations-000.json": JSON.stringify(conversations) }));
  expect(third.counts.chat).toEqual({ came: 1, here: 2, failed: 0 });
  expect(await titles(person)).toEqual(["Conversation 0", "Conversation 1", "Conversation 2"]);
});

it("a second import adds a conversation that has grown as a new chat beside the earlier one, and says so", async () => {
  const person = await signIn();
  const short = chatgptConversation(plainSteps(["One?", "Two."]), { title: "Growing", conversation_id: "grows" });
  const long = chatgptConversation(plainSteps(["One?", "Two.", "Three?", "Four."]), { title: "Growing", conversation_id: "grows" });
  await importFile(person, json([short]), { name: "a.json" });
  const made = await importFile(person, json([long]), { name: "b.json" });
  expect(made.counts.chat).toEqual({ came: 1, here: 0, failed: 0 });
  expect(made.notes).toEqual([{ kind: "chat", title: "Growing", reason: expect.stringContaining("had grown") }]);
  expect(await titles(person)).toEqual(["Growing", "Growing"]);
  expect((await importFile(person, json([short, long]), { name: "c.json" })).counts.chat).toEqual({ came: 0, here: 2, failed: 0 });
});

it("an import can be gone on with by the person's own model", async () => {
  const person = await signIn();
  const steps = plainSteps(["Say one", "One."], "gpt-4-gone");
  await importFile(person, json([chatgptConversation(steps)]), { name: "a.json" });
  const [chat] = (await person.take(listChats, {})).chats;
  expect(chat).toMatchObject({ lastMessageModel: "gpt-4-gone", isStreaming: false, created_at: new Date(BEGUN * 1000).toISOString() });
  const params = { id: chat?.id ?? "" };
  const { messages } = await person.take(listMessages, { params });
  const body = { id: crypto.randomUUID(), parent_id: messages.at(-1)?.id ?? null, content: "say more", model_id: CHEAP_MODEL };
  const { replyId } = await person.take(sendMessage, { params, body });
  await readReply(person, { chatId: params.id, replyId });
  expect((await person.take(listMessages, { params })).messages.map(({ model_id: model }) => model)).toEqual([
    null,
    "gpt-4-gone",
    null,
    CHEAP_MODEL,
  ]);
});

it("an import is one at a time, and may be cancelled, which deletes its file", async () => {
  const person = await signIn();
  const id = await uploadImport(person, json(plainConversations(1)), { name: "a.json" });
  expect(await stored(person.user.id)).toBe(1);
  const body = { id: crypto.randomUUID(), name: "b.json", size: 5 };
  expect(refusal(await person.call(beginImportCall, { body }))).toBe("CONFLICT");
  await person.take(cancelImport, { params: { id } });
  expect((await person.take(getImport, { params: { id } })).import).toMatchObject({ state: "cancelled", can_retry: false });
  expect(await stored(person.user.id)).toBe(0);
  expect(refusal(await person.call(startImport, { params: { id } }))).toBe("CONFLICT");
  expect(await titles(person)).toEqual([]);
});

it("an import is nobody else's to see, and no guest's to begin", async () => {
  const id = await beginUpload(user, { name: "a.json", size: 5 });
  const other = await signIn();
  expect(refusal(await other.call(getImport, { params: { id } }))).toBe("NOT_FOUND");
  expect(refusal(await other.call(cancelImport, { params: { id } }))).toBe("NOT_FOUND");
  expect((await other.fetch(`/api/imports/${id}/report`)).status).toBe(404);
  const body = { id: crypto.randomUUID(), name: "b.json", size: 5 };
  expect(refusal(await visitor().call(beginImportCall, { body }))).toBe("UNAUTHENTICATED");
  await user.take(cancelImport, { params: { id } });
});

it("an import says in its report what came and what did not, as text", async () => {
  const person = await signIn();
  const made = await importFile(person, json([...plainConversations(1), { mapping: 4, title: "Odd" }]), { name: "mine.json" });
  const response = await person.fetch(`/api/imports/${made.id}/report`);
  expect(response.headers.get("content-disposition")).toContain("Import report.txt");
  const report = await response.text();
  expect(report).toContain("Import of mine.json\nFrom: ChatGPT");
  expect(report).toContain("chats: 1 imported, 1 not imported\nmessages: 4 imported");
  expect(report).toContain('- chat "Number 2 in the file": It is not a conversation of ChatGPT.');
});

it("an upload takes a file as long as a plain ZIP may be, in parts, and none that is longer", async () => {
  const person = await signIn();
  const begin = (size: number) => person.call(beginImportCall, { body: { id: crypto.randomUUID(), name: "export.zip", size } });
  expect(await begin(2 ** 32)).toMatchObject({ status: 400, error: { error: expect.stringContaining("4 GB") } });
  const id = await beginUpload(person, { name: "export.zip", size: 2 ** 32 - 1 });
  const last = addressOf(putImportPart, { params: { id, number: 512 } });
  const answer = await person.fetch(last, { method: "PUT", body: new Uint8Array(5) });
  expect(await answer.json()).toMatchObject({ code: "UPLOAD_BROKEN" });
});

it("an upload of several parts may stop, goes on with what is missing, and is read across its parts", async () => {
  const person = await signIn();
  // Words that do not pack to less than a part.
  const noise = Array.from(crypto.getRandomValues(new Uint8Array(60_000)), (byte) => byte.toString(36)).join(" ");
  const long = Array.from({ length: 60 }, (_, index) =>
    chatgptConversation(plainSteps([`${index} ${noise}`, "Noted."]), { title: `Long ${index}` }),
  );
  const bytes = json(long);
  expect(bytes.byteLength).toBeGreaterThan(IMPORT_PART_BYTES);
  const id = await beginUpload(person, { name: "long.json", size: bytes.byteLength });
  const put = (number: number, body: Uint8Array) =>
    person.fetch(addressOf(putImportPart, { params: { id, number } }), { method: "PUT", body: new Uint8Array(body) });
  const second = bytes.subarray(IMPORT_PART_BYTES, 2 * IMPORT_PART_BYTES);
  expect((await put(2, second)).status).toBe(200);
  expect((await put(1, second.subarray(0, 5))).status).toBe(400);
  expect((await put(9, second)).status).toBe(400);
  expect((await person.take(getImport, { params: { id } })).import.parts).toEqual([2]);
  expect(refusal(await person.call(finishImportUpload, { params: { id } }))).toBe("INVALID_INPUT");
  expect((await put(1, bytes.subarray(0, IMPORT_PART_BYTES))).status).toBe(200);
  await person.take(finishImportUpload, { params: { id } });
  await person.take(startImport, { params: { id } });
  expect((await importEnd(person, id)).counts.chat).toEqual({ came: 60, here: 0, failed: 0 });
});

it.each<[string, () => Promise<Uint8Array>, string]>([
  ["a JSON of another kind", async () => json({ name: "package" }), "no export"],
  ["the first page of an account's export alone", async () => json({ format: ACCOUNT_FORMAT, version: 1, account_id: "a" }), "no export"],
  ["a ZIP whose files lie in one another", async () => interleaved(await zipOf({ "conversations.json": "[]", "b.txt": "b" })), "damaged"],
  ["a text", async () => new TextEncoder().encode("Dear diary"), "no export"],
  ["a ZIP of other files", () => zipOf({ "notes.txt": "Dear diary" }), "no export"],
  ["a ZIP that breaks off", async () => (await zipOf({ "conversations.json": "[]" })).subarray(0, 40), "damaged or breaks off"],
])("an upload of %s is recognised and deleted", async (_what, make, words) => {
  const id = await uploadImport(user, await make());
  const { import: made } = await user.take(getImport, { params: { id } });
  expect(made).toMatchObject({ state: "failed", can_retry: false, error: expect.stringContaining(words) });
  expect(await stored(user.user.id)).toBe(0);
});

it("an upload that nobody goes on with is deleted within a day", async () => {
  const person = await signIn();
  const id = await uploadImport(person, json(plainConversations(1)), { name: "a.json" });
  const before = new Date(Date.now() - 25 * 60 * 60_000).toISOString();
  await env.DB.prepare("UPDATE imports SET updated_at = ? WHERE id = ?").bind(before, id).run();
  await runNight(person.user.id);
  const { import: made } = await person.take(getImport, { params: { id } });
  expect(made).toMatchObject({ state: "failed", error: expect.stringContaining("within a day") });
  expect(await stored(person.user.id)).toBe(0);
});

it("a repeated or lost import job imports nothing twice", async () => {
  const person = await signIn();
  const id = await uploadImport(person, json(plainConversations(8)), { name: "a.json" });
  await env.DB.prepare("UPDATE imports SET state = 'reading' WHERE id = ?").bind(id).run();
  await Promise.all([importStepJob.receive(env, { importId: id }, 1), importStepJob.receive(env, { importId: id }, 1)]);
  await Promise.all([importStepJob.receive(env, { importId: id }, 1), importStepJob.receive(env, { importId: id }, 2)]);
  expect((await importEnd(person, id)).counts).toMatchObject({ chat: { came: 8, here: 0, failed: 0 }, message: { came: 32 } });
  expect(await titles(person)).toHaveLength(8);
});

it("an import job that fails for good says so, keeps what came, and goes on where it was", async () => {
  const person = await signIn();
  const id = await uploadImport(person, json(plainConversations(4)), { name: "a.json" });
  await env.DB.prepare("UPDATE imports SET state = 'reading' WHERE id = ?").bind(id).run();
  await importStepJob.receive(env, { importId: id }, 4);
  const { import: failed } = await person.take(getImport, { params: { id } });
  expect(failed).toMatchObject({ state: "failed", can_retry: true, error: expect.stringContaining("on our side") });
  await person.take(startImport, { params: { id } });
  expect((await importEnd(person, id)).counts.chat).toEqual({ came: 4, here: 0, failed: 0 });
});

it("an import job that nobody hears of again is seen to have failed", async () => {
  const person = await signIn();
  const id = await uploadImport(person, json(plainConversations(1)), { name: "a.json" });
  const before = new Date(Date.now() - 60 * 60_000).toISOString();
  await env.DB.prepare("UPDATE imports SET state = 'importing', items = 1, updated_at = ? WHERE id = ?").bind(before, id).run();
  expect((await person.take(getImport, { params: { id } })).import).toMatchObject({ state: "failed", can_retry: true });
});
