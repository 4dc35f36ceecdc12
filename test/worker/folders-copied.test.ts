import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { createChat, listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import { removeShare } from "#shared/contracts/chat/sharing.ts";
import { createFolder, fileChats, listFolders, tagChats } from "#shared/contracts/folders.ts";
import { TAG_HUES } from "#shared/entities/folders/folder.ts";
import { openTab } from "#test/support/live-tab.ts";
import { seedList } from "#test/support/seed-list.ts";
import { makeTeam, share, shareIdOf, startSharedChat } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn } from "#test/support/worker.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { FolderAnswer, FolderInput } from "#worker/conversation/hub/folders.ts";

const HOUR = 60 * 60_000;

type Person = Awaited<ReturnType<typeof signIn>>;

async function ask(person: Person, input: FolderInput): Promise<FolderAnswer> {
  const answer: Outcome<FolderAnswer> = await env.USER_HUB.getByName(person.user.id).folders(input);
  if (!answer.ok) throw new Error(answer.message ?? answer.code);
  return answer.value;
}

async function folder(client: Client, name: string, parentId: string | null = null): Promise<string> {
  const id = crypto.randomUUID();
  await client.take(createFolder, { body: { id, name, parent_id: parentId } });
  return id;
}

/** Each chat by its title with the names of its folder and tags. */
async function filed(client: Client) {
  const { folders, tags } = await client.take(listFolders, {});
  const { chats } = await client.take(listChats, {});
  const nameOf = (all: readonly { id: string; name: string }[], id: string | null) => all.find((one) => one.id === id)?.name ?? null;
  return Object.fromEntries(
    chats.map((chat) => [chat.title, [nameOf(folders, chat.folder_id), ...chat.tags.map((id) => nameOf(tags, id))]]),
  );
}

it("all that is filed is read page by page, and taken over by another account, of chats that are there or will be", async () => {
  const [from, to] = [await signIn(), await signIn()];
  const titles = ["0", "1", "2"];
  const seeds = titles.map((title, n) => ({ age: (n + 1) * HOUR, row: { title } }));
  const [ids, others] = [await seedList(from.user.id, seeds), await seedList(to.user.id, seeds.slice(0, 2))];
  const work = await folder(from, "Work");
  const acme = await folder(from, "Acme", work);
  await from.take(fileChats, { body: { chat_ids: ids.slice(1), folder_id: acme } });
  await from.take(tagChats, { body: { chat_ids: ids.slice(0, 2), add: ["To read"] } });
  // What is called the same is the same.
  await folder(to, "work");
  await to.take(tagChats, { body: { chat_ids: others.slice(0, 1), add: ["TO READ"] } });

  const first = await ask(from, { kind: "export", after: "", limit: 2 });
  const next = await ask(from, { kind: "export", after: first.filings.at(-1)?.chat_id ?? "", limit: 2 });
  expect([first, next].map((page) => [page.folders.length, page.tags.length, page.filings.length])).toEqual([
    [2, 1, 2],
    [0, 0, 1],
  ]);
  const later = crypto.randomUUID();
  const idThere = (id: string) => [...others, later][ids.indexOf(id)] ?? "";
  const filings = [...first.filings, ...next.filings].map((filing) => ({ ...filing, chat_id: idThere(filing.chat_id) }));
  const { folders, tags } = first;
  for (let again = 0; again < 2; again += 1) await ask(to, { kind: "import", folders, tags, filings });
  await to.take(createChat, { body: { id: later, title: "2" } });
  await until("the new chat in its folder", async () => (await filed(to))["2"]?.[0] === "Acme");
  expect(await filed(to)).toEqual({ "0": [null, "TO READ"], "1": ["Acme", "TO READ"], "2": ["Acme"] });
  const there = (await to.take(listFolders, {})).folders;
  expect(Object.fromEntries(there.map(({ name, chat_count: count }) => [name, count]))).toEqual({ Acme: 2, work: 0 });
});

it("all that is filed comes from a file that somebody changed too, as far as it may be", async () => {
  const user = await signIn();
  const made = { workspace: "personal" as const, created_at: new Date().toISOString() };
  const [one, two, three] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const folders = [
    { ...made, id: one, name: "In each", parent_id: two, position: 1 },
    { ...made, id: two, name: "Other", parent_id: one, position: 2 },
    { ...made, id: three, name: "x".repeat(100), parent_id: crypto.randomUUID(), position: 3 },
  ];
  const tags = [
    { id: crypto.randomUUID(), name: "y".repeat(100), hue: 7, created_at: made.created_at },
    { id: crypto.randomUUID(), name: " ", hue: 45, created_at: made.created_at },
  ];
  await ask(user, { kind: "import", folders, tags, filings: [] });
  const there = await user.take(listFolders, {});
  expect(there.folders.map(({ name, parent_id: parent }) => [name, parent])).toEqual([
    ["x".repeat(80), null],
    ["In each", null],
    ["Other", null],
  ]);
  expect(there.tags.map(({ name }) => name)).toEqual(["y".repeat(40)]);
  expect(TAG_HUES.some((hue) => hue === there.tags[0]?.hue)).toBe(true);
});

it("all that is filed comes beside a folder that was moved to a team's workspace since, with all that is in it", async () => {
  const user = await signIn();
  const teamId = await makeTeam("Crew", [user]);
  const [crew, child] = [crypto.randomUUID(), crypto.randomUUID()];
  await user.take(createFolder, { body: { id: crew, name: "Work", workspace: teamId } });
  const [chatId = ""] = await seedList(user.user.id, [{ age: HOUR, row: { title: "0" } }]);
  const made = { workspace: "personal" as const, created_at: new Date().toISOString(), position: 1 };
  const folders = [
    { ...made, id: crew, name: "Work", parent_id: null },
    { ...made, id: child, name: "Acme", parent_id: crew },
  ];
  const filings = [{ chat_id: chatId, folder_id: child, tags: [] }];
  for (let again = 0; again < 2; again += 1) await ask(user, { kind: "import", folders, tags: [], filings });
  const there = (await user.take(listFolders, {})).folders;
  expect(there.map(({ name, workspace }) => `${name} ${workspace}`).toSorted()).toEqual(
    ["Acme personal", "Work personal", `Work ${teamId}`].toSorted(),
  );
  const parent = there.find(({ id }) => id === there.find((one) => one.id === child)?.parent_id);
  expect(parent).toMatchObject({ name: "Work", workspace: "personal" });
  expect(await filed(user)).toEqual({ "0": ["Acme"] });
});

it("all that is filed puts its tags on once, and waits neither for ever nor against what was filed by hand", async () => {
  const user = await signIn();
  const hub = env.USER_HUB.getByName(user.user.id);
  const made = { created_at: new Date().toISOString() };
  const [folderId, tagId] = [crypto.randomUUID(), crypto.randomUUID()];
  const folders = [{ ...made, id: folderId, name: "Crew's", parent_id: null, workspace: crypto.randomUUID(), position: 1 }];
  const tags = [{ ...made, id: tagId, name: "Old", hue: 45 }];
  const ids = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const filings = ids.map((id) => ({ chat_id: id, folder_id: folderId, tags: [tagId] }));
  await ask(user, { kind: "import", folders, tags, filings });
  for (const [n, id] of ids.entries()) await user.take(createChat, { body: { id, title: `${n}` } });
  await until("the tag on all", async () => Object.values(await filed(user)).filter(([, tag]) => tag === "Old").length === 3);
  const old = (await user.take(listFolders, {})).tags[0]?.id ?? "";
  await user.take(tagChats, { body: { chat_ids: ids, add: ["New"], remove: [old] } });
  await user.take(fileChats, { body: { chat_ids: ids.slice(0, 1), folder_id: null } });
  // From now on the folder would take them all.
  await runInDurableObject(hub, (_, { storage }) => {
    storage.sql.exec("UPDATE folders SET workspace = 'personal'");
    storage.sql.exec("UPDATE begun_in SET at = 0 WHERE chat_id = ?", ids[1]);
  });
  for (const [n, id] of ids.entries()) await user.take(updateChat, { params: { id }, body: { title: `Again ${n}` } });
  await until("the new titles", async () => Object.keys(await filed(user)).every((title) => title.startsWith("Again")));
  expect(await filed(user)).toEqual({ "Again 0": [null, "New"], "Again 1": [null, "New"], "Again 2": ["Crew's", "New"] });
});

it("all that is filed notifies tabs of folders only where some were made", async () => {
  const user = await signIn();
  const tab = await openTab(user);
  const made = { workspace: "personal" as const, created_at: new Date().toISOString(), position: 1 };
  const folders = [{ ...made, id: crypto.randomUUID(), name: "Work", parent_id: null }];
  const [chatId = ""] = await seedList(user.user.id, [{ age: HOUR, row: { title: "0" } }]);
  const folderEvents = () => tab.events.filter((event) => event.type === "content.changed" && event.kind === "folder").length;
  await ask(user, { kind: "import", folders, tags: [], filings: [] });
  await until("the news of a folder", () => folderEvents() === 1);
  const filings = [{ chat_id: chatId, folder_id: folders[0]?.id ?? "", tags: [] }];
  await ask(user, { kind: "import", folders, tags: [], filings });
  await until("the news of the chat", () => tab.events.some((event) => event.type === "chat.changed" && event.chat.folder_id !== null));
  await ask(user, { kind: "create-tag", name: "Later", hue: undefined });
  await until("the next news", () => folderEvents() > 1);
  expect(folderEvents()).toBe(2);
  tab.close();
});

it("all that is filed is off a chat that its reader lost, when they get it again", async () => {
  const { owner, chatId, as } = await startSharedChat(["viewer"]);
  const viewer = as("viewer");
  const listed = async () => (await viewer.take(listChats, {})).chats.find(({ id }) => id === chatId);
  await until("the chat in the viewer's list", listed);
  await viewer.take(fileChats, { body: { chat_ids: [chatId], folder_id: await folder(viewer, "Mine") } });
  await viewer.take(tagChats, { body: { chat_ids: [chatId], add: ["To read"] } });
  expect(await listed()).toMatchObject({ folder_id: expect.any(String), tags: [expect.any(String)] });
  await owner.take(removeShare, { params: { id: chatId, shareId: await shareIdOf(owner, chatId, viewer.email) } });
  await until("the chat out of the list", async () => (await listed()) === undefined);
  expect((await viewer.take(listFolders, {})).folders).toMatchObject([{ chat_count: 0 }]);
  await share(owner, chatId, viewer.email, "viewer");
  expect(await until("the chat again", listed)).toMatchObject({ folder_id: null, tags: [] });
});
