import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, test } from "vitest";
import { getChat, updateChat } from "#shared/contracts/chat/chats.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { continueReply, editMessage, listMessages, regenerateReply, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import { putAllowlist } from "#shared/contracts/account/users.ts";
import { addToQueue } from "#shared/contracts/chat/queue.ts";
import type { Model } from "#shared/entities/model.ts";
import { AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";
import { readReply, settledOf, startChat, textOf } from "#test/support/replies.ts";
import { addTestTools, ran, switchOnTestTools } from "#test/support/test-tools.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";
import { readQuestion, type Needs, rankModels } from "#worker/conversation/autopilot/autopilot.ts";

test.each<[string, Partial<ReturnType<typeof readQuestion>>]>([
  ["Hi there!", { isLight: true, isCode: false, isHard: false, wantsWeb: false }],
  ["Was ist die Hauptstadt von Peru?", { isLight: true }],
  ["Why does `map()` drop my value?\n```js\nx => { y }\n```", { isCode: true, isLight: false }],
  ["Refactor this class to use composition", { isCode: true }],
  ["Prove that there are infinitely many primes", { isHard: true, isLight: false }],
  ["word ".repeat(300), { isHard: true }],
  ["word ".repeat(60), { isHard: false, isLight: false }],
  ["What is the weather in Lima today?", { wantsWeb: true, isLight: true }],
  ["Read https://example.org/a for me", { wantsWeb: true }],
  ["What do different models say about it?", { wantsOpinions: true }],
  ["Please fact-check this claim", { wantsCheck: true }],
  ["", { isLight: true, isCode: false }],
])("what a question asks for is recognised: %j", (text, expected) => expect(readQuestion(text)).toMatchObject(expected));

describe("a ranking", () => {
  const model = (id: string, price: number, more: Partial<Model> = {}): Model => ({
    id,
    name: id,
    provider: "",
    providerId: id.split("/")[0] ?? "",
    description: "",
    icon: null,
    features: [],
    pricing: { prompt: price / 4_000_000, completion: (3 * price) / 4_000_000 },
    context_length: 100_000,
    top_provider: { context_length: null },
    vision: true,
    tools: true,
    reasoning: true,
    isPro: false,
    isTurbo: false,
    isAvailable: true,
    ...more,
  });
  const needs: Needs = {
    tier: "strong",
    mustSee: false,
    shouldSee: false,
    tokens: 100,
    wantsTools: false,
    wantsReasoning: false,
    dollars: null,
    familiar: [],
  };
  const [light, middle, strong] = [model("openai/light", 1), model("openai/middle", 6), model("openai/strong", 15)];
  const all = [light, middle, strong, model("openai/costly", 90), model("anthropic/strong", 18), model("auto", 1)];
  const first = (models: Model[], own: Partial<Needs>) => rankModels(models, { ...needs, ...own })[0]?.id;

  it("a ranking keeps to the tier, to the vendors' order, and away from costly models", () => {
    expect(first(all, {})).toBe("openai/strong");
    expect(first(all, { tier: "middle" })).toBe("openai/middle");
    expect(first(all, { tier: "light" })).toBe("openai/light");
    expect(rankModels(all, needs).map(({ id }) => id)).not.toContain("openai/costly");
    expect(rankModels(all, needs).map(({ id }) => id)).not.toContain("auto");
  });

  it("a ranking prefers what is familiar within the tier alone", () => {
    expect(first(all, { familiar: ["anthropic/strong"] })).toBe("anthropic/strong");
    expect(first(all, { tier: "light", familiar: ["anthropic/strong"] })).toBe("openai/light");
  });

  it("a ranking never gives new pictures to a model without vision, and would rather not give it earlier ones", () => {
    const blind = { ...strong, vision: false };
    expect(rankModels([blind], { ...needs, mustSee: true })).toEqual([]);
    expect(first([blind, light], { shouldSee: true })).toBe("openai/light");
    expect(first([blind], { shouldSee: true })).toBe("openai/strong");
  });

  it("a ranking has room for a long prompt, tools where the web is wanted, and thought where it helps", () => {
    expect(first([strong, model("meta/long", 1, { context_length: 1_000_000 })], { tokens: 150_000 })).toBe("meta/long");
    expect(first([{ ...strong, tools: false }, light], { wantsTools: true })).toBe("openai/light");
    expect(first([{ ...strong, reasoning: false }, model("qwen/thinks", 10)], { wantsReasoning: true })).toBe("qwen/thinks");
  });

  it("a ranking stays within what is left to spend", () => {
    expect(first(all, { dollars: 0.002 })).toBe("openai/light");
    expect(first(all, { dollars: 0 })).toBeUndefined();
  });
});

async function ask(client: Client, content: string, more: { chatId?: string; parentId?: string; attachments?: string[] } = {}) {
  const chatId = more.chatId ?? crypto.randomUUID();
  const { parentId = null, attachments } = more;
  const body = { id: crypto.randomUUID(), parent_id: parentId, content, model_id: AUTOPILOT_MODEL_ID, ...(attachments && { attachments }) };
  const turn = await client.take(sendMessage, { params: { id: chatId }, body });
  return { chatId, ...turn };
}

async function answerTo(client: Client, { chatId, replyId }: { chatId: string; replyId: string }) {
  const settled = settledOf(await readReply(client, { chatId, replyId }));
  const { messages } = await client.take(listMessages, { params: { id: chatId } });
  const answer = messages.find(({ id }) => id === replyId);
  if (!answer) throw new Error("The answer is not on the path.");
  expect(settled.model_id).toBe(answer.model_id);
  return answer;
}

async function detailsOf(client: Client, id: string) {
  return (await client.take(getChat, { params: { id } })).chat;
}

/** Leaves an account with this many dollars. */
async function leave(userId: string, dollars: number): Promise<void> {
  const hub = env.USER_HUB.getByName(userId);
  await hub.credits();
  await runInDurableObject(hub, (_, state) => {
    state.storage.sql.exec(
      "INSERT INTO ledger (call_id, at, what, amount_micros, balance_micros) VALUES (?, ?, 'reply', 0, ?)",
      crypto.randomUUID(),
      new Date().toISOString(),
      Math.round(dollars * 1_000_000),
    );
  });
}

const PNG = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
);

it("Autopilot chooses model and tools anew for each turn, says which and why, and stays on", async () => {
  const user = await signIn();
  const short = await ask(user, "say hello");
  expect(short.autopilot).toEqual({
    model_id: expect.any(String),
    tool_categories: ["search", "todo", "artifacts"],
    reason: "a light model for a short question",
  });
  const first = await answerTo(user, short);
  expect(first).toMatchObject({
    model_id: short.autopilot?.model_id,
    requested_model_id: AUTOPILOT_MODEL_ID,
    autopilot: short.autopilot,
  });
  const { chatId } = short;
  expect(await detailsOf(user, chatId)).toMatchObject({ model_id: AUTOPILOT_MODEL_ID, tool_categories: [] });

  const code = await ask(user, "Please fact-check: does this code compile?\nsay maybe", { chatId, parentId: short.replyId });
  expect(code.autopilot).toMatchObject({
    tool_categories: ["search", "todo", "artifacts", "truth-seeker"],
    reason: "a strong model for code",
  });
  expect(code.autopilot?.model_id).not.toBe(short.autopilot?.model_id);
  await answerTo(user, code);
  expect(await detailsOf(user, chatId)).toMatchObject({ model_id: AUTOPILOT_MODEL_ID, tool_categories: [] });

  const again = await user.take(regenerateReply, { params: { id: chatId, messageId: code.replyId }, body: { id: crypto.randomUUID() } });
  expect(again.autopilot).toEqual(code.autopilot);
  await answerTo(user, { chatId, replyId: again.replyId });
  const edit = await user.take(editMessage, {
    params: { id: chatId, messageId: code.messageId },
    body: { id: crypto.randomUUID(), content: "say bye" },
  });
  expect(edit.autopilot).toEqual(short.autopilot);
  await answerTo(user, { chatId, replyId: edit.replyId });

  await user.take(updateChat, { params: { id: chatId }, body: { model_id: "openai/gpt-5" } });
  const body = { id: crypto.randomUUID(), parent_id: edit.replyId, content: "say mine" };
  const own = await user.take(sendMessage, { params: { id: chatId }, body });
  expect(own.autopilot).toBeUndefined();
  expect(await answerTo(user, { chatId, replyId: own.replyId })).toMatchObject({ model_id: "openai/gpt-5" });
});

it("Autopilot gives pictures to a model that sees them, also those further up", async () => {
  const user = await signIn();
  const blind = "openai/gpt-oss-120b";
  const seeing = "google/gemini-2.5-flash";
  await user.take(putAllowlist, { body: { model_allowlist: [blind, seeing] } });
  expect((await ask(user, "say hello")).autopilot?.model_id).toBe(blind);
  const [chatId, file] = [crypto.randomUUID(), crypto.randomUUID()];
  const put = await user.fetch(`/api/chat/${chatId}/attachments/${file}?name=dot.png`, { method: "PUT", body: PNG });
  expect(put.status).toBe(201);
  const turn = await ask(user, "say what you see", { chatId, attachments: [file] });
  expect(turn.autopilot).toMatchObject({ model_id: seeing, reason: "a light model for a short question and pictures" });
  await answerTo(user, turn);
  expect((await ask(user, "say more", { chatId, parentId: turn.replyId })).autopilot?.model_id).toBe(seeing);
});

it("Autopilot stays within the allowlist, the plan, a guest's models and the credits", async () => {
  const user = await signIn();
  await user.take(putAllowlist, { body: { model_allowlist: ["google/gemini-2.5-flash"] } });
  expect((await ask(user, "Refactor this code\nsay ok")).autopilot?.model_id).toBe("google/gemini-2.5-flash");
  const rich = (await ask(await signIn(), "Refactor this code\nsay ok")).autopilot;
  const poor = await signIn();
  await leave(poor.user.id, 0.004);
  expect((await ask(poor, "Refactor this code\nsay ok")).autopilot?.model_id).not.toBe(rich?.model_id);
  const guest = visitor();
  const turn = await ask(guest, "Refactor this code\nsay ok");
  expect((await answerTo(guest, turn)).status).toBe("done");
});

it("Autopilot lets what acts outside wait for its person's word", async () => {
  addTestTools();
  const user = await signIn();
  await switchOnTestTools(user);
  const turn = await ask(user, 'call testSend {"name":"ann"}\nthen\nsay sent');
  await until("the reply to wait", async () => {
    const { messages } = await user.take(listMessages, { params: { id: turn.chatId } });
    return messages.at(-1)?.status === "waiting";
  });
  expect(ran).not.toContain("ann");
  const { messages } = await user.take(listMessages, { params: { id: turn.chatId } });
  const callId = messages.at(-1)?.tool_calls[0]?.id ?? "";
  await user.take(decideToolCall, { params: { id: turn.chatId, callId }, body: { decision: "approve" } });
  expect(textOf(await readReply(user, turn))).toContain("sent");
  expect(ran).toContain("ann");
});

it("Autopilot goes on with an answer by its own model, and chooses for what waited in the queue", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChat(user, "speed 40\nbytes 4000", "openai/gpt-5");
  await readReply(user, { chatId, replyId, enough: (events) => textOf(events).length > 20 });
  await user.take(updateChat, { params: { id: chatId }, body: { model_id: AUTOPILOT_MODEL_ID } });
  await user.take(stopReply, { params: { id: chatId } });
  const continued = await user.take(continueReply, { params: { id: chatId, messageId: replyId } });
  await readReply(user, { chatId, replyId: continued.replyId, enough: (events) => textOf(events).length > 20 });
  const id = crypto.randomUUID();
  await user.take(addToQueue, { params: { id: chatId }, body: { id, content: "say later", model_id: AUTOPILOT_MODEL_ID } });
  expect((await detailsOf(user, chatId)).model_id).toBe(AUTOPILOT_MODEL_ID);
  await user.take(stopReply, { params: { id: chatId } });
  await user.fetch(`/api/chat/${chatId}/queue`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ paused: false }),
  });
  const { messages } = await until("the queued message's answer", async () => {
    const page = await user.take(listMessages, { params: { id: chatId } });
    return page.messages.at(-2)?.content === "say later" && page.messages.at(-1)?.status === "done" ? page : null;
  });
  expect(messages[1]).toMatchObject({ model_id: "openai/gpt-5" });
  expect(messages.at(-1)).toMatchObject({ content: "later", autopilot: { reason: "a light model for a short question" } });
});
