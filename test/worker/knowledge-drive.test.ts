import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { addDriveFiles } from "#shared/contracts/outbound/drive.ts";
import { disconnectGoogle } from "#shared/contracts/outbound/google.ts";
import { deleteKnowledgeFile, readKnowledgeFile } from "#shared/contracts/library/knowledge.ts";
import { changeDrive, withDrive } from "#test/support/drive.ts";
import { connectGoogle } from "#test/support/google.ts";
import { indexed, make, read, see, stored } from "#test/support/knowledge.ts";
import { cookiesOf, visitWith } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { type Person, refusal, signIn, visitor } from "#test/support/worker.ts";
import { enqueueDriveRefreshes } from "#worker/knowledge/drive/refresh.ts";

const FOLDER = "application/vnd.google-apps.folder";
const CHANNEL = "3b1f2c1e-5d1c-4f0e-9f6c-0c5a6d6b8a11";
const note = (id: string, text: string, parents: string[] = []) => ({ id, name: `${id}.txt`, mimeType: "text/plain", text, parents });

const add = (person: Person, id: string, ...files: string[]) =>
  person.call(addDriveFiles, { params: { id }, body: { files: files.map((file) => ({ id: file })) } });

describe("files of Drive in knowledge", () => {
  it("are fetched and read as others are, with where they are from", async () => {
    const person = await withDrive(10);
    const entry = await make(person);
    expect((await add(person, entry.id, "file-000000-made-for-tests", "file-000001-made-for-tests", "file-000006-made-for-tests")).ok).toBe(
      true,
    );
    expect((await see(person, entry.id)).user_context_files).toHaveLength(3);
    // The same again changes nothing.
    await add(person, entry.id, "file-000000-made-for-tests");
    const { user_context_files: files } = await until("all to be read", async () => {
      const held = await read(person, entry.id);
      return held.user_context_files.every((file) => file.sync_status === "synced") ? held : null;
    });
    expect(files.map(({ file_name: name }) => name)).toEqual(["Notes on alder-0.md", "Notes on alder-1.xlsx", "Notes on alder-6.txt"]);
    expect(files[0]).toMatchObject({
      file_source: "google_drive",
      google_drive_file_id: "file-000000-made-for-tests",
      google_drive_folder_id: null,
      google_drive_mime_type: "application/vnd.google-apps.document",
      google_drive_modified_time: expect.stringMatching(/^2026-/),
      sync_status: "synced",
      is_stored: true,
    });
    expect(await indexed(entry.id)).toHaveLength(3);
    expect(await stored(entry.id)).toHaveLength(3);
  });

  it("say why one of them is not there", async () => {
    const person = await withDrive(0);
    await changeDrive(person.email, {
      put: [
        { id: "a-film-of-a-cat", name: "Cat.mp4", mimeType: "video/mp4", bytes: 100 },
        { id: "a-long-text", name: "Long.txt", mimeType: "text/plain", bytes: 11_000_000 },
        { id: "a-novel", name: "Novel", mimeType: "application/vnd.google-apps.presentation", text: "Once", bytes: 11_000_000 },
      ],
    });
    const entry = await make(person);
    await add(person, entry.id, "a-film-of-a-cat", "a-long-text", "a-novel");
    const { user_context_files: files } = await read(person, entry.id);
    expect(files.map(({ sync_status: status, unread }) => [status, unread])).toEqual([
      ["error", "File type not supported or doesn't match its extension"],
      ["error", "It is larger than 10 MB."],
      ["error", "Google exports at most 10 MB of a file."],
    ]);
    expect(await stored(entry.id)).toEqual([]);
    await changeDrive(person.email, {
      put: [{ id: "a-novel", name: "Novel", mimeType: "application/vnd.google-apps.presentation", text: "Once upon a time", bytes: null }],
    });
    await person.take(readKnowledgeFile, { params: { id: entry.id, fileId: files[2]?.id ?? "" } });
    await until("the novel to be read", async () => (await read(person, entry.id)).user_context_files[2]?.sync_status === "synced");
  });

  it("follow a folder: what is put into it comes, what changes is read again, what is taken out goes", async () => {
    const person = await withDrive(0);
    await changeDrive(person.email, {
      put: [
        { id: "the-folder", name: "Contracts", mimeType: FOLDER },
        { id: "folder-within", name: "Old", mimeType: FOLDER, parents: ["the-folder"] },
        note("first-note", "The first words", ["the-folder"]),
        note("second-note", "The second words", ["folder-within"]),
      ],
    });
    const entry = await make(person);
    await add(person, entry.id, "the-folder");
    const names = async () =>
      (await see(person, entry.id)).user_context_files.map((file) => `${file.file_name} ${file.sync_status}`).toSorted();
    await until("both to be read", async () => (await names()).join() === "first-note.txt synced,second-note.txt synced");
    expect((await see(person, entry.id)).user_context_files[0]?.google_drive_folder_id).toBe("the-folder");
    await changeDrive(person.email, {
      remove: ["second-note"],
      put: [note("first-note", "Quite other words", ["the-folder"]), note("third-note", "The third words", ["the-folder"])],
    });
    await enqueueDriveRefreshes(env);
    await until("the folder to be followed", async () => (await names()).join() === "first-note.txt synced,third-note.txt synced");
    const texts = async () =>
      (await env.PASSAGES.getByName(entry.id).read({ characters: 10_000 })).map(({ text }) => text.trim()).toSorted();
    await until("the changed file to be read", async () => (await texts()).join() === "Quite other words,The third words");
    // What its owner removes stays away.
    const [first] = (await see(person, entry.id)).user_context_files;
    await person.take(deleteKnowledgeFile, { params: { id: entry.id, fileId: first?.id ?? "" } });
    const rows = await env.DB.prepare("SELECT COUNT(*) AS n FROM user_context_drive_folders WHERE context_id = ?")
      .bind(entry.id)
      .first("n");
    expect(rows).toBe(0);
  });

  it("are added by their entry's owner alone, from a Drive that is connected", async () => {
    const [person, other] = [await withDrive(1), await signIn()];
    const entry = await make(person);
    expect(refusal(await add(other, entry.id, "file-000000-made-for-tests"))).toBe("NOT_FOUND");
    expect(refusal(await add(person, entry.id, "no-such-file"))).toBe("NOT_FOUND");
    await add(person, entry.id, "file-000000-made-for-tests");
    await until("it to be read", async () => (await read(person, entry.id)).user_context_files[0]?.sync_status === "synced");
    await person.take(disconnectGoogle, {});
    expect(await add(person, entry.id, "file-000000-made-for-tests")).toMatchObject({
      status: 403,
      error: { error: "Connect Google to continue" },
    });
    // What they took into their knowledge is theirs.
    expect((await see(person, entry.id)).user_context_files[0]?.sync_status).toBe("synced");
  });
});

describe("the Picker's document", () => {
  const open = (client: Pick<Person, "fetch">) => client.fetch(`/api/google/drive/picker?channel=${CHANNEL}`);

  it("has a policy of its own that lets Google's hosts in, and the product's own out", async () => {
    const person = await signIn();
    await connectGoogle(person);
    const response = await open(person);
    const [policy, html] = [response.headers.get("content-security-policy") ?? "", await response.text()];
    expect(response.headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'nonce-[\w-]+' https:\/\/apis\.google\.com /);
    expect(policy).toMatch(/connect-src https:\/\/content\.googleapis\.com/);
    expect(policy).not.toContain("'self'");
    expect(html).toContain(CHANNEL);
    expect(html).toMatch(/"token":"ya29\./);
    expect(html).not.toContain("1//");
  });

  it("gives no token to who is not signed in, not connected, or where it is not set up", async () => {
    const person = await signIn();
    const asked = [
      [await (await open(visitor())).text(), "sign_in"],
      [await (await open(person)).text(), "not_connected"],
    ];
    await connectGoogle(person);
    const off = await visitWith({ GOOGLE_PICKER_KEY: undefined }, `/api/google/drive/picker?channel=${CHANNEL}`, {
      headers: cookiesOf(person),
    });
    asked.push([await off.text(), "failed"]);
    for (const [html, reason] of asked) {
      expect(html).toContain(`"refusal":"${reason}"`);
      expect(html).not.toContain("ya29.");
    }
    expect((await person.fetch("/api/google/drive/picker?channel=%3Cscript%3E")).status).toBe(400);
  });
});
