import { expect, it } from "vitest";
import { createChat, getChat, updateChat } from "#shared/contracts/chat/chats.ts";
import { forkChat } from "#shared/contracts/chat/copies.ts";
import { listMessages, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import { shareChat } from "#shared/contracts/chat/sharing.ts";
import { addToQueue, readQueue } from "#shared/contracts/chat/queue.ts";
import { type ChatSettings, NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { isLive } from "#shared/is-live.ts";
import { CHEAP_MODEL, readReply, startChatAndRead } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn } from "#test/support/worker.ts";

const OTHER_MODEL = "anthropic/claude-haiku-4.5";

/** Every setting with a value that is not the one before anything was chosen. */
function someSettings(): ChatSettings {
  return {
    model_id: CHEAP_MODEL,
    persona_id: crypto.randomUUID(),
    tool_categories: ["synthesis"],
    context_ids: [crypto.randomUUID(), crypto.randomUUID()],
  };
}

async function settingsOf(client: Client, id: string) {
  const { chat } = await client.take(getChat, { params: { id } });
  return Object.fromEntries(Object.keys(NO_SETTINGS).map((name) => [name, Reflect.get(chat, name)]));
}

async function ask(client: Client, { chatId, replyId }: { chatId: string; replyId: string | null }, rest: object) {
  const body = { id: crypto.randomUUID(), parent_id: replyId, content: "say yes", ...rest };
  const turn = await client.take(sendMessage, { params: { id: chatId }, body });
  await readReply(client, { chatId, replyId: turn.replyId });
  return turn;
}

it("a chat's settings are created, changed one by one, and sent with a message alike", async () => {
  const user = await signIn();
  const settings = someSettings();
  const { chat } = await user.take(createChat, { body: settings });
  expect(chat).toMatchObject(settings);
  for (const [name, value] of Object.entries(NO_SETTINGS)) {
    await user.take(updateChat, { params: { id: chat.id }, body: { [name]: value } });
    Object.assign(settings, { [name]: value });
    expect(await settingsOf(user, chat.id)).toEqual(settings);
  }
  const sent = { chatId: crypto.randomUUID(), replyId: null };
  await ask(user, sent, someSettings());
  const again = someSettings();
  const { messages } = await user.take(listMessages, { params: { id: sent.chatId } });
  await ask(user, { chatId: sent.chatId, replyId: messages.at(-1)?.id ?? null }, again);
  expect(await settingsOf(user, sent.chatId)).toEqual(again);
});

it("what is set for one message alone leaves the chat as it was", async () => {
  const user = await signIn();
  const chat = await startChatAndRead(user, "say one");
  const before = await settingsOf(user, chat.chatId);
  await ask(user, chat, { settings_once: { ...someSettings(), model_id: OTHER_MODEL } });
  expect(await settingsOf(user, chat.chatId)).toEqual(before);
  const { messages } = await user.take(listMessages, { params: { id: chat.chatId } });
  expect(messages.at(-1)).toMatchObject({ model_id: OTHER_MODEL });
});

it("settings wait in the queue with their message, and are the chat's once it is sent", async () => {
  const user = await signIn();
  const chat = await startChatAndRead(user, "say one");
  const params = { id: chat.chatId };
  const running = await user.take(sendMessage, {
    params,
    body: { id: crypto.randomUUID(), parent_id: chat.replyId, content: "speed 20\nbytes 20000" },
  });
  await readReply(user, { chatId: chat.chatId, replyId: running.replyId, enough: (events) => events.length > 2 });
  const settings = someSettings();
  const once = { model_id: OTHER_MODEL };
  await user.take(addToQueue, { params, body: { id: crypto.randomUUID(), content: "say two", ...settings, settings_once: once } });
  const { items } = await user.take(readQueue, { params });
  expect(items).toMatchObject([{ ...settings, ...once }]);
  await user.take(stopReply, { params });
  await user.fetch(`/api/chat/${chat.chatId}/queue`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ paused: false }),
  });
  const messages = await until("the queued message's answer", async () => {
    const page = await user.take(listMessages, { params });
    return page.messages.length === 6 && page.messages.every(({ status }) => !isLive(status)) ? page.messages : null;
  });
  expect(messages.at(-1)).toMatchObject({ model_id: OTHER_MODEL });
  const { model_id: _model, ...others } = settings;
  expect(await settingsOf(user, chat.chatId)).toMatchObject(others);
});

it("another person's fork takes no persona and no knowledge along, which are their owner's", async () => {
  const [owner, reader] = [await signIn(), await signIn()];
  const chat = await startChatAndRead(owner, "say one");
  const params = { id: chat.chatId };
  await owner.take(updateChat, { params, body: someSettings() });
  await owner.take(shareChat, { params, body: { type: "user", email: reader.email, permissionLevel: "viewer" } });
  const { chat: fork } = await reader.take(forkChat, { params, body: { messageId: chat.replyId } });
  expect(fork).toMatchObject({ model_id: CHEAP_MODEL, tool_categories: ["synthesis"], persona_id: null, context_ids: [] });
});

it("a fork takes the settings along, a file those that mean the same to everybody", async () => {
  const user = await signIn();
  const chat = await startChatAndRead(user, "say one");
  const settings = someSettings();
  await user.take(updateChat, { params: { id: chat.chatId }, body: settings });
  const { chat: fork } = await user.take(forkChat, { params: { id: chat.chatId }, body: { messageId: chat.replyId } });
  expect(fork).toMatchObject(settings);
  const text = await (await user.fetch(`/api/chat/${chat.chatId}/export?format=json`)).text();
  expect(ExportedChat.parse(JSON.parse(text))).toMatchObject({ model_id: CHEAP_MODEL, tool_categories: ["synthesis"] });
  expect(text).not.toContain(settings.persona_id);
  expect(text).not.toContain(settings.context_ids[0]);
});
