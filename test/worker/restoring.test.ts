import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { deleteChat, getChat, listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { getQuotas } from "#shared/contracts/account/quotas.ts";
import { shareChat } from "#shared/contracts/chat/sharing.ts";
import { runNight } from "#test/support/night.ts";
import { CHEAP_MODEL, readReply, startChatAndRead } from "#test/support/replies.ts";
import { rememberObject, rememberRows } from "#test/support/snapshot-storage.ts";
import { until } from "#test/support/until.ts";
import { type Client, type Person, signIn } from "#test/support/worker.ts";
import { ChatRoom } from "#worker/conversation/chat-room/chat-room.ts";
import { reconcileJob } from "#worker/account/reconcile/reconcile.ts";

async function titles(client: Client): Promise<string[]> {
  return (await client.take(listChats, {})).chats.map(({ title }) => title).toSorted();
}

async function start(client: Client, title: string): Promise<{ chatId: string; replyId: string }> {
  const chat = await startChatAndRead(client, "say here");
  await client.take(updateChat, { params: { id: chat.chatId }, body: { title } });
  await until(`the list to say ${title}`, async () => (await titles(client)).includes(title));
  return chat;
}

async function rowOf(chatId: string) {
  return env.DB.prepare("SELECT user_id, title, deleted_at FROM chats WHERE id = ?").bind(chatId).first();
}

const hub = (person: Person) => env.USER_HUB.getByName(person.user.id);
const room = (chatId: string) => env.CHAT_ROOM.getByName(chatId);

it("A list that was set back shows by the next night what its rooms have, and counts their files", async () => {
  const [owner, reader] = [await signIn(), await signIn()];
  const old = await start(owner, "Old");
  const setBack = await rememberObject(hub(owner));
  const newer = await start(owner, "Newer");
  await owner.take(updateChat, { params: { id: old.chatId }, body: { title: "Renamed" } });
  await owner.take(shareChat, { params: { id: newer.chatId }, body: { type: "user", email: reader.email, permissionLevel: "viewer" } });
  await owner.fetch(`/api/chat/${newer.chatId}/attachments/${crypto.randomUUID()}?name=a.txt`, { method: "PUT", body: "five!" });
  await until("the list to be up to date", async () => (await titles(owner)).join() === "Newer,Renamed");

  await setBack();
  expect(await titles(owner)).toEqual(["Old"]);
  await runNight(owner.user.id);
  await until("the list to be mended", async () => (await titles(owner)).join() === "Newer,Renamed");
  await until("the files to be counted", async () => (await owner.take(getQuotas, {})).storage.used === 5);
  expect(await titles(reader)).toEqual(["Newer"]);
});

it("A room that was set back is listed as it now stands, and what is written in it since reaches the list", async () => {
  const owner = await signIn();
  const { chatId, replyId } = await start(owner, "First");
  const setBack = await rememberObject(room(chatId));
  await owner.take(updateChat, { params: { id: chatId }, body: { title: "Second" } });
  await until("the list to say so", async () => (await titles(owner)).join() === "Second");

  await setBack();
  await runNight(owner.user.id);
  await until("the list to say what the room does", async () => (await titles(owner)).join() === "First");
  await until("the database to say so", async () => (await rowOf(chatId))?.["title"] === "First");
  const body = { id: crypto.randomUUID(), parent_id: replyId, content: "say anew", model_id: CHEAP_MODEL };
  const turn = await owner.take(sendMessage, { params: { id: chatId }, body });
  await readReply(owner, { chatId, replyId: turn.replyId });
  await until("the new answer on the list", async () => (await owner.take(listChats, {})).chats[0]?.lastMessagePreview === "anew");
  expect(await titles(owner)).toEqual(["First"]);
});

it("A database that was set back gets the chats made since, and the tombstones of those deleted since", async () => {
  const owner = await signIn();
  const deletedChat = await start(owner, "Gone");
  const setBack = await rememberRows(owner.user.id);
  const made = await start(owner, "Made since");
  await owner.take(deleteChat, { params: { id: deletedChat.chatId } });

  await setBack();
  expect([await rowOf(made.chatId), (await rowOf(deletedChat.chatId))?.["deleted_at"]]).toEqual([null, null]);
  await runNight(owner.user.id);
  await until("the chat's row", async () => (await rowOf(made.chatId))?.["title"] === "Made since");
  await until("the tombstone", async () => (await rowOf(deletedChat.chatId))?.["deleted_at"] !== null);
  expect(await rowOf(made.chatId)).toMatchObject({ user_id: owner.user.id, deleted_at: null });
  expect((await owner.take(getChat, { params: { id: made.chatId } })).chat.title).toBe("Made since");
  expect(await titles(owner)).toEqual(["Made since"]);
});

it("A list that holds a chat without a room lets it go, and a night that finds nothing different changes nothing", async () => {
  const owner = await signIn();
  const { chatId } = await start(owner, "Kept");
  const lost = await start(owner, "Lost");
  await room(lost.chatId).purge({ free: true });
  await runNight(owner.user.id);
  await until("the list to let it go", async () => (await titles(owner)).join() === "Kept");
  const before = await hub(owner).listedChats([chatId, lost.chatId]);
  for (const name of ["database", "list"]) await reconcileJob.receive(env, { userId: owner.user.id, step: { name, after: "" } }, 1);
  expect(await hub(owner).listedChats([chatId, lost.chatId])).toEqual(before);
});

it("One chat that cannot be compared keeps none of the others from it, nor from the night's next part", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const owner = await signIn();
  const broken = await start(owner, "Broken");
  const setBack = await rememberObject(hub(owner));
  await start(owner, "Newer");
  await setBack();
  const real = ChatRoom.prototype.reconcile;
  const compared = vi.spyOn(ChatRoom.prototype, "reconcile").mockImplementation(function reconcile(this: ChatRoom, userId, seen) {
    if (seen.hubChat.id === broken.chatId) throw new Error("This room cannot be read.");
    return real.call(this, userId, seen);
  });
  await reconcileJob.receive(env, { userId: owner.user.id, step: { name: "database", after: "" } }, 1);
  expect(await titles(owner)).toEqual(["Broken", "Newer"]);
  // The list's own part comes by the queue, after the database's.
  const ofOwner = () => compared.mock.calls.filter(([userId]) => userId === owner.user.id);
  await until("the next part", () => ofOwner().length >= 4);
  vi.restoreAllMocks();
});
