import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import {
  createKnowledge,
  deleteKnowledge,
  deleteKnowledgeFile,
  getKnowledge,
  listKnowledge,
  readKnowledgeFile,
  updateKnowledge,
} from "#shared/contracts/library/knowledge.ts";
import { getQuotas } from "#shared/contracts/account/quotas.ts";
import { shareKnowledge } from "#shared/contracts/library/share-links.ts";
import { ATTACHMENT_BYTES, KNOWLEDGE_FILES, KNOWLEDGE_LENGTH, KNOWLEDGE_MAX, TEAM_KNOWLEDGE_MAX } from "#shared/limits.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { removeKnowledge } from "#worker/library/knowledge/knowledge.ts";
import { purgeKnowledgeJob } from "#worker/library/knowledge/purge-entry.ts";
import { selectFile } from "#worker/library/knowledge/queries.ts";
import { endReading, failed } from "#worker/library/knowledge/read-file.ts";
import { purgeMissingUploads, resumeLostReadings } from "#worker/library/knowledge/resume-lost.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";
import { indexText } from "#worker/library/passages/index-file.ts";
import { indexed, make, makeTeam, sendKnowledgeFile, read, readKnowledgeEntry, stored, addKnowledgeFile } from "#test/support/knowledge.ts";
import { docx, largePdf, pdf, png } from "#test/support/office-files.ts";
import { openTab } from "#test/support/live-tab.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";

const list = async (client: Client) => (await client.take(listKnowledge, {})).contexts;

it("an entry is made, read, changed and deleted by its creator alone, and what it says can be found", async () => {
  const [user, other] = [await signIn(), await signIn()];
  const id = crypto.randomUUID();
  const body = { id, name: "  Nordlicht  ", text_content: `\n Day rates. ${"x ".repeat(60)}` };
  const { context } = await user.take(createKnowledge, { body });
  expect(context).toMatchObject({
    id,
    name: "Nordlicht",
    text_content: body.text_content.trim(),
    team_id: null,
    user_id: user.user.id,
    user_context_files: [],
    artifacts: [],
  });
  // The same again answers the same.
  expect(await user.take(createKnowledge, { body })).toEqual({ context });
  expect(await list(user)).toMatchObject([{ id, preview: expect.stringMatching(/^Day rates\. .*…$/), files_count: 0, artifacts_count: 0 }]);
  expect(Object.keys((await list(user))[0] ?? {})).not.toContain("text_content");
  await until("its text in the index", async () => (await indexed(id)).includes(id));
  const params = { id };
  expect((await user.take(updateKnowledge, { params, body: { name: " Facts ", text_content: "" } })).context).toMatchObject({
    name: "Facts",
    text_content: "",
  });
  await until("its text out of the index", async () => (await indexed(id)).length === 0);
  for (const answer of [
    await other.call(getKnowledge, { params }),
    await other.call(updateKnowledge, { params, body: { name: "Theirs" } }),
    await other.call(deleteKnowledge, { params }),
    await other.call(shareKnowledge, { params }),
    await other.call(createKnowledge, { body: { ...body, name: "Theirs" } }),
  ]) {
    expect(answer.ok).toBe(false);
    expect([404, 409]).toContain(answer.status);
  }
  expect(await list(other)).toEqual([]);
  await user.take(deleteKnowledge, { params });
  expect(await user.call(getKnowledge, { params })).toMatchObject({ status: 404 });
});

it("an entry says what is wrong with it, and guests are asked to sign in", async () => {
  const user = await signIn();
  const { id } = await make(user);
  for (const [body, error] of [
    [{ name: "   " }, "Name cannot be empty."],
    [{ name: "n".repeat(101) }, "That name is too long. Shorten it to 100 characters."],
    [
      { name: "Long", text_content: "t".repeat(KNOWLEDGE_LENGTH + 1) },
      "This text is too long. Shorten it to 200,000 characters, or add it as a file.",
    ],
  ] as const) {
    expect(await user.call(createKnowledge, { body })).toMatchObject({ status: 400, error: { error } });
    expect(await user.call(updateKnowledge, { params: { id }, body })).toMatchObject({ status: 400, error: { error } });
  }
  expect(await user.call(createKnowledge, { body: { name: "No text" } })).toMatchObject({ status: 201 });
  expect(await visitor().call(listKnowledge, {})).toMatchObject({ status: 401 });
  const stranger = crypto.randomUUID();
  expect(await user.call(createKnowledge, { body: { name: "Team", team_id: stranger } })).toMatchObject({
    status: 404,
    error: { code: "TEAM_NOT_FOUND" },
  });
});

it("an entry is one of 500 at most, and of a team's 200", async () => {
  const user = await signIn();
  const team = await makeTeam(user);
  const fill = (count: number, owner: string, teamId: string | null) =>
    env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO user_contexts (id, user_id, team_id, name, created_at, updated_at) SELECT ? || '-' || i, ?, ?, 'Filler', '', '' FROM n`,
    )
      .bind(count, crypto.randomUUID(), owner, teamId)
      .run();
  await fill(TEAM_KNOWLEDGE_MAX, user.user.id, team);
  expect(await user.call(createKnowledge, { body: { name: "More", team_id: team } })).toMatchObject({
    status: 400,
    error: { error: "This team has 200 knowledge entries already." },
  });
  await fill(KNOWLEDGE_MAX - TEAM_KNOWLEDGE_MAX, user.user.id, null);
  expect(await user.call(createKnowledge, { body: { name: "More" } })).toMatchObject({
    status: 400,
    error: { error: "You have 500 knowledge entries already." },
  });
});

it("a file is streamed to storage under the entry, read by a job that tabs follow, and found by its passages", async () => {
  const user = await signIn();
  const { id } = await make(user);
  const tab = await openTab(user);
  const file = await addKnowledgeFile(user, id, { name: "Rates 2026.pdf", body: pdf("The day rate is 920 euros.") });
  expect(file).toMatchObject({
    file_url: `/api/user-contexts/${id}/files/${file.id}`,
    file_name: "Rates 2026.pdf",
    file_type: "application/pdf",
    file_source: "upload",
    google_drive_file_id: null,
    sync_status: "pending",
    context_id: id,
    user_id: user.user.id,
    is_stored: true,
  });
  expect((await stored(id)).join()).toMatch(new RegExp(`^contexts/${id}/[0-9a-f-]{36}\\.pdf$`));
  await addKnowledgeFile(user, id, { name: "notes.md", body: "# Holidays\n\nThirty days a year." });
  await addKnowledgeFile(user, id, { name: "Letter.docx", body: docx("<w:p><w:r><w:t>Dear client</w:t></w:r></w:p>") });
  const entry = await read(user, id);
  expect(entry.user_context_files.map(({ file_name, sync_status, pages, unread }) => [file_name, sync_status, pages, unread])).toEqual([
    ["Rates 2026.pdf", "synced", 1, null],
    ["notes.md", "synced", null, null],
    ["Letter.docx", "synced", null, null],
  ]);
  const events = await until("word of the files", () => tab.events.filter((event) => event.type === "content.changed").length >= 4);
  expect(events).toBe(true);
  const hits = await env.PASSAGES.getByName(id).search({ query: "day rate", limit: 3 });
  expect(hits[0]).toMatchObject({ document: { id: file.id, name: "Rates 2026.pdf" }, page: 1 });
  expect(await list(user)).toMatchObject([{ files_count: 3, user_context_files: [{ id: file.id }, {}, {}] }]);
  // More than three are counted, not listed.
  await addKnowledgeFile(user, id, { name: "plan.png", body: png(2, 2) });
  expect(await list(user)).toMatchObject([{ files_count: 4 }]);
  expect((await list(user))[0]?.user_context_files).toHaveLength(3);
});

it("a file opens for whoever may use the entry, and nothing in it can run", async () => {
  const [owner, member, stranger] = [await signIn(), await signIn(), await signIn()];
  const team = await makeTeam(owner, member);
  const { id } = await make(owner, { team_id: team });
  const shown = await addKnowledgeFile(owner, id, { name: "a.pdf", body: pdf("Page") });
  const text = await addKnowledgeFile(owner, id, {
    name: "x.txt",
    body: "<script>alert(1)</script>",
    headers: { "content-type": "text/html" },
  });
  for (const reader of [owner, member]) {
    const response = await reader.fetch(`${shown.file_url}#page=1`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": expect.stringContaining("inline"),
      "content-security-policy": expect.stringContaining("default-src 'none'"),
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-cache",
    });
    await response.body?.cancel();
  }
  const other = await owner.fetch(text.file_url);
  expect(Object.fromEntries(other.headers)).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "content-disposition": expect.stringContaining("attachment"),
    "content-security-policy": expect.stringContaining("sandbox"),
  });
  const etag = other.headers.get("etag") ?? "";
  expect((await owner.fetch(text.file_url, { headers: { "if-none-match": etag } })).status).toBe(304);
  const refused = { error: "File not found or access denied", code: "NOT_FOUND" };
  for (const [client, address, status, body] of [
    [stranger, shown.file_url, 404, refused],
    [owner, `/api/user-contexts/${id}/files/${crypto.randomUUID()}`, 404, refused],
    [owner, `/api/user-contexts/${id}/files/..%2Fother`, 400, { error: "Invalid file URL format", code: "INVALID_INPUT" }],
  ] as const) {
    const response = await client.fetch(address);
    expect({ status: response.status, body: await response.json() }).toEqual({ status, body });
  }
  expect((await visitor().fetch(shown.file_url)).status).toBe(401);
  // The stored address is checked too, whatever wrote it.
  await env.DB.prepare("UPDATE user_context_files SET file_url = 'https://example.org/a.pdf' WHERE id = ?").bind(shown.id).run();
  const refusal = await owner.fetch(shown.file_url);
  expect({ status: refusal.status, body: await refusal.json() }).toEqual({
    status: 400,
    body: { error: "Invalid file URL format", code: "INVALID_INPUT" },
  });
  // Who left the team has nothing of it.
  await env.DB.prepare("DELETE FROM team_members WHERE user_id = ?").bind(member.user.id).run();
  expect((await member.fetch(text.file_url)).status).toBe(404);
});

it("a file is refused with the specification's words, and nothing of it stays", async () => {
  const [user, other] = [await signIn(), await signIn()];
  const { id } = await make(user);
  const wrong = "File type not supported or doesn't match its extension";
  for (const [sent, status, error] of [
    [{ name: "plan.tiff", body: "II" }, 415, wrong],
    [{ name: "plan.png", body: "no picture" }, 415, wrong],
    [{ name: "no-extension", body: "text" }, 415, wrong],
    [{ name: "", body: "text" }, 400, "The file has no name."],
  ] as const) {
    expect(await sendKnowledgeFile(user, id, sent)).toMatchObject({ status, error });
  }
  let bytes = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (bytes > ATTACHMENT_BYTES) return controller.close();
      bytes += 1024 * 1024;
      controller.enqueue(new Uint8Array(1024 * 1024).fill(0x61));
    },
  });
  expect(await sendKnowledgeFile(user, id, { name: "big.txt", body: endless })).toMatchObject({
    status: 413,
    error: "File size exceeds 50MB limit",
  });
  expect(await sendKnowledgeFile(other, id, { name: "a.txt", body: "text" })).toMatchObject({ status: 404 });
  expect((await readKnowledgeEntry(user, id)).user_context_files).toEqual([]);
  expect(await stored(id)).toEqual([]);
  // The same id again is the same file; with another name it is another request.
  const first = await addKnowledgeFile(user, id, { name: "plan.png", body: png(1, 1) });
  expect(await addKnowledgeFile(user, id, { name: "plan.png", body: png(1, 1), id: first.id })).toEqual(first);
  expect(await sendKnowledgeFile(user, id, { name: "other.png", body: png(1, 1), id: first.id })).toMatchObject({ status: 409 });
  const elsewhere = await make(other);
  expect(await sendKnowledgeFile(other, elsewhere.id, { name: "plan.png", body: png(1, 1), id: first.id })).toMatchObject({ ok: false });
  expect(await stored(elsewhere.id)).toEqual([]);
  await env.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO user_context_files (id, context_id, user_id, file_url, file_name, file_type, file_size, created_at, object_key)
       SELECT ? || '-' || i, ?, '', '', 'f', '', 0, '', '' FROM n`,
  )
    .bind(KNOWLEDGE_FILES - 1, crypto.randomUUID(), id)
    .run();
  expect(await sendKnowledgeFile(user, id, { name: "a.txt", body: "text" })).toMatchObject({
    status: 400,
    error: expect.stringContaining("50 files"),
  });
});

it("a file that could not be read says why, and is read again on a press", async () => {
  const user = await signIn();
  const { id } = await make(user);
  const broken = await addKnowledgeFile(user, id, { name: "Broken.docx", body: new Uint8Array([0x50, 0x4b, 0x03, 0x04, 1, 2, 3]) });
  const scan = await addKnowledgeFile(user, id, { name: "Scan.pdf", body: pdf("") });
  const files = (await read(user, id)).user_context_files;
  expect(files.find((file) => file.id === broken.id)).toMatchObject({
    sync_status: "error",
    unread: expect.any(String),
  });
  expect(files.find((file) => file.id === scan.id)).toMatchObject({
    sync_status: "error",
    unread: "There is no text in this PDF: its pages may be pictures.",
  });
  const params = { id, fileId: broken.id };
  expect((await user.take(readKnowledgeFile, { params })).file).toMatchObject({ sync_status: "pending", unread: null });
  expect((await read(user, id)).user_context_files.find((file) => file.id === broken.id)).toMatchObject({ sync_status: "error" });
});

it("a file that is large is read by its ranges, pictures left out; one that would have to be looked through says so", async () => {
  const user = await signIn();
  const { id } = await make(user);
  const pages = Array.from({ length: 12 }, (_, at) => `Chapter ${at + 1} tells of harbour ${at + 4_711}.`);
  const largeBody = largePdf(pages, 14 * 1024 * 1024);
  await addKnowledgeFile(user, id, { name: "Large.pdf", body: largeBody });
  expect((await read(user, id)).user_context_files[0]).toMatchObject({ sync_status: "synced", pages: 12, unread: null });
  const [found] = await indexOf(env, id).search({ query: "harbour 4722", limit: 1 });
  expect(found).toMatchObject({ page: 12, text: expect.stringContaining("Chapter 12") });
  // Its table of contents is cut off.
  const cut = await addKnowledgeFile(user, id, { name: "Cut.pdf", body: largeBody.slice(0, 13 * 1024 * 1024) });
  expect((await read(user, id)).user_context_files.find((file) => file.id === cut.id)).toMatchObject({
    sync_status: "error",
    unread: "This PDF takes too much work to be read. It may be damaged.",
    scan_pages: null,
  });
});

it("a file goes with all that was read of it, and so does everything with the entry; both are off the quota", async () => {
  const user = await signIn();
  const { id } = await make(user, { text_content: "What we know." });
  const one = await addKnowledgeFile(user, id, { name: "one.txt", body: "First file." });
  await addKnowledgeFile(user, id, { name: "two.txt", body: "Second file." });
  await read(user, id);
  await until("all of it in the index", async () => (await indexed(id)).length === 3);
  expect((await user.take(getQuotas, {})).storage.used).toBe("First file.Second file.".length);
  await user.take(deleteKnowledgeFile, { params: { id, fileId: one.id } });
  expect(await indexed(id)).not.toContain(one.id);
  expect(await stored(id)).toHaveLength(1);
  expect((await user.take(getQuotas, {})).storage.used).toBe("Second file.".length);
  expect(await user.call(deleteKnowledgeFile, { params: { id, fileId: one.id } })).toMatchObject({
    status: 404,
    error: { error: "File not found or access denied" },
  });
  await user.take(deleteKnowledge, { params: { id } });
  expect(await indexed(id)).toEqual([]);
  expect(await stored(id)).toEqual([]);
  expect((await user.take(getQuotas, {})).storage.used).toBe(0);
  const rows = await env.DB.prepare("SELECT count(*) AS n FROM user_context_files WHERE context_id = ?").bind(id).first<number>("n");
  expect(rows).toBe(0);
});

it("a file leaves nothing of an entry whose deletion was cut short, nor of a file that was removed while it was read", async () => {
  const user = await signIn();
  const { id } = await make(user, { text_content: "What we know." });
  const { id: fileId } = await addKnowledgeFile(user, id, { name: "one.txt", body: "First file." });
  await read(user, id);
  await until("its text in the index", async () => (await indexed(id)).includes(id));
  const db = openDatabase(env.DB);
  const file = await selectFile(db, { entryId: id, id: fileId });
  if (!file) throw new Error("There is no file.");
  await env.DB.prepare("DELETE FROM user_context_files WHERE id = ?").bind(fileId).run();
  await endReading(env, db, { file, ownerId: user.user.id, change: failed("Gone.") });
  expect(await indexed(id)).toEqual([id]);

  await purgeKnowledgeJob.receive(env, { contextId: id }, 1);
  expect(await indexed(id)).toEqual([id]);
  const queued: unknown[] = [];
  const JOBS = new Proxy(env.JOBS, { get: () => async (message: unknown) => void queued.push(message) });
  const FILES = new Proxy(env.FILES, { get: () => () => Promise.reject(new Error("The storage is down.")) });
  await expect(removeKnowledge({ ...env, JOBS, FILES }, db, user.user.id, id)).rejects.toThrow("The storage is down.");
  expect(await stored(id)).not.toEqual([]);
  expect(queued).toEqual([{ kind: "knowledge.purge", contextId: id }]);
  await purgeKnowledgeJob.receive(env, queued[0], 1);
  expect(await stored(id)).toEqual([]);
  expect(await indexed(id)).toEqual([]);
});

it("a file whose job never came is taken up again once its entry is looked at, and an upload that never ended leaves nothing", async () => {
  const user = await signIn();
  const { id } = await make(user);
  const { id: fileId } = await addKnowledgeFile(user, id, { name: "one.txt", body: "First file." });
  await read(user, id);
  const before = (hours: number) => new Date(Date.now() - hours * 60 * 60_000).toISOString();
  await env.DB.prepare("UPDATE user_context_files SET sync_status = 'pending', reading = 'lost', reading_since = ? WHERE id = ?")
    .bind(before(1), fileId)
    .run();
  await indexOf(env, id).remove(fileId);
  // Of a job that only waited for long nothing is lost: it finds the same reading.
  const lost = await selectFile(openDatabase(env.DB), { entryId: id, id: fileId });
  const queued: unknown[] = [];
  const READS = new Proxy(env.READS, { get: () => async (message: unknown) => void queued.push(message) });
  const entry = { entry: { id, user_id: user.user.id }, files: lost ? [lost] : [], artifacts: [] };
  await resumeLostReadings({ ...env, READS }, openDatabase(env.DB), user.user.id, [entry]);
  expect(queued).toEqual([{ kind: "knowledge.read", contextId: id, id: fileId, reading: "lost" }]);
  expect(await selectFile(openDatabase(env.DB), { entryId: id, id: fileId })).toMatchObject({ reading: "lost" });
  await env.DB.prepare("UPDATE user_context_files SET reading_since = ? WHERE id = ?").bind(before(1), fileId).run();
  await readKnowledgeEntry(user, id);
  await read(user, id);
  expect(await indexed(id)).toEqual([fileId]);
  const [key = ""] = await stored(id);
  const arriving = async (name: string, at: string, from: string | null) => {
    const [file, folder] = [crypto.randomUUID(), `contexts/${id}/`];
    await env.FILES.put(`${folder}${name}`, "half");
    await env.DB.prepare(
      `INSERT INTO user_context_files (id, context_id, user_id, file_url, file_name, file_type, file_size, created_at, object_key, copied_from)
         VALUES (?, ?, ?, '', ?, 'text/plain', 11, ?, ?, ?)`,
    )
      .bind(file, id, user.user.id, name, at, `${folder}${name}`, from)
      .run();
    return file;
  };
  const copied = await arriving("copied.txt", before(1), key);
  const [old, young] = [await arriving("old.txt", before(30), null), await arriving("young.txt", before(1), null)];
  await readKnowledgeEntry(user, id);
  await until("the copy to be read", async () => (await indexed(id)).includes(copied));
  await purgeMissingUploads(env);
  const left = (await readKnowledgeEntry(user, id)).user_context_files.map((file) => file.id);
  expect(left.toSorted()).toEqual([fileId, copied, young].toSorted());
  expect(left).not.toContain(old);
  expect((await stored(id)).filter((path) => path.endsWith("old.txt"))).toEqual([]);
  // A reading that ends after its entry was deleted leaves no index behind.
  const db = openDatabase(env.DB);
  const file = await selectFile(db, { entryId: id, id: fileId });
  if (!file) throw new Error("There is no file.");
  await user.take(deleteKnowledge, { params: { id } });
  await indexText(env, { indexId: id, ownerId: user.user.id, document: { id: fileId, name: "one.txt" } }, "First file.");
  await endReading(env, db, { file, ownerId: user.user.id, change: failed("Gone.") });
  const tables = await runInDurableObject(indexOf(env, id), (_, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'passages'").toArray(),
  );
  expect(tables).toEqual([]);
});
