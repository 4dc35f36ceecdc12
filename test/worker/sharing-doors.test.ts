import { expect, it } from "vitest";
import { updateChat } from "#shared/contracts/chat/chats.ts";
import { forkChat } from "#shared/contracts/chat/copies.ts";
import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { addToQueue, changeQueue, readQueue, removeFromQueue } from "#shared/contracts/chat/queue.ts";
import { copyPublicChat, getPublicChat, removeShare } from "#shared/contracts/chat/sharing.ts";
import { CHEAP_MODEL, readReply } from "#test/support/replies.ts";
import { shareIdOf, startSharedChat } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn, visitor } from "#test/support/worker.ts";

const SECRET = "what stands in the file";

/** A chat with an exchange about a file that its editor sent. */
async function startWithFile() {
  const chat = await startSharedChat(["editor", "viewer"]);
  const { chatId, as, replyId: parentId } = chat;
  const fileId = crypto.randomUUID();
  const address = `/api/chat/${chatId}/attachments/${fileId}`;
  const put = await as("editor").fetch(`${address}?name=notes.txt`, { method: "PUT", body: SECRET });
  expect(put.status).toBe(201);
  const body = { id: crypto.randomUUID(), parent_id: parentId, content: "say about a file", attachments: [fileId], model_id: CHEAP_MODEL };
  const { replyId } = await as("editor").take(sendMessage, { params: { id: chatId }, body });
  await readReply(as("editor"), { chatId, replyId });
  return { ...chat, address, lastId: replyId };
}

it("a shared chat's files are read by its members, go along with their forks, and stay with those when the chat is lost", async () => {
  const { owner, chatId, as, address, lastId } = await startWithFile();
  const viewer = as("viewer");
  for (const member of [owner, as("editor"), viewer]) expect(await (await member.fetch(address)).text()).toBe(SECRET);
  expect((await viewer.fetch(`${address.slice(0, -1)}0?name=mine.txt`, { method: "PUT", body: "mine" })).status).toBe(403);
  const { chat } = await viewer.take(forkChat, { params: { id: chatId }, body: { messageId: lastId } });
  const { headers } = await viewer.fetch(address);
  // A browser that keeps a file asks before each showing whether it still may.
  expect(headers.get("cache-control")).toBe("private, no-cache");
  const etag = headers.get("etag") ?? "";
  const again = (validator: string) => viewer.fetch(address, { headers: { "if-none-match": validator } });
  for (const validator of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const notModified = await again(validator);
    expect([notModified.status, await notModified.text(), notModified.headers.get("etag")]).toEqual([304, "", etag]);
  }
  expect(await (await again('"other"')).text()).toBe(SECRET);
  await owner.take(removeShare, { params: { id: chatId, shareId: await shareIdOf(owner, chatId, viewer.email) } });
  expect((await viewer.fetch(address)).status).toBe(404);
  expect((await again(etag)).status).toBe(404);
  const { messages } = await viewer.take(listMessages, { params: { id: chat.id } });
  const copied = messages.flatMap(({ attachments }) => attachments)[0];
  expect(await (await viewer.fetch(copied?.url ?? "")).text()).toBe(SECRET);
});

it("a shared chat's files go out by whoever uploaded them first, and by everybody who writes once they were sent", async () => {
  const { owner, chatId, as, lastId } = await startWithFile();
  const fileId = crypto.randomUUID();
  const put = await owner.fetch(`/api/chat/${chatId}/attachments/${fileId}?name=draft.txt`, { method: "PUT", body: "a draft" });
  expect(put.status).toBe(201);
  const message = { content: "say whose file is this", attachments: [fileId], model_id: CHEAP_MODEL };
  const stolen = { ...message, id: crypto.randomUUID(), parent_id: lastId };
  const params = { id: chatId };
  const attachmentMissing = { status: 400, error: { code: "ATTACHMENT_GONE" } };
  expect(await as("editor").call(sendMessage, { params, body: stolen })).toMatchObject(attachmentMissing);
  expect(await as("editor").call(addToQueue, { params, body: { ...message, id: crypto.randomUUID() } })).toMatchObject(attachmentMissing);
  const { replyId } = await owner.take(sendMessage, { params, body: { ...message, id: crypto.randomUUID(), parent_id: lastId } });
  await readReply(owner, { chatId, replyId });
  const again = { ...message, id: crypto.randomUUID(), parent_id: replyId };
  expect(await as("editor").call(sendMessage, { params, body: again })).toMatchObject({ status: 202 });
});

it("a shared chat's files are read by whoever uploaded them alone until they are sent or wait to be", async () => {
  const { owner, chatId, as, replyId: parentId } = await startSharedChat(["editor", "viewer"]);
  const params = { id: chatId };
  const fileId = crypto.randomUUID();
  const address = `/api/chat/${chatId}/attachments/${fileId}`;
  const upload = (by: Person) => by.fetch(`${address}?name=draft.txt`, { method: "PUT", body: "a draft" });
  expect((await upload(owner)).status).toBe(201);
  const read = async (by: Person) => {
    const answer = await by.fetch(address);
    return [answer.status, await answer.text()];
  };
  expect(await read(owner)).toEqual([200, "a draft"]);
  for (const other of [as("editor"), as("viewer")]) expect((await read(other))[0]).toBe(404);
  const taken = await upload(as("editor"));
  expect([taken.status, await taken.text()]).toEqual([409, expect.not.stringContaining(fileId)]);

  const slow = { id: crypto.randomUUID(), parent_id: parentId, content: "stamp 600\nspeed 25", model_id: CHEAP_MODEL };
  const { replyId } = await owner.take(sendMessage, { params, body: slow });
  const queued = { id: crypto.randomUUID(), content: "say read", attachments: [fileId], model_id: CHEAP_MODEL };
  await owner.take(addToQueue, { params, body: queued });
  const { items } = await as("editor").take(readQueue, { params });
  expect(items.flatMap(({ attachments }) => attachments.map(({ url }) => url))).toEqual([address]);
  expect(await read(as("editor"))).toEqual([200, "a draft"]);

  await owner.fetch(`/api/chat/${chatId}/stop`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  await readReply(owner, { chatId, replyId });
  await owner.take(changeQueue, { params, body: { paused: false } });
  await until("the queue empty", async () => (await owner.take(readQueue, { params })).items.length === 0);
  for (const other of [as("editor"), as("viewer")]) expect(await read(other)).toEqual([200, "a draft"]);
});

it("a shared chat's files are nothing of a published page's, nor of its readers' copies", async () => {
  const { owner, chatId, address } = await startWithFile();
  await owner.take(updateChat, { params: { id: chatId }, body: { public: true } });
  const reader = await signIn();
  expect([(await reader.fetch(address)).status, (await visitor().fetch(address)).status]).toEqual([404, 401]);
  const { chat } = await visitor().take(getPublicChat, { params: { id: chatId }, query: {} });
  expect(chat.messageCount).toBe(4);
  // The answer quotes the file, as its model was asked to; the file itself is nowhere.
  expect(JSON.stringify(chat)).not.toMatch(/\/api\/|"attachments"/);
  expect(await (await visitor().fetch(`/p/${chatId}`)).text()).not.toMatch(/\/api\/|<img/);
  const { chat: copy } = await reader.take(copyPublicChat, { params: { id: chatId }, body: {} });
  const { messages } = await reader.take(listMessages, { params: { id: copy.id } });
  expect(messages.map(({ attachments }) => attachments.length)).toEqual([0, 0, 0, 0]);
});

it("a shared chat's queue lets each change their own messages, and its owner take out anybody's; who loses the chat has none in it", async () => {
  const { owner, chatId, replyId: parentId, as } = await startSharedChat(["editor"]);
  const editor = as("editor");
  const params = { id: chatId };
  const slow = { id: crypto.randomUUID(), parent_id: parentId, content: "stamp 600\nspeed 25", model_id: CHEAP_MODEL };
  const { replyId } = await owner.take(sendMessage, { params, body: slow });
  const [own, theirs, last] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  await owner.take(addToQueue, { params, body: { id: own, content: "say mine", model_id: CHEAP_MODEL } });
  for (const id of [theirs, last]) await editor.take(addToQueue, { params, body: { id, content: "say theirs", model_id: CHEAP_MODEL } });
  expect((await editor.take(readQueue, { params })).items.map(({ author }) => author.id)).toEqual([
    owner.user.id,
    editor.user.id,
    editor.user.id,
  ]);
  expect((await editor.call(changeQueue, { params, body: { edit: { id: own, content: "say yours" } } })).status).toBe(403);
  expect(await editor.call(removeFromQueue, { params, query: { item: own } })).toMatchObject({ error: { code: "FORBIDDEN" } });
  expect((await owner.take(removeFromQueue, { params, query: { item: theirs } })).items.map(({ id }) => id)).toEqual([own, last]);
  await owner.take(removeShare, { params: { id: chatId, shareId: await shareIdOf(owner, chatId, editor.email) } });
  await owner.fetch(`/api/chat/${chatId}/stop`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  await readReply(owner, { chatId, replyId });
  await owner.take(changeQueue, { params, body: { paused: false } });
  await until("the queue empty", async () => (await owner.take(readQueue, { params })).items.length === 0);
  await until("the chat at rest", async () => (await owner.take(listMessages, { params })).messages.at(-1)?.content === "mine");
  expect((await owner.take(listMessages, { params })).messages.map(({ content }) => content)).not.toContain("say theirs");
});
