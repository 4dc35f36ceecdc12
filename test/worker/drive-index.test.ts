import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { getDriveIndex, startDriveIndex } from "#shared/contracts/outbound/drive.ts";
import { updateUser } from "#shared/contracts/account/users.ts";
import { disconnectGoogle } from "#shared/contracts/outbound/google.ts";
import { changeDrive, found, tableNames, indexed, settledIndex, wakeIndex, withDrive } from "#test/support/drive.ts";
import { changeGrant, connectGoogle } from "#test/support/google.ts";
import { openTab } from "#test/support/live-tab.ts";
import { cookiesOf, visitWith } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { ORIGIN, refusal, signIn, visitor } from "#test/support/worker.ts";
import { planOf } from "#worker/integrations/google/drive/reading-plan.ts";
import { driveIndexOf } from "#worker/integrations/google/drive/drive-index/stub.ts";

const DOCUMENT = "application/vnd.google-apps.document";
const idOf = (number: number) => `file-${String(number).padStart(6, "0")}-made-for-tests`;

/** A text file. */
const note = (id: string, text: string) => ({ id, name: `${id}.txt`, mimeType: "text/plain", text });

it("A file whose type is called as what every object has is none that is read", () => {
  expect(planOf({ mimeType: "constructor", name: "notes" })).toBeNull();
});

it("indexing a Drive reads 500 files of ten kinds, and says so", async () => {
  const person = await withDrive(500);
  expect(await person.take(getDriveIndex, {})).toMatchObject({ status: "none", totalFiles: 0 });
  await person.take(startDriveIndex, {});
  expect(await person.take(getDriveIndex, {})).toMatchObject({ status: "running", message: null, finishedAt: null });
  const status = await settledIndex(person);
  expect(status).toMatchObject({ status: "completed", totalFiles: 500, indexedFiles: 500, skippedFiles: 0, errors: [] });
  expect(status.message).toBe("500 of 500 files can be searched.");
  expect(await found(person)).toHaveLength(500);
});

it("indexing a Drive names what is not read with its reason, and reads the rest", async () => {
  const person = await withDrive(3);
  await changeDrive(person.email, {
    put: [
      { id: "picture-of-a-cat", name: "Cat.jpg", mimeType: "image/jpeg", bytes: 900_000 },
      { id: "a-form-of-google", name: "A form", mimeType: "application/vnd.google-apps.form" },
      { id: "long-text-of-many", name: "Long.txt", mimeType: "text/plain", bytes: 11_000_000 },
      { id: "too-long-to-export", name: "Novel", mimeType: DOCUMENT, text: "Once", bytes: 11_000_000 },
      { id: "kept-by-its-owner", name: "Locked.txt", mimeType: "text/plain", text: "Secret", canDownload: false },
      { id: "torn-up-workbook", name: "Torn.pdf", mimeType: "application/pdf", text: "" },
    ],
  });
  const status = await indexed(person);
  expect(status).toMatchObject({ status: "completed", totalFiles: 9, indexedFiles: 3, skippedFiles: 4 });
  expect(Object.fromEntries(status.errors.map(({ fileName, error }) => [fileName, error]))).toEqual({
    "Cat.jpg": "Files of this kind have no text that is read.",
    "A form": "Files of this kind have no text that is read.",
    "Long.txt": "It is larger than 10 MB.",
    "Locked.txt": "Its owner does not let it be downloaded.",
    Novel: "Google exports at most 10 MB of a file.",
    "Torn.pdf": expect.stringMatching(/no text/i),
  });
  expect(status.message).toBe("3 of 9 files can be searched, 4 skipped, 2 not readable.");
  expect(await found(person)).toEqual([idOf(0), idOf(1), idOf(2)]);
});

it("indexing a Drive reads what shortcuts lead to once, by its key", async () => {
  const person = await withDrive(1);
  const target = { targetId: "shared-by-a-link", targetMimeType: "text/plain", targetResourceKey: "key-of-it" };
  const shortcut = (id: string, to: typeof target) => ({ id, name: id, mimeType: "application/vnd.google-apps.shortcut", shortcut: to });
  await changeDrive(person.email, {
    put: [
      { ...note("shared-by-a-link", "Shared words"), isUnlisted: true, resourceKey: "key-of-it" },
      shortcut("first-shortcut", target),
      shortcut("second-shortcut", target),
      shortcut("shortcut-to-own", { targetId: idOf(0), targetMimeType: DOCUMENT, targetResourceKey: "" }),
      shortcut("shortcut-to-none", { ...target, targetId: "long-gone" }),
    ],
  });
  expect(await indexed(person)).toMatchObject({
    totalFiles: 3,
    indexedFiles: 2,
    errors: [{ fileName: "shortcut-to-none", error: "The file is not in Google Drive any more." }],
  });
  expect(await found(person)).toEqual([idOf(0), "shared-by-a-link"]);
  // With the last shortcut goes what only that led to.
  await changeDrive(person.email, { remove: ["first-shortcut"] });
  expect(await indexed(person)).toMatchObject({ indexedFiles: 2 });
  await changeDrive(person.email, { remove: ["second-shortcut", "shortcut-to-own"] });
  await indexed(person);
  expect(await found(person)).toEqual([idOf(0)]);
});

it("indexing a Drive reads only what changed the next time, and forgets what is gone", async () => {
  const person = await withDrive(12);
  await indexed(person);
  const { asked: before } = await changeDrive(person.email, {
    remove: [idOf(0)],
    put: [
      note("a-new-file-here", "New words"),
      { id: idOf(6), name: "Notes on alder-6.txt", mimeType: "text/plain", text: "Other words" },
      { id: idOf(7), name: "Notes on alder-7.md", mimeType: "text/markdown", text: "Thrown away", trashed: true },
    ],
  });
  expect(await indexed(person)).toMatchObject({ status: "completed", totalFiles: 11, indexedFiles: 11 });
  const files = await found(person);
  expect(files).toContain("a-new-file-here");
  expect(files).not.toContain(idOf(0));
  expect(files).not.toContain(idOf(7));
  const { asked } = await changeDrive(person.email, {});
  expect([asked.list - before.list, asked.file - before.file]).toEqual([0, 2]);
});

it("indexing a Drive lists all files again where Google has forgotten what changed", async () => {
  const person = await withDrive(5);
  await indexed(person);
  await changeDrive(person.email, { remove: [idOf(3)], put: [note("a-new-file-here", "New words")], forgetChanges: true });
  expect(await indexed(person)).toMatchObject({ status: "completed", totalFiles: 5, indexedFiles: 5 });
  expect(await found(person)).toEqual(["a-new-file-here", idOf(0), idOf(1), idOf(2), idOf(4)]);
});

it("indexing a Drive goes through what changed alone after a run that stopped as it read", async () => {
  const person = await withDrive(5);
  await indexed(person);
  await changeDrive(person.email, {
    put: [note("a-new-file-here", "New words")],
    fault: { status: 403, reason: "insufficientPermissions", times: 1, on: "file" },
  });
  expect(await indexed(person)).toMatchObject({ status: "error", message: "Google Drive was not granted." });
  const { asked: before } = await changeDrive(person.email, { put: [note("another-new-file", "Newer words")] });
  expect(await indexed(person)).toMatchObject({ status: "completed", indexedFiles: 7 });
  expect((await changeDrive(person.email, {})).asked.list).toBe(before.list);
});

it.each(["list", "file", "changes"] as const)(
  "indexing a Drive waits as long as Google wants it to where it asks too often (%s)",
  async (on) => {
    const person = await withDrive(8);
    const fault = { status: 429, reason: "rateLimitExceeded", retryAfter: 1, times: 2, on };
    await changeDrive(person.email, { fault });
    const began = performance.now();
    expect(await indexed(person)).toMatchObject({ status: "completed", indexedFiles: 8, errors: [] });
    expect(performance.now() - began).toBeGreaterThan(900);
  },
);

it("indexing a Drive goes on after failures of Google's that say nothing of when", async () => {
  const person = await withDrive(4);
  await changeDrive(person.email, { fault: { status: 503, reason: "backendError", times: 1, on: "file" } });
  expect(await indexed(person)).toMatchObject({ status: "completed", indexedFiles: 4 });
});

it("indexing a Drive waits through an outage, in which no file is given up", async () => {
  const person = await withDrive(1);
  // Five times for the file, all but the last asking for nothing else, and then what else there is.
  await changeDrive(person.email, { fault: { status: 503, reason: "backendError", retryAfter: 1, times: 4, on: "file" } });
  await person.take(startDriveIndex, {});
  await until("four failures", async () => (await changeDrive(person.email, {})).asked.file >= 4);
  await changeDrive(person.email, { fault: { status: 503, reason: "backendError", retryAfter: 1, times: 4, on: "all" } });
  expect(await indexed(person)).toMatchObject({ status: "completed", indexedFiles: 1, errors: [] });
});

it("indexing a Drive renews a token that ends in the middle, and says where the grant is over", async () => {
  const person = await withDrive(4);
  await changeGrant(person.email, { do: "expire" });
  expect(await indexed(person)).toMatchObject({ status: "completed", indexedFiles: 4 });
  await changeGrant(person.email, { do: "revoke" });
  expect(await indexed(person)).toMatchObject({ status: "error", message: "Google is not connected any more. Connect it again." });
  expect(refusal(await person.call(startDriveIndex, {}))).toBe("FORBIDDEN");
  // What was read stays until they disconnect, and goes on where they connect again.
  expect(await found(person)).toHaveLength(4);
  await connectGoogle(person);
  expect(await indexed(person)).toMatchObject({ status: "completed", indexedFiles: 4 });
});

it("indexing a Drive is mailed about once it is done where its person asked for it, and not each day", async () => {
  const person = await withDrive(2);
  await person.take(updateUser, { body: { notify_imports: true } });
  // Mails lead to where they had a tab open.
  (await openTab(person)).close();
  const notices = () =>
    runInDurableObject(env.USER_HUB.getByName(person.user.id), (_, { storage }) => storage.sql.exec("SELECT * FROM done_jobs").toArray());
  await indexed(person);
  const noted = await notices();
  expect(noted).toHaveLength(1);
  expect(JSON.stringify(noted)).toContain("Google Drive");
  await wakeIndex(person);
  await settledIndex(person);
  expect(await notices()).toHaveLength(1);
});

it("indexing a Drive is looked after each day, and woken where it stands still", async () => {
  const person = await withDrive(3);
  await indexed(person);
  await changeDrive(person.email, { put: [note("of-the-next-day", "Tomorrow's words")] });
  await wakeIndex(person);
  await until("the new file to be found", async () => (await found(person)).includes("of-the-next-day"));
  expect(await settledIndex(person)).toMatchObject({ status: "completed", indexedFiles: 4 });
  // A run whose messages were lost.
  await changeDrive(person.email, { put: [note("of-the-day-after", "Words after that")] });
  await driveIndexOf(env, person.user.id).begin({ userId: person.user.id, isAsked: false });
  await wakeIndex(person);
  await until("the run to go on", async () => (await found(person)).includes("of-the-day-after"));
});

it("indexing a Drive is forgotten where it stayed behind without its connection", async () => {
  const person = await withDrive(3);
  await indexed(person);
  await env.DB.prepare("DELETE FROM google_connections WHERE user_id = ?").bind(person.user.id).run();
  await wakeIndex(person);
  expect(await tableNames(person)).toEqual([]);
  expect(await person.take(getDriveIndex, {})).toMatchObject({ status: "none" });
});

it("indexing a Drive is nobody's who is not connected, and nowhere where it is not set up", async () => {
  const person = await signIn();
  const answer = await person.call(startDriveIndex, {});
  expect(answer).toMatchObject({ ok: false, status: 403, error: { error: "Connect Google to continue" } });
  expect(refusal(await visitor().call(getDriveIndex, {}))).toBe("UNAUTHENTICATED");
  for (const changes of [{ GOOGLE_DRIVE: undefined }, { GMAIL: undefined }, { GOOGLE_CLIENT_ID: undefined }]) {
    const [begun, asked] = await Promise.all([
      visitWith(changes, "/api/google/drive/index", { method: "POST", headers: { origin: ORIGIN, ...cookiesOf(person) } }),
      visitWith(changes, "/api/google/drive/index", { headers: cookiesOf(person) }),
    ]);
    expect([begun.status, asked.status]).toEqual([404, 404]);
  }
});

it("indexing a Drive leaves nothing behind where its person disconnects, in the middle of it too", async () => {
  const person = await withDrive(120);
  await person.take(startDriveIndex, {});
  await until("some files to be read", async () => (await person.take(getDriveIndex, {})).indexedFiles > 3);
  await person.take(disconnectGoogle, {});
  expect(await person.take(getDriveIndex, {})).toMatchObject({ status: "none", totalFiles: 0 });
  // The message that was at it notices before long.
  await until("nothing to be left", async () => (await tableNames(person)).length === 0);
  const rows = await env.DB.prepare("SELECT COUNT(*) AS n FROM drive_indexes WHERE user_id = ?")
    .bind(person.user.id)
    .first<{ n: number }>();
  expect(rows?.n).toBe(0);
});
