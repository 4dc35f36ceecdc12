import { expect, it } from "vitest";
import { createChat, getChat, updateChat } from "#shared/contracts/chat/chats.ts";
import { forkChat } from "#shared/contracts/chat/copies.ts";
import { listMessages, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import { shareChat } from "#shared/contracts/chat/sharing.ts";
import { addToQueue, readQueue } from "#shared/contracts/chat/queue.ts";
import { createPersona } from "#shared/contracts/library/personas.ts";
import { type ChatSettings, NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { OWNERS_CHOICE } from "#shared/tools/own-categories.ts";
import { isLive } from "#shared/is-live.ts";
import { make } from "#test/support/knowledge.ts";
import { makeTeam, startSharedChat } from "#test/support/shared-chat.ts";
import { CHEAP_MODEL, readReply, startChatAndRead } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { type Client, type Person, refusal, signIn } from "#test/support/worker.ts";

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

it("what reads its owner's own is switched on by the owner alone, whichever way an editor tries", async () => {
  const { owner, as, chatId, replyId } = await startSharedChat(["editor"]);
  const editor = as("editor");
  const params = { id: chatId };
  const connection = "mcp_0123abcd";
  await owner.take(updateChat, { params, body: { tool_categories: ["synthesis"], off_record: true } });
  for (const id of ["gmail", "google-drive", "schedules", "codegen", connection]) {
    const tool_categories = ["synthesis", id];
    const answers = [
      await editor.call(updateChat, { params, body: { tool_categories } }),
      await editor.call(sendMessage, { params, body: { id: crypto.randomUUID(), parent_id: replyId, content: "say no", tool_categories } }),
      await editor.call(addToQueue, { params, body: { id: crypto.randomUUID(), content: "say no", tool_categories } }),
    ];
    expect(answers.map((answer) => !answer.ok && [answer.error.code, answer.error.error])).toEqual(
      answers.map(() => ["FORBIDDEN", OWNERS_CHOICE]),
    );
  }
  expect(refusal(await editor.call(updateChat, { params, body: { off_record: false } }))).toBe("FORBIDDEN");
  expect(await settingsOf(owner, chatId)).toMatchObject({ tool_categories: ["synthesis"] });
  expect((await owner.take(getChat, { params })).chat.off_record).toBe(true);
  expect((await owner.take(listMessages, { params })).messages).toHaveLength(2);

  // What is no one's own, and what the owner has on, is an editor's to choose; for a message of theirs alone so is the rest.
  await owner.take(updateChat, { params, body: { tool_categories: ["gmail", connection], off_record: false } });
  await editor.take(updateChat, { params, body: { tool_categories: ["gmail", connection, "phone", "email"] } });
  const once = await ask(editor, { chatId, replyId }, { model_id: CHEAP_MODEL, settings_once: { tool_categories: ["google-drive"] } });
  expect((await settingsOf(owner, chatId))["tool_categories"]).toEqual(["gmail", connection, "phone", "email"]);
  const { chat: fork } = await editor.take(forkChat, { params, body: { messageId: once.replyId } });
  expect((await settingsOf(editor, fork.id))["tool_categories"]).toEqual(["phone", "email"]);
  await editor.take(updateChat, { params, body: { tool_categories: ["phone"] } });
  expect(refusal(await editor.call(updateChat, { params, body: { tool_categories: ["phone", "gmail"] } }))).toBe("FORBIDDEN");
});

it("an editor puts in no persona and no knowledge but what they may use themselves, and may leave or take off what is there", async () => {
  const { owner, as, chatId, replyId } = await startSharedChat(["editor"]);
  const editor = as("editor");
  const team_id = await makeTeam("Team", [owner, editor]);
  const personaOf = async (person: Person, team: { team_id?: string } = {}) =>
    (await person.take(createPersona, { body: { name: "Clerk", content: "Be brief.", ...team } })).persona.id;
  const [hidden, own, teams] = [await personaOf(owner), await personaOf(editor), await personaOf(owner, { team_id })];
  const entryOf = async (...input: Parameters<typeof make>) => (await make(...input)).id;
  const [privateEntry, ownEntry, teamEntry] = [await entryOf(owner), await entryOf(editor), await entryOf(owner, { team_id })];
  const params = { id: chatId };
  await owner.take(updateChat, { params, body: { persona_id: "", context_ids: [] } });
  const before = await settingsOf(owner, chatId);

  const barred = [
    { persona_id: owner.user.id },
    { persona_id: hidden },
    { persona_id: null },
    { context_ids: [privateEntry] },
    { context_ids: [ownEntry, teamEntry, privateEntry] },
  ];
  for (const change of barred) {
    const asked = { id: crypto.randomUUID(), content: "say no", ...change };
    const answers = [
      await editor.call(updateChat, { params, body: change }),
      await editor.call(sendMessage, { params, body: { ...asked, parent_id: replyId } }),
      await editor.call(addToQueue, { params, body: asked }),
    ];
    expect([change, answers.map(refusal)]).toEqual([change, answers.map(() => "FORBIDDEN")]);
  }
  expect(await settingsOf(owner, chatId)).toEqual(before);
  expect((await owner.take(listMessages, { params })).messages).toHaveLength(2);

  const free = [{ persona_id: editor.user.id }, { persona_id: own }, { persona_id: teams }, { context_ids: [ownEntry, teamEntry] }];
  for (const body of free) expect((await editor.take(updateChat, { params, body })).chat).toMatchObject(body);

  const owners = { persona_id: owner.user.id, context_ids: [privateEntry] };
  await owner.take(updateChat, { params, body: owners });
  const more = { ...owners, context_ids: [privateEntry, ownEntry] };
  await ask(editor, { chatId, replyId }, { model_id: CHEAP_MODEL, ...more });
  expect((await owner.take(getChat, { params })).chat).toMatchObject(more);
  await editor.take(updateChat, { params, body: { persona_id: "", context_ids: [] } });
  for (const body of [{ persona_id: owners.persona_id }, { context_ids: owners.context_ids }])
    expect(refusal(await editor.call(updateChat, { params, body }))).toBe("FORBIDDEN");
});
