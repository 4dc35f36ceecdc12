import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { addDriveFiles } from "#shared/contracts/outbound/drive.ts";
import { disconnectGoogle } from "#shared/contracts/outbound/google.ts";
import { deleteKnowledgeFile, readKnowledgeFile } from "#shared/contracts/library/knowledge.ts";
import { changeDrive, withDrive } from "#test/support/drive.ts";
import { connectGoogle } from "#test/support/google.ts";
import { indexed, make, read, readKnowledgeEntry, stored } from "#test/support/knowledge.ts";
import { cookiesOf, visitWith } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { newAddress, ORIGIN, type Person, refusal, signIn, visitor } from "#test/support/worker.ts";
import { googleAccess } from "#worker/integrations/google/access.ts";
import { fetchDriveFileJob } from "#worker/integrations/google/drive/knowledge/fetch-file.ts";
import { followFolderJob } from "#worker/integrations/google/drive/knowledge/follow-folder.ts";
import { enqueueDriveRefreshes } from "#worker/integrations/google/drive/knowledge/refresh.ts";
import { purgeMissingUploads } from "#worker/library/knowledge/resume-lost.ts";

const FOLDER = "application/vnd.google-apps.folder";
const CHANNEL = "3b1f2c1e-5d1c-4f0e-9f6c-0c5a6d6b8a11";
const note = (id: string, text: string, parents: string[] = []) => ({ id, name: `${id}.txt`, mimeType: "text/plain", text, parents });

const add = (person: Person, id: string, ...files: string[]) =>
  person.call(addDriveFiles, { params: { id }, body: { files: files.map((file) => ({ id: file })) } });

/** What a job queues to be done later, and after how many seconds. */
function catchQueued() {
  const queued: { message: unknown; delaySeconds: number | undefined }[] = [];
  const send = async (message: unknown, options?: QueueSendOptions) => void queued.push({ message, delaySeconds: options?.delaySeconds });
  return { queued, caught: { ...env, READS: new Proxy(env.READS, { get: () => send }) } };
}

it("files of Drive in knowledge are fetched and read as others are, with where they are from", async () => {
  const person = await withDrive(10);
  const entry = await make(person);
  expect((await add(person, entry.id, "file-000000-made-for-tests", "file-000001-made-for-tests", "file-000006-made-for-tests")).ok).toBe(
    true,
  );
  expect((await readKnowledgeEntry(person, entry.id)).user_context_files).toHaveLength(3);
  // The same again changes nothing.
  await add(person, entry.id, "file-000000-made-for-tests");
  const { user_context_files: files } = await until("all to be read", async () => {
    const current = await read(person, entry.id);
    return current.user_context_files.every((file) => file.sync_status === "synced") ? current : null;
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

it("files of Drive in knowledge say why one of them is not there", async () => {
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
  const { user_context_files: added } = await read(person, entry.id);
  // Those of one millisecond stand in no order.
  const files = added.toSorted((one, other) => (one.file_name < other.file_name ? -1 : 1));
  expect(files.map(({ sync_status: status, unread }) => [status, unread])).toEqual([
    ["error", "File type not supported or doesn't match its extension"],
    ["error", "It is larger than 10 MB."],
    ["error", "Google exports at most 10 MB of a file."],
  ]);
  expect(await stored(entry.id)).toEqual([]);
  // However long ago they were added: they are no uploads that broke off.
  await env.DB.prepare("UPDATE user_context_files SET created_at = ? WHERE context_id = ?")
    .bind(new Date(Date.now() - 30 * 60 * 60_000).toISOString(), entry.id)
    .run();
  await purgeMissingUploads(env);
  expect((await readKnowledgeEntry(person, entry.id)).user_context_files).toHaveLength(3);
  await changeDrive(person.email, {
    put: [{ id: "a-novel", name: "Novel", mimeType: "application/vnd.google-apps.presentation", text: "Once upon a time", bytes: null }],
  });
  const novel = files.find((file) => file.google_drive_file_id === "a-novel")?.id ?? "";
  await person.take(readKnowledgeFile, { params: { id: entry.id, fileId: novel } });
  await until("the novel to be read", async () =>
    (await read(person, entry.id)).user_context_files.some((file) => file.id === novel && file.sync_status === "synced"),
  );
});

it("files of Drive in knowledge have names that show their format, and hold no pictures as data", async () => {
  const person = await withDrive(0);
  const picture = `data:image/png;base64,${"iVBORw0KGgo".repeat(200)}`;
  await changeDrive(person.email, {
    put: [
      { id: "a-report", name: "Report", mimeType: "application/pdf", text: "Costs fell by a third." },
      { id: "a-program", name: "main.py", mimeType: "text/x-python", text: "print('hello')" },
      { id: "a-table-as-text", name: "data.csv", mimeType: "application/vnd.ms-excel", text: "a,b\n1,2" },
      {
        id: "a-letter",
        name: "Letter",
        mimeType: "application/vnd.google-apps.document",
        text: `Dear Ada ![][image1]\n\n[image1]: <${picture}>`,
      },
    ],
  });
  const entry = await make(person);
  await add(person, entry.id, "a-report", "a-program", "a-table-as-text", "a-letter");
  const { user_context_files: files } = await read(person, entry.id);
  expect(files.map((file) => [file.file_name, file.sync_status, file.unread])).toEqual([
    ["Report.pdf", "synced", null],
    ["main.py.txt", "synced", null],
    ["data.csv", "synced", null],
    ["Letter.md", "synced", null],
  ]);
  const letter = await person.fetch(`/api/user-contexts/${entry.id}/files/${files[3]?.id ?? ""}`);
  expect(await letter.text()).toBe("Dear Ada ![][image1]\n\n[image1]: <>");
  // What can't be made into markdown comes as plain text.
  await changeDrive(person.email, {
    put: [{ id: "a-poem", name: "Poem", mimeType: "application/vnd.google-apps.document", text: "Roses are red" }],
    fault: { status: 400, reason: "badRequest", times: 1, on: "export" },
  });
  await add(person, entry.id, "a-poem");
  const poem = (await read(person, entry.id)).user_context_files.find((file) => file.google_drive_file_id === "a-poem");
  expect(poem).toMatchObject({ file_name: "Poem.md", sync_status: "synced" });
});

it("files of Drive in knowledge whose download breaks off are asked for again, a few times", async () => {
  const person = await withDrive(0);
  await changeDrive(person.email, { put: [{ id: "long-text", name: "Long.txt", mimeType: "text/plain", bytes: 11_000_000 }] });
  const entry = await make(person);
  await add(person, entry.id, "long-text");
  const [file] = (await readKnowledgeEntry(person, entry.id)).user_context_files;
  await changeDrive(person.email, {
    put: [{ id: "long-text", name: "Long.txt", mimeType: "text/plain", text: "Short now. ".repeat(100), bytes: null }],
    fault: { status: 200, reason: "", times: 2, on: "bytes" },
  });
  const { queued, caught } = catchQueued();
  const name = { kind: "knowledge.drive", contextId: entry.id, id: file?.id ?? "" };
  await fetchDriveFileJob.receive(caught, { ...name, tries: 0 }, 1);
  expect(queued).toEqual([{ message: { ...name, tries: 1 }, delaySeconds: 4 }]);
  await fetchDriveFileJob.receive(caught, { ...name, tries: 8 }, 1);
  expect(queued).toHaveLength(1);
  expect((await readKnowledgeEntry(person, entry.id)).user_context_files[0]?.unread).toBe(
    "Google Drive broke off in the middle of a file.",
  );
});

it("files of Drive in knowledge behind a shortcut are opened with their own key", async () => {
  const person = await withDrive(0);
  await changeDrive(person.email, {
    put: [
      { id: "a-target", name: "Target.txt", mimeType: "text/plain", text: "Found", resourceKey: "key-of-the-target", isUnlisted: true },
      {
        id: "a-shortcut",
        name: "Shortcut",
        mimeType: "application/vnd.google-apps.shortcut",
        shortcut: { targetId: "a-target", targetMimeType: "text/plain", targetResourceKey: "key-of-the-target" },
      },
    ],
  });
  const entry = await make(person);
  const files = [{ id: "a-shortcut", resourceKey: "key-of-the-shortcut" }];
  await person.take(addDriveFiles, { params: { id: entry.id }, body: { files } });
  const { user_context_files: synced } = await read(person, entry.id);
  expect(synced.map((file) => [file.file_name, file.sync_status])).toEqual([["Target.txt", "synced"]]);
});

it("files of Drive in knowledge stay where a folder has more within it than is looked at, until they are gone from Drive", async () => {
  const person = await withDrive(0);
  const within = Array.from({ length: 51 }, (_, number) => `folder-within-${number}`);
  await changeDrive(person.email, {
    put: [
      { id: "the-folder", name: "Contracts", mimeType: FOLDER },
      ...within.map((id) => ({ id, name: id, mimeType: FOLDER, parents: ["the-folder"] })),
      // The last by its id, but the first that was made.
      ...["note-z", "note-a", "note-b"].map((id) => note(id, `The words of ${id}`, ["the-folder"])),
    ],
  });
  const entry = await make(person);
  await add(person, entry.id, "the-folder");
  const names = async () =>
    (await readKnowledgeEntry(person, entry.id)).user_context_files.map((file) => `${file.file_name} ${file.sync_status}`);
  await until("all to be read", async () => (await names()).join() === "note-z.txt synced,note-a.txt synced,note-b.txt synced");
  // One is where nobody looks any more, one is in the bin, and one is gone.
  await changeDrive(person.email, {
    remove: ["note-a"],
    put: [note("note-z", "The words of note-z", ["folder-within-50"]), { ...note("note-b", "The words"), trashed: true }],
  });
  await followFolderJob.receive(env, { contextId: entry.id, folderId: "the-folder" }, 1);
  expect(await names()).toEqual(["note-z.txt synced"]);
});

it("files of Drive in knowledge of a busy Drive's folder are looked for again after longer and longer whiles, and no more than so often", async () => {
  const person = await withDrive(0);
  await changeDrive(person.email, { put: [{ id: "the-folder", name: "Contracts", mimeType: FOLDER }] });
  const entry = await make(person);
  await add(person, entry.id, "the-folder");
  const name = { kind: "knowledge.folder", contextId: entry.id, folderId: "the-folder" };
  await changeDrive(person.email, { fault: { status: 429, reason: "rateLimitExceeded", times: 1_000, on: "list" } });
  const { queued, caught } = catchQueued();
  for (const tries of [0, 1, 7, 8]) await followFolderJob.receive(caught, { ...name, tries }, 1);
  expect(queued).toEqual([
    { message: { ...name, tries: 1 }, delaySeconds: 60 },
    { message: { ...name, tries: 2 }, delaySeconds: 120 },
    { message: { ...name, tries: 8 }, delaySeconds: 7_680 },
  ]);
});

it("files of Drive in knowledge come of so many folders at most", async () => {
  const person = await withDrive(0);
  const ids = Array.from({ length: 21 }, (_, number) => `folder-${number}`);
  await changeDrive(person.email, { put: ids.map((id) => ({ id, name: id, mimeType: FOLDER })) });
  const entry = await make(person);
  expect((await add(person, entry.id, ...ids.slice(0, 20))).ok).toBe(true);
  expect((await add(person, entry.id, "folder-0")).ok).toBe(true);
  expect(await add(person, entry.id, "folder-20")).toMatchObject({ error: { error: "A knowledge entry can follow 20 folders." } });
});

it("files of Drive in knowledge follow a folder: what is put into it comes, what changes is read again, what is taken out goes", async () => {
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
    (await readKnowledgeEntry(person, entry.id)).user_context_files.map((file) => `${file.file_name} ${file.sync_status}`).toSorted();
  await until("both to be read", async () => (await names()).join() === "first-note.txt synced,second-note.txt synced");
  expect((await readKnowledgeEntry(person, entry.id)).user_context_files[0]?.google_drive_folder_id).toBe("the-folder");
  await changeDrive(person.email, {
    remove: ["second-note"],
    put: [note("first-note", "Quite other words", ["the-folder"]), note("third-note", "The third words", ["the-folder"])],
  });
  expect(await enqueueDriveRefreshes(env, "")).toBeNull();
  await until("the folder to be followed", async () => (await names()).join() === "first-note.txt synced,third-note.txt synced");
  const texts = async () => (await env.PASSAGES.getByName(entry.id).read({ characters: 10_000 })).map(({ text }) => text.trim()).toSorted();
  await until("the changed file to be read", async () => (await texts()).join() === "Quite other words,The third words");
  // What its owner removes stays away.
  const [first] = (await readKnowledgeEntry(person, entry.id)).user_context_files;
  await person.take(deleteKnowledgeFile, { params: { id: entry.id, fileId: first?.id ?? "" } });
  const rows = await env.DB.prepare("SELECT COUNT(*) AS n FROM user_context_drive_folders WHERE context_id = ?").bind(entry.id).first("n");
  expect(rows).toBe(0);
});

it("files of Drive in knowledge are added by their entry's owner alone, from a Drive that is connected", async () => {
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
  expect((await readKnowledgeEntry(person, entry.id)).user_context_files[0]?.sync_status).toBe("synced");
});

describe("the Picker's document", () => {
  const WINDOW = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  const open = (client: Pick<Person, "fetch">, headers: Record<string, string> = WINDOW) =>
    client.fetch(`/api/google/drive/picker?channel=${CHANNEL}`, { headers });

  /** Where the page leads that has no token yet. */
  const leadsTo = async (response: Response) => new URL(/"address":"([^"]+)"/.exec(await response.text())?.[1] ?? "nowhere:");
  /** Lets Google ask for the Picker's token, and answers the page that it leads back to. */
  const consentToPicking = async (person: Person, query: Record<string, string> = {}) => {
    const address = await leadsTo(await open(person));
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    const { headers } = await fetch(address, { redirect: "manual" });
    const back = await person.fetch(headers.get("location") ?? "");
    return { status: back.status, to: back.headers.get("refresh")?.replace("0; url=", "") ?? "", html: await back.text() };
  };
  const tokenIn = (html: string) => /"token":"([^"]+)"/.exec(html)?.[1];

  it("the Picker's document holds a token of its own, asked for alone: it reads Drive and no mail, and goes with the connection", async () => {
    const person = await signIn();
    await connectGoogle(person);
    const { searchParams } = await leadsTo(await open(person));
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: env.GOOGLE_CLIENT_ID,
      redirect_uri: `${ORIGIN}/api/auth/gmail/callback`,
      response_type: "code",
      scope: "openid https://www.googleapis.com/auth/drive.readonly",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
      login_hint: person.email,
    });
    const back = await consentToPicking(person);
    expect(back).toMatchObject({
      status: 200,
      to: `/api/google/drive/picker?channel=${CHANNEL}`,
      html: expect.not.stringContaining("ya29."),
    });
    const token = tokenIn(await (await open(person)).text());
    const statusOf = async (path: string, accessToken = token) =>
      (await fetch(`${env.GOOGLE_SIMULATOR}${path}`, { headers: { authorization: `Bearer ${accessToken}` } })).status;
    expect([await statusOf("/drive/v3/files"), await statusOf("/gmail/v1/users/me/threads")]).toEqual([200, 403]);
    const { token: granted } = (await googleAccess(env, person.user.id, "gmail")) ?? {};
    expect(await statusOf("/gmail/v1/users/me/threads", granted)).toBe(200);
    expect(tokenIn(await (await open(person)).text())).toBe(token);
    const soon = new Date(Date.now() + 30_000).toISOString();
    await env.DB.prepare("UPDATE google_picker_tokens SET expires_at = ? WHERE user_id = ?").bind(soon, person.user.id).run();
    expect((await leadsTo(await open(person))).origin).toBe(env.GOOGLE_SIMULATOR);
    await person.take(disconnectGoogle, {});
    expect(await env.DB.prepare("SELECT 1 FROM google_picker_tokens WHERE user_id = ?").bind(person.user.id).first()).toBeNull();
  });

  it("the Picker's document keeps no token of another account, and says what was declined", async () => {
    const person = await signIn();
    await connectGoogle(person);
    for (const [query, failure] of [
      [{ login_hint: newAddress(), auto: "1" }, "other_account"],
      [{ decision: "deny" }, "cancelled"],
    ] satisfies [Record<string, string>, string][]) {
      const { to } = await consentToPicking(person, query);
      expect(to).toBe(`/api/google/drive/picker?channel=${CHANNEL}&failure=${failure}`);
      const html = await (await person.fetch(to, { headers: WINDOW })).text();
      expect([html.includes(`"refusal":"${failure}"`), tokenIn(html)]).toEqual([true, undefined]);
    }
  });

  it("the Picker's document has a policy of its own that lets Google's hosts in, and the product's own out", async () => {
    const person = await signIn();
    await connectGoogle(person);
    await consentToPicking(person);
    const response = await open(person);
    const [policy, html] = [response.headers.get("content-security-policy") ?? "", await response.text()];
    expect(response.headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'nonce-[\w-]+' https:\/\/apis\.google\.com /);
    expect(policy).toMatch(/connect-src https:\/\/content\.googleapis\.com/);
    expect(policy).not.toContain("'self'");
    expect(html).toContain(CHANNEL);
    expect(html).toContain('post({ type: "opened" });');
    expect(html).toMatch(/"token":"ya29\./);
    expect(html).not.toContain("1//");
  });

  it("the Picker's document gives no token to who is not signed in, not connected, or where it is not set up", async () => {
    const person = await signIn();
    const asked = [
      [await (await open(visitor())).text(), "sign_in"],
      [await (await open(person)).text(), "not_connected"],
    ];
    await connectGoogle(person);
    const off = await visitWith({ GOOGLE_PICKER_KEY: undefined }, `/api/google/drive/picker?channel=${CHANNEL}`, {
      headers: { ...cookiesOf(person), ...WINDOW },
    });
    asked.push([await off.text(), "failed"]);
    for (const [html, reason] of asked) {
      expect(html).toContain(`"refusal":"${reason}"`);
      expect(html).not.toContain("ya29.");
    }
    expect((await person.fetch("/api/google/drive/picker?channel=%3Cscript%3E")).status).toBe(400);
  });

  it("the Picker's document opens in a window of our own alone: no script, frame, other site or client without a window gets its token", async () => {
    const person = await signIn();
    await connectGoogle(person);
    await consentToPicking(person);
    const others: Record<string, string>[] = [
      {},
      { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" },
      { ...WINDOW, "sec-fetch-dest": "iframe" },
      { ...WINDOW, "sec-fetch-site": "cross-site" },
      { ...WINDOW, "sec-fetch-site": "same-site" },
      { ...WINDOW, "sec-fetch-site": "none" },
      { ...WINDOW, "sec-fetch-mode": "no-cors" },
    ];
    for (const headers of others) {
      const response = await open(person, headers);
      expect([response.status, await response.text()]).toEqual([403, expect.not.stringContaining("ya29.")]);
    }
  });
});
