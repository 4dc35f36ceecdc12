import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import * as z from "zod/mini";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { getArtifact, listArtifacts, listArtifactVersions } from "#shared/contracts/artifacts.ts";
import { createChat, getChat, updateChat } from "#shared/contracts/chat/chats.ts";
import { continueReply, listMessages, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import { listModels } from "#shared/contracts/models.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { putAllowlist, updateUser } from "#shared/contracts/account/users.ts";
import type { Message } from "#shared/entities/message.ts";
import { DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import { estimateResearch } from "#shared/research/research.ts";
import { killRoom } from "#test/support/kill-room.ts";
import { CHEAP_MODEL, readReply, settledOf, startChat, startChatAndRead, textOf } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";
import { saveReportAsArtifact } from "#worker/library/artifacts/save-report.ts";

const begin = (client: Client, content: string) => startChat(client, content, DEEP_RESEARCH_MODEL_ID);

async function answerOf(client: Client, chatId: string): Promise<Message> {
  const { messages } = await client.take(listMessages, { params: { id: chatId } });
  const last = messages.at(-1);
  if (!last) throw new Error("There is no answer.");
  return last;
}

const kinds = ({ tool_calls: calls }: Message) => calls.map(({ tool, status }) => `${tool.replace("research", "")} ${status}`);

/** A message that steers the demonstration to a plan of these sub-questions, each with its query where it has one of its own. */
function planned(...questions: (string | [question: string, query: string])[]): string {
  const plan = questions.map((given) => {
    const [question, query] = typeof given === "string" ? [given, "stone bridges"] : given;
    return { question, queries: [query] };
  });
  return `say ${JSON.stringify({ questions: plan })}`;
}

const Requests = z.array(z.object({ body: z.unknown(), status: z.nullable(z.number()), closedEarly: z.boolean() }));

/** What a simulator was asked within a chat or a reply, each as text. */
async function asked(simulator: string, sessionId: string) {
  const response = await fetch(`${new URL(simulator).origin}/control/requests`);
  const requests = Requests.parse(await response.json());
  return requests
    .map(({ body, ...rest }) => ({ text: JSON.stringify(body), ...rest }))
    .filter(({ text }) => text.includes(`"session_id":"${sessionId}"`));
}

/** Waits until a simulator holds back the answer to a request with all these words, then ends the room's life. */
async function killAt(words: string[], { simulator, sessionId, chatId }: { simulator: string; sessionId: string; chatId: string }) {
  const before = (await asked(simulator, sessionId)).filter(({ closedEarly }) => closedEarly).length;
  await until(`${words.join(", ")} to be asked`, async () =>
    (await asked(simulator, sessionId)).some(
      ({ text, status, closedEarly }) => words.every((word) => text.includes(word)) && status === null && !closedEarly,
    ),
  );
  await killRoom(chatId);
  await until("its end to be noticed", async () => {
    return (await asked(simulator, sessionId)).filter(({ closedEarly }) => closedEarly).length > before;
  });
}

/** Wakes a room as a reader does, who may be cut off. */
function follow(client: Client, chat: { chatId: string; replyId: string }): void {
  void readReply(client, chat).catch(() => []);
}

const SMALL_MODEL = "microsoft/phi-4";
const PLAN = "You plan a research";
const NOTES = "You take notes for a report";
const GAPS = "You check what a research has found";
const REPORT = "Now write the report";

/** How many of a chat's requests to the models were answered, by their kind. */
async function answered(chatId: string): Promise<number[]> {
  const requests = (await asked(env.AGGREGATOR_SIMULATOR, chatId)).filter(({ status, closedEarly }) => status === 200 && !closedEarly);
  return [PLAN, NOTES, GAPS, REPORT].map((words) => requests.filter(({ text }) => text.includes(words)).length);
}

beforeEach(() => void vi.spyOn(console, "warn").mockReturnValue());
afterEach(() => void vi.restoreAllMocks());

it("a deep research plans, looks into each sub-question, fills a gap, and reports with sources, each call paid once", async () => {
  const user = await signIn();
  const { chatId, replyId, received, text, settled } = await startChatAndRead(user, "How do floods take bridges?", DEEP_RESEARCH_MODEL_ID);
  const answer = await answerOf(user, chatId);
  expect(settled).toMatchObject({ status: "done", error: null, finish_reason: "stop" });
  expect(answer).toMatchObject({ content: text, requested_model_id: DEEP_RESEARCH_MODEL_ID, model_id: settled.model_id });
  expect(answer.model_id).toMatch(/^openai\//);
  expect(kinds(answer)).toEqual(["Plan done", ...Array.from({ length: 4 }, () => "Question done"), "Gaps done", "Question done"]);
  const [, first] = answer.tool_calls;
  expect(first?.parts.map(({ id, status }) => `${id} ${status}`)).toEqual(["search done", "read done", "notes done"]);
  expect(first?.sources.map(({ url }) => url)).toContain("https://rivers.example/bridges");
  expect(first?.cost).toBeCloseTo(
    (first?.parts ?? []).reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    5,
  );
  const numbers = Array.from(text.matchAll(/\[(\d+)\]/g), ([, number]) => Number(number));
  expect(numbers.length).toBeGreaterThan(5);
  expect(numbers.every((number) => answer.citations[number - 1] !== undefined)).toBe(true);
  expect(text).toMatch(/## What stays uncertain\n/);
  // Sources come while it looks, not at its end.
  const order = received.map(({ event }) => event.type);
  expect(order.indexOf("citations")).toBeLessThan(order.indexOf("text"));
  expect(await answered(chatId)).toEqual([1, 5, 1, 1]);
  const parts = (answer.tool_calls ?? []).reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  expect(answer.cost).toBeGreaterThan(parts);
  const { usage } = await until("the ledger", async () => {
    const found = await user.take(getUsage, { query: { by: "chat" } });
    // A plan, five of each of search, pages and notes, a look for gaps, the report, and a title.
    return found.usage[0]?.calls === 19 ? found : null;
  });
  expect(usage[0]?.cost).toBeGreaterThanOrEqual(answer.cost ?? 0);
  const late = await readReply(user, { chatId, replyId });
  expect(textOf(late)).toBe(text);
});

it("a deep research ends in an artifact too, unless its person switched these off", async () => {
  const user = await signIn();
  const { chatId, replyId, text } = await startChatAndRead(user, "How do floods take bridges?", DEEP_RESEARCH_MODEL_ID);
  const artifact = await until("the artifact", async () => (await user.take(listArtifacts, { query: {} })).artifacts[0]);
  expect((await user.take(getArtifact, { params: { id: artifact.id } })).artifact.content).toBe(text);
  const { versions } = await user.take(listArtifactVersions, { params: { id: artifact.id }, query: {} });
  expect(versions).toMatchObject([{ kind: "model", chat_id: chatId, message_id: replyId }]);
  const reportInput = { userId: user.user.id, chatId, messageId: replyId, modelId: CHEAP_MODEL, question: "", content: text };
  await saveReportAsArtifact(env, reportInput);
  await user.take(updateUser, { body: { artifacts_enabled: false } });
  await saveReportAsArtifact(env, { ...reportInput, messageId: crypto.randomUUID() });
  expect((await user.take(listArtifacts, { query: {} })).artifacts).toHaveLength(1);
});

it("a deep research goes on at the step that had not ended, whichever that was, and does none twice", async () => {
  const user = await signIn();
  const { chatId, replyId } = await begin(user, "How do floods take bridges?\nfault hang times 1");
  const models = { simulator: env.AGGREGATOR_SIMULATOR, sessionId: chatId, chatId };
  await killAt([PLAN], models);
  follow(user, { chatId, replyId });
  await killAt([GAPS], models);
  const received = await readReply(user, { chatId, replyId });
  expect(settledOf(received)).toMatchObject({ status: "done", error: null });
  expect(kinds(await answerOf(user, chatId))).toEqual([
    "Plan done",
    ...Array.from({ length: 4 }, () => "Question done"),
    "Gaps done",
    "Question done",
  ]);
  expect(await answered(chatId)).toEqual([1, 5, 1, 1]);
});

it("a deep research pays a sub-question's search and notes once, and lets the report go on after its last word, through four deaths", async () => {
  const user = await signIn();
  await user.take(updateUser, { body: { preferred_model: "openai/gpt-4.1" } });
  const { chatId, replyId } = await begin(user, planned("fault hang times 1", ["speed 60", "fault 500"], "Which rivers flood?"));
  const models = { simulator: env.AGGREGATOR_SIMULATOR, sessionId: chatId, chatId };
  // What a service answers in the moment of a death is asked again: only the first sub-question should be under way.
  await until("the plan and the other sub-questions to have ended", async () => {
    return (await answerOf(user, chatId)).tool_calls.filter(({ status }) => status === "done" || status === "failed").length === 3;
  });
  await killAt(["fault hang"], { simulator: env.PARALLEL_SIMULATOR, sessionId: replyId, chatId });
  follow(user, { chatId, replyId });
  await killAt([NOTES, "fault hang"], models);
  follow(user, { chatId, replyId });
  await killAt([REPORT], models);
  const seen = await readReply(user, { chatId, replyId, enough: (events) => textOf(events).length > 20 });
  // What readers hold is stored every two seconds.
  await until("the text to be stored", () =>
    runInDurableObject(
      env.CHAT_ROOM.getByName(chatId),
      (_, state) => state.storage.sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM checkpoints WHERE body LIKE '%oldest%'").one().n > 0,
    ),
  );
  await killRoom(chatId);
  const rest = await readReply(user, { chatId, replyId, from: seen.at(-1)?.id ?? "" });
  expect(settledOf(rest)).toMatchObject({ status: "done", error: null });
  const fullText = textOf([...seen, ...rest]);
  const answer = await answerOf(user, chatId);
  expect(answer.content).toBe(fullText);
  expect(kinds(answer)).toEqual(["Plan done", "Question done", "Question failed", "Question done", "Gaps failed"]);
  expect(answer.tool_calls[1]?.parts.map(({ id, status }) => `${id} ${status}`)).toEqual(["search done", "read done", "notes done"]);
  const searches = (await asked(env.PARALLEL_SIMULATOR, replyId)).filter(({ status, closedEarly }) => status === 200 && !closedEarly);
  expect(searches).toHaveLength(2);
  expect((await answered(chatId))[1]).toBe(2);
  const left = await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, state) =>
    state.storage.sql.exec("SELECT 1 FROM call_steps").toArray(),
  );
  expect(left).toEqual([]);
});

it("a deep research is stopped at any point with what was found, and writes its report from that when asked to go on", async () => {
  const user = await signIn();
  const { chatId, replyId } = await begin(
    user,
    planned(["Who measures them?", "fault hang"], "Which rivers flood?", "Which bridges stand?"),
  );
  await until("two of three to be looked into", async () => {
    return (await answerOf(user, chatId)).tool_calls.filter(({ status }) => status === "done").length === 3;
  });
  await user.take(stopReply, { params: { id: chatId } });
  const stopped = await answerOf(user, chatId);
  expect(stopped.status).toBe("stopped");
  expect(kinds(stopped)).toEqual(["Plan done", "Question stopped", "Question done", "Question done"]);
  expect(stopped.citations.length).toBeGreaterThan(0);
  // The next message goes to another model; what goes on is the research all the same.
  await user.take(updateChat, { params: { id: chatId }, body: { model_id: CHEAP_MODEL } });
  await user.take(continueReply, { params: { id: chatId, messageId: replyId } });
  const received = await readReply(user, { chatId, replyId });
  expect(settledOf(received)).toMatchObject({ status: "done", error: null });
  expect(textOf(received)).toContain("- Who measures them? it was stopped.");
  expect((await user.take(getChat, { params: { id: chatId } })).chat.model_id).toBe(CHEAP_MODEL);
  expect((await answered(chatId))[1]).toBe(2);
});

it("a deep research counts the time that it was worked on, and no break before it went on", async () => {
  const user = await signIn();
  const { chatId, replyId } = await begin(user, planned("fault hang times 1", "Which rivers flood?", "Which bridges stand?"));
  await until("all but one to be looked into", async () => {
    return (await answerOf(user, chatId)).tool_calls.filter(({ status }) => status === "done").length === 3;
  });
  await user.take(stopReply, { params: { id: chatId } });
  const room = env.CHAT_ROOM.getByName(chatId);
  const worked = () =>
    runInDurableObject(
      room,
      (_, state) => state.storage.sql.exec<{ ms: number }>("SELECT worked_ms AS ms FROM messages WHERE id = ?", replyId).one().ms,
    );
  expect(await worked()).toBeGreaterThan(0);
  const [minute, day] = [60_000, 24 * 60 * 60_000];
  await runInDurableObject(room, (_, state) =>
    state.storage.sql.exec(
      "UPDATE messages SET worked_ms = ?, created_at = ? WHERE id = ?",
      minute,
      new Date(Date.now() - day).toISOString(),
      replyId,
    ),
  );
  await user.take(continueReply, { params: { id: chatId, messageId: replyId } });
  // The report's first request hangs, as its first sub-question asks it to.
  const { working_since: since = "" } = await answerOf(user, chatId);
  const elapsed = Date.now() - Date.parse(since);
  expect([elapsed >= minute, elapsed < day / 2]).toEqual([true, true]);
  await user.take(stopReply, { params: { id: chatId } });
  expect((await answerOf(user, chatId)).working_since).toBeUndefined();
  const total = await worked();
  expect([total >= minute, total < day / 2]).toEqual([true, true]);
});

it("a deep research goes on without a sub-question whose search fails, and says what is missing", async () => {
  const user = await signIn();
  const { chatId, text, settled } = await startChatAndRead(
    user,
    planned(["Who measures them?", "fault 500"], "Which bridges stand?", "Which rivers flood?"),
    DEEP_RESEARCH_MODEL_ID,
  );
  expect(settled).toMatchObject({ status: "done" });
  const answer = await answerOf(user, chatId);
  expect(kinds(answer).slice(0, 4)).toEqual(["Plan done", "Question failed", "Question done", "Question done"]);
  expect(answer.tool_calls[1]).toMatchObject({ output: "The search service cannot be reached right now.", cost: null });
  expect(text).toContain("- Who measures them? The search service cannot be reached right now.");
});

it("a deep research writes its report from what there is once its time is up, and says so", async () => {
  const user = await signIn();
  const { chatId, replyId } = await begin(user, "How late may it be?\nfault hang times 1");
  await killAt([PLAN], { simulator: env.AGGREGATOR_SIMULATOR, sessionId: chatId, chatId });
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, state) =>
    state.storage.sql.exec("UPDATE chat SET turn = json_set(turn, '$.startedAt', 0)"),
  );
  const received = await readReply(user, { chatId, replyId });
  expect(settledOf(received)).toMatchObject({ status: "done", error: null });
  expect(textOf(received)).toMatch(/\*The research stopped looking after 10 minutes, its limit: [^*]+\*$/);
  expect(kinds(await answerOf(user, chatId))).toEqual(["Plan done"]);
});

it("a deep research fits what it found to a model of a small context, each quote whole and each number kept", async () => {
  const user = await signIn();
  const long = (at: number): [string, string] => [`bytes ${30_000 + at}`, at === 0 ? "fault hang times 1" : "stone bridges"];
  const { chatId, replyId } = await begin(user, planned(long(0), long(1), long(2)));
  await killAt(["fault hang"], { simulator: env.PARALLEL_SIMULATOR, sessionId: replyId, chatId });
  // It refuses prompts above 16,384 tokens; the findings are 90,000 characters.
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, state) =>
    state.storage.sql.exec(
      "UPDATE chat SET turn = json_set(turn, '$.request.model.aggregatorId', ?, '$.request.model.contextLength', 16384)",
      SMALL_MODEL,
    ),
  );
  const received = await readReply(user, { chatId, replyId });
  expect(settledOf(received)).toMatchObject({ status: "done", error: null });
  const report = (await asked(env.AGGREGATOR_SIMULATOR, chatId)).findLast(({ text }) => text.includes(REPORT));
  expect(report?.text.length).toBeLessThan(16_384 * 4);
  expect(report?.text.length).toBeGreaterThan(16_384 * 2);
  const findings = (await answerOf(user, chatId)).tool_calls.filter(({ tool }) => tool === "researchQuestion");
  expect(findings.map(({ status, output }) => [status, (output ?? "").length > 30_000])).toEqual(findings.map(() => ["done", true]));
  const marks = findings.map(({ output }) => /<(quoted-\w+)>/.exec(output ?? "")?.[1]);
  expect(marks.every((mark) => report?.text.includes(`…\\n</${mark}>`))).toBe(true);
});

it("a deep research researches the question as it stands when no plan can be read, and says why when none can be made", async () => {
  const user = await signIn();
  const unread = await startChatAndRead(user, "say No plan from me.", DEEP_RESEARCH_MODEL_ID);
  expect(kinds(await answerOf(user, unread.chatId)).slice(0, 2)).toEqual(["Plan done", "Question done"]);
  expect((await answered(unread.chatId))[0]).toBe(2);
  const failed = await startChatAndRead(user, "fault 500", DEEP_RESEARCH_MODEL_ID);
  expect(failed.settled).toMatchObject({
    status: "failed",
    error: { code: "RESEARCH_NOT_PLANNED", message: "The research could not be planned. It could not be reached.", action: "retry" },
  });
});

it("a deep research lets later messages build on what it found", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChatAndRead(user, "How do floods take bridges?", DEEP_RESEARCH_MODEL_ID);
  const body = { id: crypto.randomUUID(), parent_id: replyId, content: "show request", model_id: CHEAP_MODEL };
  const next = await user.take(sendMessage, { params: { id: chatId }, body });
  const shown = textOf(await readReply(user, { chatId, replyId: next.replyId }));
  expect(shown).toContain("The oldest stone bridges");
  expect(shown).toContain("quoted from outside");
});

it("who may research is whoever signed in and has what it may cost; a refusal stores nothing", async () => {
  const guest = visitor();
  await guest.take(createChat, { body: {} });
  const { models } = await guest.take(listModels, {});
  const isAvailable = (modelId: string) => models.find(({ id }) => id === modelId)?.isAvailable;
  expect([isAvailable("auto"), isAvailable(DEEP_RESEARCH_MODEL_ID)]).toEqual([true, false]);
  const ask = (client: Client, chatId: string) =>
    client.call(sendMessage, {
      params: { id: chatId },
      body: { id: crypto.randomUUID(), parent_id: null, content: "Why?", model_id: DEEP_RESEARCH_MODEL_ID },
    });
  expect(await ask(guest, crypto.randomUUID())).toMatchObject({ status: 403, error: { code: "GUEST_MODEL" } });

  const user = await signIn();
  await user.take(updateUser, { body: { preferred_model: "anthropic/claude-sonnet-4.6" } });
  const { pricing } = models.find(({ id }) => id === "anthropic/claude-sonnet-4.6") ?? { pricing: null };
  const { dollars } = estimateResearch(pricing);
  const hub = env.USER_HUB.getByName(user.user.id);
  const leave = (amount: number) =>
    runInDurableObject(hub, (_, state) =>
      state.storage.sql.exec(
        "INSERT INTO ledger (call_id, at, what, amount_micros, balance_micros) VALUES (?, '2026-01-01', 'reply', 0, ?)",
        crypto.randomUUID(),
        Math.round(amount * 1_000_000),
      ),
    );
  await leave(dollars * 0.9);
  const chatId = crypto.randomUUID();
  expect(await ask(user, chatId)).toMatchObject({ status: 402, error: { code: "INSUFFICIENT_CREDITS" } });
  expect(await user.call(listMessages, { params: { id: chatId } })).toMatchObject({ status: 404 });
  await leave(dollars * 1.1);
  expect(await ask(user, chatId)).toMatchObject({ status: 202 });
  const { user: now } = await user.take(getSession, {});
  expect(now?.credits).toBeGreaterThan(0);
});

it("who may research works with the preferred model where the allowlist has it, and not at all where that leaves research out", async () => {
  const user = await signIn();
  const mini = "openai/gpt-5-mini";
  await user.take(putAllowlist, { body: { model_allowlist: [mini, DEEP_RESEARCH_MODEL_ID] } });
  const { settled } = await startChatAndRead(user, planned("a?", "b?", "c?"), DEEP_RESEARCH_MODEL_ID);
  expect(settled.model_id).toBe(mini);
  await user.take(putAllowlist, { body: { model_allowlist: [mini] } });
  const body = { id: crypto.randomUUID(), parent_id: null, content: "Why?", model_id: DEEP_RESEARCH_MODEL_ID };
  expect(await user.call(sendMessage, { params: { id: crypto.randomUUID() }, body })).toMatchObject({
    status: 403,
    error: { code: "MODEL_NOT_ALLOWED" },
  });
});
