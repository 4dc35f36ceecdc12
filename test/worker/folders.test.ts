import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { createChat, getChat, listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import { forkChat } from "#shared/contracts/chat/copies.ts";
import { changeChats, countChats } from "#shared/contracts/chat/inbox.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { createFolder, deleteFolder, fileChats, listFolders, restoreFolder, tagChats, updateFolder } from "#shared/contracts/folders.ts";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { shareChat } from "#shared/contracts/chat/sharing.ts";
import { FOLDERS_MAX } from "#shared/limits.ts";
import { openTab } from "#test/support/live-tab.ts";
import { CHEAP_MODEL, startChatAndRead } from "#test/support/replies.ts";
import { seedList } from "#test/support/seed-list.ts";
import { makeTeam, startSharedChat } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";

type Folder = ResponseOf<typeof createFolder>["folder"];

const HOUR = 60 * 60_000;

async function make(user: Client, name: string, parent: Folder | null = null, workspace?: string): Promise<Folder> {
  const body = { id: crypto.randomUUID(), name, parent_id: parent?.id ?? null, ...(workspace !== undefined && { workspace }) };
  return (await user.take(createFolder, { body })).folder;
}

/** The folders as lines, each after what it is in and indented below it. */
async function tree(user: Client): Promise<string[]> {
  const { folders } = await user.take(listFolders, {});
  const below = (parent: string | null, indent: string): string[] =>
    folders
      .filter(({ parent_id: id }) => id === parent)
      .flatMap((folder) => [`${indent}${folder.name}`, ...below(folder.id, `${indent}- `)]);
  return below(null, "");
}

async function namesIn(user: Client, query: Parameters<typeof user.take<typeof listChats>>[1]["query"]): Promise<string[]> {
  return (await user.take(listChats, { query: query ?? {} })).chats.map(({ title }) => title);
}

async function seedChats(user: Awaited<ReturnType<typeof signIn>>, titles: string[]): Promise<string[]> {
  return seedList(
    user.user.id,
    titles.map((title, n) => ({ age: (n + 1) * HOUR, row: { title } })),
  );
}

it("folders stand in an order made by hand, nested, and move with all that is in them", async () => {
  const user = await signIn();
  const work = await make(user, "  Client   work ");
  const acme = await make(user, "Acme", work);
  const zeta = await make(user, "Zeta", work);
  const home = await make(user, "Home");
  expect(work).toMatchObject({ name: "Client work", workspace: "personal", chat_count: 0, unread_count: 0 });
  expect(await tree(user)).toEqual(["Client work", "- Acme", "- Zeta", "Home"]);
  const change = (folder: Folder, body: Parameters<typeof user.take<typeof updateFolder>>[1]["body"]) =>
    user.call(updateFolder, { params: { id: folder.id }, body });
  expect((await change(home, { before_id: work.id })).ok).toBe(true);
  expect((await change(zeta, { before_id: acme.id, name: "Zeta Ltd" })).ok).toBe(true);
  expect(await tree(user)).toEqual(["Home", "Client work", "- Zeta Ltd", "- Acme"]);
  expect((await change(work, { parent_id: home.id })).ok).toBe(true);
  expect((await change(acme, { after_id: home.id })).ok).toBe(true);
  expect(await tree(user)).toEqual(["Home", "- Client work", "- - Zeta Ltd", "Acme"]);
  for (const into of [{ parent_id: home.id }, { parent_id: zeta.id }, { after_id: home.id, parent_id: work.id }, { before_id: zeta.id }])
    expect(await change(home, into)).toMatchObject({ ok: false, status: 400 });
  expect(await change(home, { parent_id: crypto.randomUUID() })).toMatchObject({ ok: false, status: 404 });
  expect(await tree(user)).toEqual(["Home", "- Client work", "- - Zeta Ltd", "Acme"]);
  // However often one goes between the same two, there is room.
  const [one, two] = [await make(user, "One", acme), await make(user, "Two", acme)];
  for (let n = 0; n < 60; n += 1) await change(n % 2 === 0 ? two : one, { before_id: n % 2 === 0 ? one.id : two.id });
  expect((await tree(user)).slice(-2)).toEqual(["- One", "- Two"]);
});

it("folders refuse names that a sibling has, names that are none, and nesting too deep", async () => {
  const user = await signIn();
  const work = await make(user, "Work");
  const body = (name: string, parent_id: string | null = null) => ({ id: crypto.randomUUID(), name, parent_id });
  expect(await user.call(createFolder, { body: body("work") })).toMatchObject({
    status: 409,
    error: { code: "CONFLICT", error: "There is a folder “work” here already." },
  });
  expect(await user.call(createFolder, { body: body(" \n ") })).toMatchObject({
    status: 400,
    error: { error: "Give the folder a name." },
  });
  expect(await user.call(createFolder, { body: body("x".repeat(81)) })).toMatchObject({ status: 400 });
  const chain = [work];
  for (const name of ["2", "3", "4", "Work"]) chain.push(await make(user, name, chain.at(-1)));
  const deepest = chain.at(-1)?.id ?? "";
  const tooDeep = { status: 400, error: { error: "Folders nest 5 deep at most." } };
  expect(await user.call(createFolder, { body: body("6", deepest) })).toMatchObject(tooDeep);
  const pair = await make(user, "Pair");
  await make(user, "Below", pair);
  expect(await user.call(updateFolder, { params: { id: pair.id }, body: { parent_id: chain[3]?.id ?? "" } })).toMatchObject(tooDeep);
  expect(await user.call(updateFolder, { params: { id: pair.id }, body: { name: "WORK" } })).toMatchObject({ status: 409 });
  // Its own name in other capitals is nobody else's.
  expect((await user.take(updateFolder, { params: { id: pair.id }, body: { name: "PAIR" } })).folder.name).toBe("PAIR");
  await runInDurableObject(env.USER_HUB.getByName(user.user.id), (_, { storage }) => {
    for (let n = chain.length + 2; n < FOLDERS_MAX; n += 1)
      storage.sql.exec("INSERT INTO folders VALUES (?, ?, NULL, 'personal', ?, '')", crypto.randomUUID(), `Many ${n}`, n);
  });
  expect(await user.call(createFolder, { body: body("One more") })).toMatchObject({
    status: 400,
    error: { error: expect.stringContaining("500 folders") },
  });
});

it("folders ask guests to sign in", async () => {
  const guest = visitor();
  await guest.take(createChat, { body: {} });
  expect(await guest.call(listFolders, {})).toMatchObject({ status: 401 });
});

it("folders are one person's own: nobody else sees or fills them", async () => {
  const [user, other] = [await signIn(), await signIn()];
  const folder = await make(user, "Mine");
  const [id = ""] = await seedChats(other, ["Theirs"]);
  expect(await tree(other)).toEqual([]);
  expect(await other.call(fileChats, { body: { chat_ids: [id], folder_id: folder.id } })).toMatchObject({ status: 404 });
  expect((await user.take(fileChats, { body: { chat_ids: [id], folder_id: folder.id } })).results).toMatchObject([
    { ok: false, code: "NOT_FOUND" },
  ]);
});

it("folders let what is in a deleted one move up, and take it all back", async () => {
  const user = await signIn();
  const work = await make(user, "Work");
  const acme = await make(user, "Acme", work);
  await make(user, "Acme", acme);
  const plans = await make(user, "Plans", acme);
  await make(user, "Zeta", work);
  const [inAcme = "", archived = "", inPlans = ""] = await seedChats(user, ["In Acme", "Archived", "In plans"]);
  await user.take(fileChats, { body: { chat_ids: [inAcme, archived], folder_id: acme.id } });
  await user.take(fileChats, { body: { chat_ids: [inPlans], folder_id: plans.id } });
  await env.USER_HUB.getByName(user.user.id).mark(archived, { archived: true });
  const before = await tree(user);
  const { undo_token: token, chats } = await user.take(deleteFolder, { params: { id: acme.id } });
  expect(chats).toBe(2);
  expect(await tree(user)).toEqual(["Work", "- Acme", "- Plans", "- Zeta"]);
  expect((await namesIn(user, { folder: work.id })).concat(await namesIn(user, { view: "archived", folder: work.id }))).toEqual([
    "In Acme",
    "Archived",
  ]);
  const { folder } = await user.take(restoreFolder, { body: { undo_token: token } });
  expect(folder).toMatchObject({ id: acme.id, name: "Acme", chat_count: 1 });
  expect(await tree(user)).toEqual(before);
  expect(await namesIn(user, { folder: work.id })).toEqual([]);
  expect(await namesIn(user, { view: "archived", folder: acme.id })).toEqual(["Archived"]);
  expect(await user.call(restoreFolder, { body: { undo_token: token } })).toMatchObject({ error: { code: "UNDO_EXPIRED" } });
  // A folder that moves to where its name is taken gets a number.
  await user.take(deleteFolder, { params: { id: acme.id } });
  await make(user, "Plans");
  await user.take(deleteFolder, { params: { id: work.id } });
  expect((await tree(user)).toSorted()).toEqual(["Acme", "Plans", "Plans (2)", "Zeta"]);
  expect((await namesIn(user, { folder: "none" })).toSorted()).toEqual(["In Acme"]);
  expect(await namesIn(user, { folder: plans.id })).toEqual(["In plans"]);
});

it("folders keep the names that they were given since, when a deletion is taken back", async () => {
  const user = await signIn();
  const acme = await make(user, "Acme");
  const plans = await make(user, "Plans", acme);
  await make(user, "Notes", acme);
  await make(user, "Notes");
  const { undo_token: token } = await user.take(deleteFolder, { params: { id: acme.id } });
  expect((await tree(user)).toSorted()).toEqual(["Notes", "Notes (2)", "Plans"]);
  await user.take(updateFolder, { params: { id: plans.id }, body: { name: "Notes of May" } });
  await user.take(restoreFolder, { body: { undo_token: token } });
  expect(await tree(user)).toEqual(["Acme", "- Notes of May", "- Notes", "Notes"]);
});

it("chats in folders are listed, counted and marked by folder, alone or with what is below, page after page", async () => {
  const user = await signIn();
  const tab = await openTab(user);
  const work = await make(user, "Work");
  const acme = await make(user, "Acme", work);
  const ids = await seedChats(user, ["0", "1", "2", "3", "4", "5"]);
  await user.take(fileChats, { body: { chat_ids: [ids[0] ?? "", ids[3] ?? ""], folder_id: work.id } });
  const filed = await user.take(fileChats, { body: { chat_ids: [ids[4] ?? "", ids[1] ?? "", ids[4] ?? ""], folder_id: acme.id } });
  expect(filed).toEqual({ results: [ids[4], ids[1]].map((id) => ({ id, ok: true })), changed: 2, refused: 0, undo_token: null });
  const chat = (await user.take(listChats, {})).chats[1];
  expect(chat).toMatchObject({ title: "1", folder_id: acme.id, tags: [] });
  expect(tab.events.findLast((event) => event.type === "chat.changed" && event.chat.id === ids[1])).toMatchObject({
    chat: { folder_id: acme.id },
  });
  expect(tab.events.some((event) => event.type === "content.changed" && event.kind === "folder")).toBe(true);
  expect(await namesIn(user, { folder: work.id })).toEqual(["0", "3"]);
  expect(await namesIn(user, { folder: work.id, subfolders: "true" })).toEqual(["0", "1", "3", "4"]);
  expect(await namesIn(user, { folder: "none" })).toEqual(["2", "5"]);
  const first = await user.take(listChats, { query: { folder: work.id, subfolders: "true", limit: 3 } });
  const next = await user.take(listChats, { query: { folder: work.id, subfolders: "true", limit: 3, cursor: first.nextCursor ?? "" } });
  expect([first, next].map(({ chats }) => chats.map(({ title }) => title))).toEqual([["0", "1", "3"], ["4"]]);
  const within = { view: "all" as const, folder: work.id };
  expect((await user.take(countChats, { query: { ...within, subfolders: "true" } })).count).toBe(4);
  expect((await user.take(changeChats, { body: { filter: within, action: "unread" } })).changed).toBe(2);
  const { folders } = await user.take(listFolders, {});
  const counted = new Map(folders.map(({ name, chat_count: all, unread_count: unread }) => [name, { all, unread }]));
  expect(counted.get("Work")).toEqual({ all: 2, unread: 2 });
  expect(counted.get("Acme")).toEqual({ all: 2, unread: 0 });
  expect((await user.take(fileChats, { body: { chat_ids: [ids[1] ?? ""], folder_id: null } })).changed).toBe(1);
  expect((await user.take(fileChats, { body: { chat_ids: [ids[1] ?? ""], folder_id: null } })).changed).toBe(0);
  expect(await namesIn(user, { folder: acme.id })).toEqual(["4"]);
  tab.close();
});

it("chats in folders are those that others share too; a chat that is lost or goes to a team leaves its folder, a report else leaves it there", async () => {
  const { owner, chatId, as } = await startSharedChat(["viewer"]);
  const viewer = as("viewer");
  const teamId = await makeTeam("Crew", [owner, viewer]);
  await until("the chat in the viewer's list", async () => (await namesIn(viewer, {})).length === 1);
  const [mine, own] = [await make(viewer, "Mine"), await make(owner, "Own")];
  await viewer.take(fileChats, { body: { chat_ids: [chatId], folder_id: mine.id } });
  await owner.take(fileChats, { body: { chat_ids: [chatId], folder_id: own.id } });
  await owner.take(updateChat, { params: { id: chatId }, body: { title: "Renamed" } });
  await until("the new title", async () => (await namesIn(viewer, { folder: mine.id }))[0] === "Renamed");
  const crew = await make(owner, "Crew's", null, teamId);
  expect((await owner.take(fileChats, { body: { chat_ids: [chatId], folder_id: crew.id } })).results).toMatchObject([
    { ok: false, reason: "This chat is not in the folder's workspace." },
  ]);
  await owner.take(shareChat, { params: { id: chatId }, body: { type: "team", teamId, permissionLevel: "viewer" } });
  await until("the chat out of its folder", async () => (await namesIn(owner, { folder: own.id })).length === 0);
  await owner.take(fileChats, { body: { chat_ids: [chatId], folder_id: crew.id } });
  expect((await owner.take(getChat, { params: { id: chatId } })).chat.folder_id).toBe(crew.id);
  expect(await namesIn(owner, { folder: "none", workspace: teamId })).toEqual([]);
  // Not lost from a workspace whose folders do not hold it.
  expect(await namesIn(owner, { folder: "none", workspace: "all" })).toEqual([]);
});

it("chats in folders are filed and tagged all at once as a view holds them, and go back to where each was", async () => {
  const user = await signIn();
  const [work, home] = [await make(user, "Work"), await make(user, "Home")];
  const team = await make(user, "Crew's", null, await makeTeam("Crew", [user]));
  const [first = "", second = ""] = await seedChats(user, ["0", "1", "2"]);
  await user.take(fileChats, { body: { chat_ids: [first], folder_id: home.id } });
  const filter = { view: "all" as const };
  const refused = await user.take(fileChats, { body: { filter, folder_id: team.id } });
  expect(refused).toMatchObject({ changed: 0, refused: 3, undo_token: null });
  expect(refused.results[0]).toMatchObject({ ok: false, reason: "This chat is not in the folder's workspace." });
  const { undo_token: token, ...filed } = await user.take(fileChats, { body: { filter, folder_id: work.id } });
  expect(filed).toEqual({ results: [], changed: 3, refused: 0 });
  expect(await namesIn(user, { folder: work.id })).toEqual(["0", "1", "2"]);
  const tagged = await user.take(tagChats, { body: { filter: { view: "all", folder: work.id }, add: ["Done"] } });
  expect(tagged).toMatchObject({ changed: 3, refused: 0, tags: [{ name: "Done", chat_count: 3 }] });
  const tag = tagged.tags[0]?.id ?? "";
  expect((await user.take(tagChats, { body: { filter: { view: "all", tag }, remove: [tag] } })).changed).toBe(3);
  // What was moved by hand since stays there.
  await user.take(fileChats, { body: { chat_ids: [second], folder_id: home.id } });
  expect(await user.take(changeChats, { body: { undo: token ?? "" } })).toMatchObject({ changed: 2 });
  expect(await namesIn(user, { folder: home.id })).toEqual(["0", "1"]);
  expect(await namesIn(user, { folder: "none" })).toEqual(["2"]);
});

it("chats in folders begin in a folder: made, sent into and forked", async () => {
  const user = await signIn();
  const [work, home] = [await make(user, "Work"), await make(user, "Home")];
  const made = await user.take(createChat, { body: { title: "Made", folder_id: work.id } });
  await until("the chat in its folder", async () => (await namesIn(user, { folder: work.id })).includes("Made"));
  const { chat: unfiled } = await user.take(createChat, { body: { title: "Unfiled", folder_id: crypto.randomUUID() } });
  expect(unfiled).toMatchObject({ title: "Unfiled", folder_id: null });
  const send = async (folderId: string) => {
    const id = crypto.randomUUID();
    const body = { id: crypto.randomUUID(), parent_id: null, content: "say hello", model_id: CHEAP_MODEL, folder_id: folderId };
    await user.take(sendMessage, { params: { id }, body });
    await until("the chat in the list", async () =>
      (await user.take(listChats, {})).chats.some((chat) => chat.id === id && !chat.isStreaming),
    );
    return (await user.take(getChat, { params: { id } })).chat;
  };
  expect((await send(home.id)).folder_id).toBe(home.id);
  // What was written goes out all the same.
  expect((await send(crypto.randomUUID())).folder_id).toBeNull();
  const source = await startChatAndRead(user, "say forked");
  await until("the chat in the list", async () => (await user.take(listChats, {})).chats.some(({ id }) => id === source.chatId));
  await user.take(fileChats, { body: { chat_ids: [source.chatId], folder_id: work.id } });
  const { chat: fork } = await user.take(forkChat, { params: { id: source.chatId }, body: { messageId: source.replyId } });
  await until("the fork beside its source", async () => (await user.take(getChat, { params: { id: fork.id } })).chat.folder_id === work.id);
  await user.take(fileChats, { body: { chat_ids: [made.chat.id], folder_id: home.id } });
  await user.take(createChat, { body: { id: made.chat.id, title: "Made", folder_id: work.id } });
  expect((await user.take(getChat, { params: { id: made.chat.id } })).chat.folder_id).toBe(home.id);
});

it("chats in folders begin in a team's folder, though the team is known to have them a moment later", async () => {
  const user = await signIn();
  const teamId = await makeTeam("Crew", [user]);
  const folder = await make(user, "Crew's", null, teamId);
  const { chat } = await user.take(createChat, { body: { title: "Ours", team_id: teamId, folder_id: folder.id } });
  await until("the chat in its folder", async () => (await namesIn(user, { folder: folder.id, workspace: teamId })).includes("Ours"));
  expect(chat.team_id).toBe(teamId);
  // Without the team it begins all the same, outside the team's folder.
  const { chat: own } = await user.take(createChat, { body: { title: "Mine", folder_id: folder.id } });
  expect(own).toMatchObject({ team_id: null, folder_id: null });
  // Nor does a fork wait for a folder that is another workspace's.
  const hub = env.USER_HUB.getByName(user.user.id);
  await hub.folders({ kind: "follow", chatId: crypto.randomUUID(), sourceId: chat.id });
  const waiting = await runInDurableObject(hub, (_, { storage }) => storage.sql.exec("SELECT chat_id FROM begun_in").toArray());
  expect(waiting).toEqual([]);
});
