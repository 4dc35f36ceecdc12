import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { createChat, updateChat } from "#shared/contracts/chat/chats.ts";
import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { listModels } from "#shared/contracts/models.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { putAllowlist } from "#shared/contracts/account/users.ts";
import { TOOL_MODEL_CALLS_PER_TURN } from "#shared/limits.ts";
import { isGuestPrice, isHighCost } from "#shared/models/model-rules.ts";
import { CHEAP_MODEL, readReply, startChat } from "#test/support/replies.ts";
import { outputOfCall, runTool } from "#test/support/tool-call.ts";
import { until } from "#test/support/until.ts";
import { signIn, visitor } from "#test/support/worker.ts";
import { multiModelSynthesis } from "#worker/conversation/tools/multi-model-synthesis.ts";
import { truthSeekCritique } from "#worker/conversation/tools/truth-seek-critique.ts";
import { truthSeekDraft } from "#worker/conversation/tools/truth-seek-draft.ts";
import { truthSeekRefine } from "#worker/conversation/tools/truth-seek-refine.ts";

const makerOf = (modelId: string | null) => modelId?.split("/")[0] ?? "";

async function newUser(allowed?: string[]) {
  const client = await signIn();
  if (allowed) await client.take(putAllowlist, { body: { model_allowlist: allowed } });
  return { client, userId: client.user.id };
}

beforeEach(() => void vi.spyOn(console, "warn").mockReturnValue());
afterEach(() => void vi.restoreAllMocks());

/** A chat with the synthesis on; `ask` has its model call that so many times at once. */
async function synthesisChat() {
  const client = await signIn();
  const chat = await startChat(client, "say Then ask them.");
  await readReply(client, chat);
  await client.take(updateChat, { params: { id: chat.chatId }, body: { tool_categories: ["synthesis"] } });
  async function ask(parentId: string, times: number) {
    const call = `call multiModelSynthesis ${JSON.stringify({ question: "say It depends." })}\n`;
    const content = `${call.repeat(times)}then\nsay All say that it depends.`;
    const body = { id: crypto.randomUUID(), parent_id: parentId, content, model_id: CHEAP_MODEL };
    const { replyId } = await client.take(sendMessage, { params: { id: chat.chatId }, body });
    await readReply(client, { chatId: chat.chatId, replyId });
    return (await client.take(listMessages, { params: { id: chat.chatId } })).messages.at(-1);
  }
  return { client, chat, ask };
}

it("multiModelSynthesis asks three models of different vendors and has the chat's own one say where they agree and differ", async () => {
  const run = await runTool(multiModelSynthesis, { question: "say It depends." }, await newUser());
  expect(run.parts).toHaveLength(3);
  expect(new Set(run.parts.map(({ model_id }) => makerOf(model_id))).size).toBe(3);
  for (const part of run.parts)
    expect(part).toMatchObject({ text: "It depends.", status: "done", cost: expect.any(Number), duration_ms: expect.any(Number) });
  expect(run.asked).toEqual(run.parts.map(({ model_id }) => model_id));
  const output = outputOfCall(run);
  for (const { title, model_id } of run.parts) expect(output).toContain(`## ${title} (${model_id})\n\nIt depends.`);
  expect(output).toMatch(/Where they stand.*Agreement.*Dispute.*Only one says/s);
});

it("a synthesis continues without a sub-answer that fails, and names its model", async () => {
  const question = `fault 500 times 1\nsay ${crypto.randomUUID()}`;
  const run = await runTool(multiModelSynthesis, { question }, await newUser());
  expect(run.parts.map(({ status }) => status).toSorted()).toEqual(["done", "done", "failed"]);
  const failed = run.parts.find(({ status }) => status === "failed");
  expect(failed?.text).toBe("It could not be reached.");
  expect(outputOfCall(run)).toContain(`Not answered; say so:\n- ${failed?.title}: It could not be reached.`);
});

it("a synthesis fails when all sub-answers fail", async () => {
  const { result } = await runTool(multiModelSynthesis, { question: "fault 402" }, await newUser());
  expect(result).toMatchObject({ ok: false, error: expect.stringContaining("It is not available right now.") });
});

it("multiModelSynthesis asks no Pro model without the plan, and none outside the allowlist, named or not", async () => {
  const allowed = ["openai/gpt-5-mini", "openai/gpt-5-nano", "mistralai/mistral-small-3.2-24b-instruct"];
  const { client, userId } = await newUser();
  const { models } = await client.take(listModels, {});
  const known = allowed.filter((id) => models.some((model) => model.id === id));
  const pro = models.find(({ isPro }) => isPro)?.id ?? "";
  const named = await runTool(multiModelSynthesis, { question: "say a", models: [pro, CHEAP_MODEL] }, { userId });
  expect(named.result).toMatchObject({ ok: false, error: expect.stringContaining("Pro Model Access Required") });
  await client.take(putAllowlist, { body: { model_allowlist: known } });
  const outside = await runTool(multiModelSynthesis, { question: "say a", models: [CHEAP_MODEL, "google/gemini-2.5-flash"] }, { userId });
  expect(outside.result).toMatchObject({ ok: false, error: expect.stringContaining("not among the models you allow") });
  expect([...named.asked, ...outside.asked]).toEqual([]);
  const chosen = await runTool(multiModelSynthesis, { question: "say a" }, { userId });
  expect(chosen.asked.toSorted()).toEqual(known.toSorted());
});

it("multiModelSynthesis asks nothing costly by itself, and for a guest only what a guest may use", async () => {
  const guest = visitor();
  await guest.take(createChat, { body: {} });
  const { user } = await guest.take(getSession, {});
  const { models } = await guest.take(listModels, {});
  const priceOf = (id: string) => models.find((model) => model.id === id)?.pricing ?? null;
  const forGuest = await runTool(multiModelSynthesis, { question: "say a" }, { userId: user?.id ?? "", anonymous: true });
  expect(forGuest.asked).toHaveLength(3);
  for (const id of forGuest.asked) expect(isGuestPrice(priceOf(id) ?? { prompt: 1, completion: 1 })).toBe(true);
  const forUser = await runTool(multiModelSynthesis, { question: "say a" }, await newUser());
  expect(forUser.asked.filter((id) => isHighCost(priceOf(id)))).toEqual([]);
});

it("a synthesis within a turn stores each sub-answer with its model and cost, and books every call in the ledger", async () => {
  const user = await signIn();
  const chat = await startChat(user, "say Then ask them.");
  await readReply(user, chat);
  await user.take(updateChat, { params: { id: chat.chatId }, body: { tool_categories: ["synthesis"] } });
  const long = "It depends. ".repeat(200).trim();
  const question = `delay 400\nsay ${long}`;
  const content = `call multiModelSynthesis ${JSON.stringify({ question })}\nthen\nsay All say that it depends.`;
  const body = { id: crypto.randomUUID(), parent_id: chat.replyId, content, model_id: CHEAP_MODEL };
  const { replyId } = await user.take(sendMessage, { params: { id: chat.chatId }, body });
  const received = await readReply(user, { chatId: chat.chatId, replyId });
  const { messages } = await user.take(listMessages, { params: { id: chat.chatId } });
  const [call] = messages.at(-1)?.tool_calls ?? [];
  expect(call).toMatchObject({ tool: "multiModelSynthesis", status: "done" });
  expect(call?.parts.map(({ text, status }) => ({ text, status }))).toEqual(
    Array.from({ length: 3 }, () => ({ text: long, status: "done" })),
  );
  const costs = call?.parts.map(({ cost }) => cost ?? 0) ?? [];
  expect(call?.cost).toBeCloseTo(
    costs.reduce((sum, cost) => sum + cost, 0),
    5,
  );
  // What the message reports is all of it: the sub-answers' tokens, their cost, and the time that was waited for them.
  const message = messages.at(-1);
  const subAnswerTokens = Math.floor(long.length / 5);
  expect(message?.usage?.completion_tokens).toBeGreaterThan(3 * subAnswerTokens);
  expect(message?.usage?.duration_ms).toBeGreaterThanOrEqual(call?.duration_ms ?? Infinity);
  expect(call?.duration_ms).toBeGreaterThanOrEqual(400);
  expect(message?.cost).toBeGreaterThan(call?.cost ?? Infinity);
  const streamed = received.flatMap(({ event }) => (event.type === "tool_part" ? [event.part.id] : []));
  expect(new Set(streamed)).toEqual(new Set(call?.parts.map(({ id }) => id)));
  const models = await until("the ledger", async () => {
    const { usage } = await user.take(getUsage, { query: { by: "model" } });
    return call?.parts.every(({ model_id: id }) => usage.some(({ key }) => key === id)) ? usage : null;
  });
  expect(models.length).toBeGreaterThanOrEqual(3);
});

it("a synthesis starts no sub-answer that the credit does not cover, and leaves nothing reserved", async () => {
  const { client, chat, ask } = await synthesisChat();
  const hub = env.USER_HUB.getByName(client.user.id);
  // Enough for the chat's cheap model, and for no other beside it.
  await runInDurableObject(hub, (_, { storage }) => {
    storage.sql.exec(
      "INSERT INTO ledger (call_id, at, what, amount_micros, balance_micros) VALUES ('less', ?, 'reply', 0, 6000)",
      new Date().toISOString(),
    );
  });
  const message = await ask(chat.replyId, 1);
  const [call] = message?.tool_calls ?? [];
  expect(call?.parts.map(({ text, status }) => ({ text, status }))).toEqual(
    Array.from({ length: 3 }, () => ({ text: "There is not enough credit left to ask it.", status: "failed" })),
  );
  expect(call?.cost ?? 0).toBe(0);
  await until("nothing held", () =>
    runInDurableObject(hub, (_, { storage }) => storage.sql.exec("SELECT 1 FROM reservations").toArray().length === 0),
  );
});

it("multiModelSynthesis asks at most eight models for one answer", async () => {
  const { client, chat, ask } = await synthesisChat();
  const message = await ask(chat.replyId, 3);
  const texts = message?.tool_calls.flatMap(({ parts }) => parts.map(({ text }) => text)) ?? [];
  expect(texts.filter((text) => text === "It depends.")).toHaveLength(TOOL_MODEL_CALLS_PER_TURN);
  expect(texts.filter((text) => text === `At most ${TOOL_MODEL_CALLS_PER_TURN} models are asked for one answer.`)).toHaveLength(
    9 - TOOL_MODEL_CALLS_PER_TURN,
  );
  const hub = env.USER_HUB.getByName(client.user.id);
  await until("nothing held", () =>
    runInDurableObject(hub, (_, { storage }) => storage.sql.exec("SELECT 1 FROM reservations").toArray().length === 0),
  );
});

it("multiModelSynthesis stops with the turn", async () => {
  const stop = new AbortController();
  const running = runTool(multiModelSynthesis, { question: "fault hang" }, { ...(await newUser()), signal: stop.signal });
  stop.abort();
  await expect(running).rejects.toThrow("aborted");
});

describe("the truth seeker", () => {
  const question = "How do floods take bridges?";

  it("the truth seeker drafts with the chat's own model, and names the one that a router chose", async () => {
    const own = await runTool(truthSeekDraft, { question: "say They push." }, await newUser());
    expect(own.parts).toMatchObject([{ id: "draft", model_id: CHEAP_MODEL, text: "They push.", status: "done", cost: expect.any(Number) }]);
    const routed = await runTool(truthSeekDraft, { question: "say They push." }, { ...(await newUser()), modelId: "auto" });
    const { model_id: modelId } = routed.parts[0] ?? { model_id: null };
    expect(modelId).toMatch(/^[a-z0-9-]+\/(?!auto)/);
    expect(outputOfCall(routed)).toContain(`draft_model "${modelId}"`);
  });

  it("the truth seeker criticises by another vendor's model, with what the web says", async () => {
    const steered = `${question}\nsay - Floods push bridges away.\nSEARCH: stone bridges floods`;
    const run = await runTool(
      truthSeekCritique,
      { question: steered, draft: "They push.", draft_model: "Gemini 2.5 Flash" },
      await newUser(),
    );
    expect(run.parts.map(({ id, status }) => `${id} ${status}`)).toEqual(["claims done", "check done", "critique done"]);
    const [claims, check, critique] = run.parts;
    expect(["openai", "google"]).not.toContain(makerOf(critique?.model_id ?? null));
    expect(critique?.model_id).toBe(claims?.model_id);
    expect(check?.text).toContain("“stone bridges floods”");
    expect(check?.text).toContain("[1]");
    expect(run.charged).toBe(0.005);
    expect(run.cited.map(({ url }) => url)).toContain("https://rivers.example/bridges");
    expect(outputOfCall(run)).toContain(`Critique by ${critique?.model_id}`);
  });

  it("the truth seeker criticises also where there is no search, and says that nothing was checked", async () => {
    const run = await runTool(
      truthSeekCritique,
      { question, draft: "They push." },
      { ...(await newUser()), env: { PARALLEL_API_KEY: "" } },
    );
    expect(run.parts.map(({ id, status }) => `${id} ${status}`)).toEqual(["claims done", "check failed", "critique done"]);
    expect(run.charged).toBe(0);
  });

  it("the truth seeker criticises by a different model even within one vendor, and not at all where there is only one", async () => {
    const two = await runTool(truthSeekCritique, { question: "say - a", draft: "b" }, await newUser([CHEAP_MODEL, "openai/gpt-5-nano"]));
    expect(two.asked).toEqual(["openai/gpt-5-nano", "openai/gpt-5-nano"]);
    const one = await runTool(truthSeekCritique, { question: "say - a", draft: "b" }, await newUser([CHEAP_MODEL]));
    expect(one.result).toMatchObject({ ok: false, error: expect.stringContaining("no second model") });
  });

  it("the truth seeker refines with the chat's own model and asks for what changed and what stays uncertain", async () => {
    const input = { question, draft: "They push.", critique: "say It washes out the bed [1]." };
    const run = await runTool(truthSeekRefine, input, await newUser());
    expect(run.parts).toMatchObject([{ id: "refined", model_id: CHEAP_MODEL, text: "It washes out the bed [1].", status: "done" }]);
    expect(outputOfCall(run)).toMatch(/^It washes out the bed \[1\]\..*what changed.*stays uncertain/s);
    const shown = await runTool(truthSeekRefine, { ...input, critique: "show request" }, await newUser());
    expect(outputOfCall(shown)).toMatch(/What changed.*Still uncertain/s);
  });
});
