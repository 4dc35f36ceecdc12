import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import * as z from "zod/mini";
import { expect, it } from "vitest";
import { getQuotas } from "#shared/contracts/account/quotas.ts";
import { createFolder, fileChats, tagChats } from "#shared/contracts/folders.ts";
import { deleteChat, listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import { deleteAccountExport, getAccountExport } from "#shared/contracts/account/account-export.ts";
import { listMessages } from "#shared/contracts/chat/messages.ts";
import { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { downloaded, madeExport, type Unzipped, unzipped } from "#test/support/account-export.ts";
import { EXPORT_OF_0_1 } from "#test/support/exports/account-0-1.ts";
import { fullAccount } from "#test/support/full-account.ts";
import { importFile } from "#test/support/imports/upload-import.ts";
import { addMailToRoom } from "#test/support/mails.ts";
import { factsOf } from "#test/support/memories.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn } from "#test/support/worker.ts";

/** What is another's by its nature: ids, and when it came. */
const OWN = new Set([
  "id",
  "persona_id",
  "context_ids",
  "exported_at",
  "is_foreign",
  "chat_id",
  "message_id",
  "object_key",
  "path",
  "json",
  "head_id",
  "parent_id",
  "file_ids",
  "updated_at",
  "version",
  "artifacts",
  "text",
]);
const Named = z.array(z.looseObject({ name: z.string() }));

/** A value without ids and times of arrival. */
function plain(value: unknown, kept: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((one) => plain(one, kept));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, own]) => (OWN.has(key) && !kept.includes(key) ? [] : [[key, plain(own, kept)]])),
  );
}

function chatIn(zip: Unzipped) {
  return ExportedChat.parse(zip.json(zip.named(/^chats\/[^/]*Harbour[^/]*\.json$/)));
}

/** What of two exports must be the same. */
function compared(zip: Unzipped) {
  const chat = chatIn(zip);
  const authors = new Map(chat.messages.map(({ id }, index) => [id, index]));
  const details = z.looseObject({ files: Named }).parse(zip.json(zip.named(/^chats\/.*Harbour.*\/details\.json$/)));
  const folders = z
    .object({ folders: Named, tags: Named, filings: z.array(z.object({ folder_id: z.nullable(z.string()), tags: z.array(z.string()) })) })
    .parse(zip.json("folders/folders.json"));
  return {
    chat: {
      title: chat.title,
      created_at: chat.created_at,
      model_id: chat.model_id,
      head: authors.get(chat.head_id ?? ""),
      messages: chat.messages.map(({ id: _id, parent_id: parent, author: _author, ...message }) => ({
        ...message,
        parent: parent === null ? null : authors.get(parent),
      })),
    },
    marks: { isPinned: details["is_pinned"], isArchived: details["archived"], files: details.files.map(({ name }) => name) },
    // What nobody let in stays in the file, and what was on its way is not sent again.
    mails: chat.emails?.filter(({ state }) => state === "received"),
    source: zip.text(zip.named(/^chats\/.*Harbour.*\/mails\/.*\.eml$/)),
    todos: plain(details["todos"], ["text"]),
    file: zip.text(zip.named(/^chats\/.*Harbour.*\/files\/.*notes\.md$/)),
    folders: {
      names: folders.folders.map(({ name }) => name),
      tags: folders.tags.map(({ name }) => name),
      filings: folders.filings.map(({ folder_id: folder, tags }) => [folder !== null, tags.length]),
    },
    personas: plain(zip.json("library/personas.json"), ["version"]),
    prompts: plain(zip.json("library/prompts.json")),
    knowledge: plain(zip.json(zip.named(/^knowledge\/Ports.*entry\.json$/)), ["updated_at"]),
    pilot: zip.text(zip.named(/^knowledge\/Ports.*pilot\.txt$/)),
    artifact: plain(zip.json(zip.named(/^artifacts\/Log.*artifact\.json$/)), ["version", "updated_at"]),
    log: [zip.text(zip.named(/^artifacts\/Log \([^/]*\.md$/)), zip.text(zip.named(/^artifacts\/Log.*versions\/00001\.md$/))],
    tools: plain(zip.json("profile/tools.json")),
    calls: zip.json("profile/calls.json"),
  };
}

function settingsIn(zip: Unzipped) {
  const { default_persona_id: _persona, browser_time_zone: _zone, ...rest } = z.looseObject({}).parse(zip.json("profile/settings.json"));
  return rest;
}

async function exportAgain(person: Person): Promise<{ zip: Unzipped; bytes: Uint8Array }> {
  const { id } = await madeExport(person);
  const bytes = await downloaded(person, id);
  return { zip: unzipped(bytes), bytes };
}

it("an export that is imported again gives the same account in a fresh one, and nothing more the second time", async () => {
  const one = await fullAccount();
  const chat = await until("the chat on the list", async () => (await one.take(listChats, { query: {} })).chats[0]);
  const folderId = crypto.randomUUID();
  await one.take(createFolder, { body: { id: folderId, name: "Voyages" } });
  await one.take(fileChats, { body: { chat_ids: [chat.id], folder_id: folderId } });
  await one.take(tagChats, { body: { chat_ids: [chat.id], add: ["north"] } });
  const refused = await addMailToRoom(chat.id, { state: "quarantined", subject: "Win a yacht" });
  const late = await addMailToRoom(chat.id, { direction: "out", state: "queued", subject: "On its way", authentication: null });
  await one.take(updateChat, { params: { id: chat.id }, body: { public: true } });
  const { zip: before, bytes } = await exportAgain(one);

  const other = await signIn();
  // What is imported counts for no limit of uploads.
  const limiter = env.RATE_LIMITER.getByName(`uploads:${other.user.id}`);
  await runInDurableObject(limiter, (_, { storage }) => {
    storage.sql.exec("CREATE TABLE IF NOT EXISTS takes (at INTEGER NOT NULL, until INTEGER NOT NULL)");
    const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)";
    storage.sql.exec(`${numbers} INSERT INTO takes (at, until) SELECT ?, ? FROM n`, Date.now(), Date.now() + 3_600_000);
  });
  const first = await importFile(other, bytes, { name: "polylogue.zip" });
  expect(first).toMatchObject({
    state: "done",
    source: "polylogue",
    counts: {
      chat: { came: 1, here: 0, failed: 0 },
      file: { came: 2, here: 0, failed: 0 },
      artifact: { came: 1 },
      persona: { came: 1 },
      prompt: { came: 1 },
      knowledge: { came: 1 },
      memory: { came: 1 },
      folder: { came: 1 },
      mail: { came: 2, here: 0, failed: 0 },
    },
  });
  await until("the fact", async () => (await factsOf(other)).length === 1);
  const listed = (await other.take(listChats, { query: {} })).chats[0];
  expect(listed).toMatchObject({ title: "Harbour", isPinned: true, created_at: chat.created_at, lastMessageAt: chat.lastMessageAt });
  const notes = first.notes.filter(({ title }) => title.includes("Harbour")).map(({ reason }) => reason);
  expect(notes).toEqual([
    "Mails that nobody let in stay in the file: 1.",
    "It is not public here: make it public anew where you want that.",
  ]);
  const { messages } = await other.take(listMessages, { params: { id: listed?.id ?? "" } });
  expect(messages.map(({ content }) => content)).toContain("say moin");

  const { zip: after } = await exportAgain(other);
  expect(compared(after)).toEqual(compared(before));
  expect(after.json(after.named(/^chats\/.*Harbour.*\/details\.json$/))).toMatchObject({ public: false });
  const mails = chatIn(after).emails?.map(({ subject, state }) => [subject, state]);
  expect(mails).toEqual([
    [late.subject, "failed"],
    ["Tide tables", "received"],
  ]);
  expect(after.text("README.txt")).not.toContain(refused.subject);
  // The pilot and the notes, and the mail's source.
  await until("its bytes are counted", async () => (await other.take(getQuotas, {})).storage.used >= 33 + 46);
  expect(settingsIn(after)).toEqual(settingsIn(before));
  expect(after.json("schedules/schedules.json")).toMatchObject([{ text: "say Good morning.", state: "paused" }]);
  expect(after.json("memory/memories.json")).toMatchObject([{ text: "Sails a sloop." }]);

  const again = await importFile(other, bytes, { name: "polylogue.zip" });
  const came = Object.values(again.counts).reduce((sum, count) => sum + count.came, 0);
  expect(came).toBe(0);
  expect((await other.take(listChats, { query: {} })).chats).toHaveLength(1);
});

it("an export that is imported again importing an export into its own account changes nothing but restores what was deleted since", async () => {
  const person = await fullAccount();
  const { zip, bytes } = await exportAgain(person);
  const same = await importFile(person, bytes, { name: "polylogue.zip" });
  expect(Object.values(same.counts).reduce((sum, { came }) => sum + came, 0)).toBe(0);
  expect(same.counts.chat).toEqual({ came: 0, here: 1, failed: 0 });

  const [chat] = (await person.take(listChats, { query: {} })).chats;
  await person.take(deleteChat, { params: { id: chat?.id ?? "" } });
  const back = await importFile(person, bytes, { name: "polylogue.zip" });
  expect(back.counts.chat).toEqual({ came: 1, here: 0, failed: 0 });
  const { export: held } = await person.take(getAccountExport, {});
  await person.take(deleteAccountExport, { params: { id: held?.id ?? "" } });
  const { zip: after } = await exportAgain(person);
  expect(compared(after)).toEqual(compared(zip));
});

it("an export that version 0.1 wrote is imported whole", async () => {
  const person = await signIn();
  const bytes = Uint8Array.from(atob(EXPORT_OF_0_1), (byte) => byte.charCodeAt(0));
  const imported = await importFile(person, bytes, { name: "polylogue.zip" });
  expect(imported).toMatchObject({
    state: "done",
    source: "polylogue",
    counts: {
      chat: { came: 1, here: 0, failed: 0 },
      file: { came: 2, here: 0, failed: 0 },
      artifact: { came: 1 },
      persona: { came: 1 },
      prompt: { came: 1 },
      knowledge: { came: 1 },
      memory: { came: 1 },
      folder: { came: 1 },
      mail: { came: 1, here: 0, failed: 0 },
    },
  });
  await until("the fact", async () => (await factsOf(person)).length === 1);
  const { zip } = await exportAgain(person);
  expect(compared(zip)).toEqual(compared(unzipped(bytes)));
  expect(zip.json("schedules/schedules.json")).toMatchObject([{ text: "say Good morning.", state: "paused" }]);
  expect(zip.json("memory/memories.json")).toMatchObject([{ text: "Sails a sloop." }]);
});
