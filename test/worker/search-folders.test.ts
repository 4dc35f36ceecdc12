import { expect, it } from "vitest";
import { createFolder, fileChats, tagChats, updateFolder } from "#shared/contracts/folders.ts";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { search } from "#shared/contracts/search.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { makeTeam } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn } from "#test/support/worker.ts";

type Query = { q: string; kind?: "chat" | "message"; workspace?: string; limit?: number; cursor?: string };

/** Asks until all was read, as the web does. */
async function ask(client: Client, query: Query | string) {
  return until("a whole answer", async () => {
    const answer = await client.take(search, { query: typeof query === "string" ? { q: query } : query });
    return answer.isIncomplete ? null : answer;
  });
}

/** The chats that a search finds something in. */
async function chatsOf(client: Client, query: Query | string): Promise<string[]> {
  return [...new Set((await ask(client, query)).hits.map(({ chat }) => chat.id))].toSorted();
}

async function folder(client: Client, name: string, parentId: string | null = null): Promise<string> {
  const id = crypto.randomUUID();
  await client.take(createFolder, { body: { id, name, parent_id: parentId } });
  return id;
}

async function say(client: Client, text: string): Promise<string> {
  const { chatId } = await startChatAndRead(client, `say ${text}`);
  await until("the chat in the list", async () =>
    (await client.take(listChats, {})).chats.some((chat) => chat.id === chatId && !chat.isStreaming),
  );
  return chatId;
}

it("a search in folders and by tags looks into a folder of that name and what is below it, with the other filters", async () => {
  const user = await signIn();
  const [lease, boat, berlin] = [await say(user, "lantern lease"), await say(user, "lantern boat"), await say(user, "lantern berlin")];
  const work = await folder(user, "Client work");
  const acme = await folder(user, "Acme", work);
  await user.take(fileChats, { body: { chat_ids: [lease], folder_id: work } });
  await user.take(fileChats, { body: { chat_ids: [boat], folder_id: acme } });
  const both = [lease, boat].toSorted();
  expect(await chatsOf(user, 'lantern in:"client WORK"')).toEqual(both);
  expect(await chatsOf(user, 'in:"Client work"')).toEqual(both);
  expect(await chatsOf(user, { q: 'lantern in:"Client work"', kind: "message" })).toEqual(both);
  expect(await chatsOf(user, 'lantern in:"Client work/Acme"')).toEqual([boat]);
  expect(await chatsOf(user, "boat in:acme")).toEqual([boat]);
  expect(await chatsOf(user, "lease in:acme")).toEqual([]);
  expect(await chatsOf(user, 'in:acme in:"client work" from:me lantern')).toEqual(both);
  // What is no folder's name is a title, beside a folder too.
  expect(await chatsOf(user, "lantern in:acme in:berlin")).toEqual([boat, berlin].toSorted());
  expect((await ask(user, "lantern in:acme in:berlin")).unknown).toEqual([{ name: "in", value: "berlin" }]);
  expect(await ask(user, "lantern in:nowhere")).toMatchObject({ hits: [], unknown: [{ name: "in", value: "nowhere" }] });
  // A title that says the word is not in the folder for it.
  const named = await say(user, "acme lantern");
  expect(await chatsOf(user, "lantern in:acme")).not.toContain(named);
  // What moves is found where it is now.
  await user.take(updateFolder, { params: { id: acme }, body: { parent_id: null, name: "Zeta" } });
  await user.take(fileChats, { body: { chat_ids: [berlin], folder_id: work } });
  expect(await chatsOf(user, 'lantern in:"Client work"')).toEqual([lease, berlin].toSorted());
  expect(await chatsOf(user, "lantern in:zeta")).toEqual([boat]);
  await user.take(fileChats, { body: { chat_ids: [boat], folder_id: null } });
  expect(await chatsOf(user, "lantern in:zeta")).toEqual([]);
});

it("a search in folders and by tags finds what has all the tags, page after page, and says which tag there is not", async () => {
  const user = await signIn();
  const [one, two, three] = [await say(user, "lantern one"), await say(user, "lantern two"), await say(user, "lantern three")];
  await user.take(tagChats, { body: { chat_ids: [one, two], add: ["To read"] } });
  await user.take(tagChats, { body: { chat_ids: [two, three], add: ["Urgent"] } });
  expect(await chatsOf(user, 'tag:"to read"')).toEqual([one, two].toSorted());
  expect(await chatsOf(user, 'lantern tag:"To Read" tag:urgent')).toEqual([two]);
  expect(await chatsOf(user, "lantern tag:urgent is:pinned")).toEqual([]);
  const ids: string[] = [];
  for (let cursor: string | undefined; ids.length < 10;) {
    const page = await ask(user, { q: "tag:urgent", limit: 1, ...(cursor !== undefined && { cursor }) });
    ids.push(...page.hits.map(({ chat }) => chat.id));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  expect(ids).toEqual([three, two]);
  expect(await ask(user, "lantern tag:never")).toMatchObject({ hits: [], nextCursor: null, unknown: [{ name: "tag", value: "never" }] });
  expect((await ask(user, "lantern tag:urgent")).unknown).toBeUndefined();
});

it("a search in folders and by tags knows the folders of the workspace that it looks in", async () => {
  const user = await signIn();
  const teamId = await makeTeam("Crew", [user]);
  const chat = await say(user, "lantern mine");
  await user.take(fileChats, { body: { chat_ids: [chat], folder_id: await folder(user, "Plans") } });
  expect(await chatsOf(user, { q: "lantern in:plans", workspace: "personal" })).toEqual([chat]);
  expect((await ask(user, { q: "lantern in:plans", workspace: teamId })).unknown).toEqual([{ name: "in", value: "plans" }]);
});
