import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { createTag, deleteTag, listFolders, tagChats, updateTag } from "#shared/contracts/folders.ts";
import { TAG_HUES } from "#shared/entities/folders/folder.ts";
import { openTab } from "#test/support/live-tab.ts";
import { seedList } from "#test/support/seed-list.ts";
import { type Client, signIn } from "#test/support/worker.ts";

const HOUR = 60 * 60_000;

/** The chats by age, each with the names of its tags. */
async function tagged(user: Client): Promise<string[][]> {
  const { tags } = await user.take(listFolders, {});
  const { chats } = await user.take(listChats, {});
  return chats.map((chat) => chat.tags.map((id) => tags.find((tag) => tag.id === id)?.name ?? "?"));
}

async function withChats(count: number) {
  const user = await signIn();
  const seeds = Array.from({ length: count }, (_, n) => ({ age: (n + 1) * HOUR, row: { title: String(n) } }));
  return { user, ids: await seedList(user.user.id, seeds) };
}

it("tags are made by putting them on chats, whatever their capitals, and filter the list", async () => {
  const { user, ids } = await withChats(3);
  const tab = await openTab(user);
  const first = await user.take(tagChats, { body: { chat_ids: ids.slice(0, 2), add: ["Urgent", " To  read "] } });
  expect(first).toMatchObject({ changed: 2, tags: [{ name: "Urgent" }, { name: "To read" }] });
  expect(first.tags.every(({ hue }) => TAG_HUES.some((known) => known === hue))).toBe(true);
  const again = await user.take(tagChats, { body: { chat_ids: ids, add: ["URGENT"] } });
  expect(again).toMatchObject({ changed: 1, tags: [{ id: first.tags[0]?.id, name: "Urgent", chat_count: 3 }] });
  expect(await tagged(user)).toEqual([["Urgent", "To read"], ["Urgent", "To read"], ["Urgent"]]);
  expect(tab.events.some((event) => event.type === "content.changed" && event.kind === "folder")).toBe(true);
  const read = first.tags[1]?.id ?? "";
  const page = await user.take(listChats, { query: { tag: read, limit: 1 } });
  const next = await user.take(listChats, { query: { tag: read, limit: 1, cursor: page.nextCursor ?? "" } });
  expect([page, next].map(({ chats, nextCursor }) => [chats[0]?.title, nextCursor === null])).toEqual([
    ["0", false],
    ["1", true],
  ]);
  await user.take(tagChats, { body: { chat_ids: [ids[0] ?? ""], add: ["Later"], remove: [read] } });
  expect(await tagged(user)).toEqual([["Urgent", "Later"], ["Urgent", "To read"], ["Urgent"]]);
  const { tags } = await user.take(listFolders, {});
  expect(tags.map(({ name, chat_count: count }) => [name, count])).toEqual([
    ["Later", 1],
    ["To read", 1],
    ["Urgent", 3],
  ]);
  tab.close();
});

it("tags are renamed, recoloured, merged where that is asked for, and deleted from all chats", async () => {
  const { user, ids } = await withChats(3);
  const { tags } = await user.take(tagChats, { body: { chat_ids: ids.slice(0, 2), add: ["Urgent"] } });
  const [urgent] = tags;
  await user.take(tagChats, { body: { chat_ids: ids.slice(1), add: ["Asap"] } });
  const params = { id: urgent?.id ?? "" };
  expect((await user.take(updateTag, { params, body: { name: "URGENT", hue: 290 } })).tag).toMatchObject({ name: "URGENT", hue: 290 });
  expect(await user.call(updateTag, { params, body: { hue: 20 } })).toMatchObject({
    status: 400,
    error: { error: "That is no tag's colour." },
  });
  expect(await user.call(updateTag, { params, body: { name: "asap" } })).toMatchObject({
    status: 409,
    error: { code: "CONFLICT", error: "There is a tag “Asap” already." },
  });
  const { tag } = await user.take(updateTag, { params, body: { name: "asap", merge: true } });
  expect(tag).toMatchObject({ name: "Asap", chat_count: 3 });
  expect(await tagged(user)).toEqual([["Asap"], ["Asap"], ["Asap"]]);
  await user.take(deleteTag, { params: { id: tag.id } });
  expect(await tagged(user)).toEqual([[], [], []]);
  expect(await user.call(deleteTag, { params: { id: tag.id } })).toMatchObject({ status: 404 });
});

it("tags have their limits: of a chat, and of a person", async () => {
  const { user, ids } = await withChats(2);
  const twenty = Array.from({ length: 20 }, (_, n) => `Tag ${n}`);
  const chatId = ids[0] ?? "";
  await user.take(tagChats, { body: { chat_ids: [chatId], add: twenty } });
  expect((await user.take(tagChats, { body: { chat_ids: ids, add: ["One more"] } })).results).toMatchObject([
    { ok: false, reason: "A chat may have 20 tags." },
    { ok: true },
  ]);
  await runInDurableObject(env.USER_HUB.getByName(user.user.id), (_, { storage }) => {
    for (let n = 21; n < 200; n += 1)
      storage.sql.exec("INSERT INTO tags VALUES (?, ?, ?, 45, '')", crypto.randomUUID(), `many ${n}`, `many ${n}`);
  });
  expect(await user.call(createTag, { body: { name: "Too many" } })).toMatchObject({ status: 400 });
  expect((await user.take(createTag, { body: { name: "one MORE" } })).tag.name).toBe("One more");
});
