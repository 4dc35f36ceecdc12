import { expect, it } from "vitest";
import { createChat, getChat } from "#shared/contracts/chat/chats.ts";
import { listMessages, stopReply } from "#shared/contracts/chat/messages.ts";
import { createPersona } from "#shared/contracts/library/personas.ts";
import { addToQueue, changeQueue, readQueue } from "#shared/contracts/chat/queue.ts";
import { isLive } from "#shared/is-live.ts";
import { CHEAP_MODEL, readReply, startChat, startChatAndRead, textOf } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn } from "#test/support/worker.ts";

const messagesOf = async (client: Client, id: string) => (await client.take(listMessages, { params: { id } })).messages;

function settled(client: Client, chatId: string, count: number) {
  return until(`${count} messages`, async () => {
    const messages = await messagesOf(client, chatId);
    return messages.length >= count && messages.every(({ status }) => !isLive(status)) ? messages : null;
  });
}

it("a workflow's steps run one after another, each with the answer before it, and none is split by what was filled in", async () => {
  const user = await signIn();
  const { chat } = await user.take(createChat, { body: { model_id: CHEAP_MODEL } });
  const body = {
    id: crypto.randomUUID(),
    content: "say first",
    next_steps: ["say second, after {{LAST_ANSWER}}", "say third:\n---\n{{LAST_ANSWER}} {{name}}"],
  };
  const params = { id: chat.id };
  const { ids } = await user.take(addToQueue, { params, body });
  expect(ids).toHaveLength(3);
  expect(await user.take(addToQueue, { params, body })).toEqual({ ids });
  const other = { ...body, next_steps: ["say other"] };
  expect(await user.call(addToQueue, { params, body: other })).toMatchObject({ status: 409 });
  const messages = await settled(user, chat.id, 6);
  expect(messages.map(({ content }) => content).filter((_, index) => index % 2 === 0)).toEqual([
    "say first",
    "say second, after first",
    "say third:\n---\nsecond, after first {{name}}",
  ]);
  expect(messages.map(({ content }) => content)[3]).toBe("second, after first");
  const blank = await user.call(addToQueue, { params, body: { id: crypto.randomUUID(), content: "say a", next_steps: [" "] } });
  expect(blank).toMatchObject({ status: 400, error: { error: "Write a message first." } });
});

it("a workflow's step has the answer of its own branch as it begins, and where there is none the place stays", async () => {
  const user = await signIn();
  const { chat } = await user.take(createChat, { body: { model_id: CHEAP_MODEL } });
  const body = { id: crypto.randomUUID(), content: "say {{LAST_ANSWER}}", next_steps: ["say b {{LAST_ANSWER}}"] };
  await user.take(addToQueue, { params: { id: chat.id }, body });
  const messages = await settled(user, chat.id, 4);
  expect(messages.map(({ content }) => content)).toEqual([
    "say {{LAST_ANSWER}}",
    "{{LAST_ANSWER}}",
    "say b {{LAST_ANSWER}}",
    "b {{LAST_ANSWER}}",
  ]);
  // What nobody split is no workflow: it is sent as it was written.
  await user.take(addToQueue, { params: { id: chat.id }, body: { id: crypto.randomUUID(), content: "say c {{LAST_ANSWER}}" } });
  expect((await settled(user, chat.id, 6)).at(-1)?.content).toBe("c {{LAST_ANSWER}}");
});

it("a workflow pauses where an answer fails or is stopped, and goes on with what that left", async () => {
  const user = await signIn();
  const chat = await startChat(user, "speed 20\nbytes 20000");
  await readReply(user, { ...chat, enough: (events) => textOf(events).length > 5 });
  const params = { id: chat.chatId };
  const body = { id: crypto.randomUUID(), content: "fault content-filter", next_steps: ["say next", "say last"] };
  await user.take(addToQueue, { params, body });
  await user.take(stopReply, { params });
  const paused = (code: string) =>
    until(code, async () => {
      const queue = await user.take(readQueue, { params });
      return queue.paused?.code === code && queue.items.map(({ chain }) => chain);
    });
  expect(await paused("REPLY_STOPPED")).toMatchObject([
    { step: 1, steps: 3 },
    { step: 2, steps: 3 },
    { step: 3, steps: 3 },
  ]);
  await user.take(changeQueue, { params, body: { paused: false } });
  expect(await paused("REPLY_FAILED")).toMatchObject([
    { step: 2, steps: 3 },
    { step: 3, steps: 3 },
  ]);
  await user.take(changeQueue, { params, body: { paused: false } });
  expect((await settled(user, chat.chatId, 8)).at(-1)?.content).toBe("last");
});

it("a workflow has its settings for its every step, and leaves those of the chat alone", async () => {
  const user = await signIn();
  const { persona } = await user.take(createPersona, { body: { name: "Pirate", content: "Answer like a pirate." } });
  const { chatId } = await startChatAndRead(user, "say zero");
  const before = (await user.take(getChat, { params: { id: chatId } })).chat;
  const body = {
    id: crypto.randomUUID(),
    content: "say one",
    next_steps: ["say two"],
    settings_once: { persona_id: persona.id, model_id: "openai/gpt-5-nano" },
  };
  await user.take(addToQueue, { params: { id: chatId }, body });
  const answers = (await settled(user, chatId, 6)).filter(({ role }) => role === "assistant").slice(1);
  expect(answers.map((message) => [message.persona, message.model_id])).toEqual([
    ["Pirate", "openai/gpt-5-nano"],
    ["Pirate", "openai/gpt-5-nano"],
  ]);
  const after = (await user.take(getChat, { params: { id: chatId } })).chat;
  expect([after.persona_id, after.model_id]).toEqual([before.persona_id, before.model_id]);
});
