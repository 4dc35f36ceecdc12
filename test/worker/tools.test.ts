import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { createChat, getChat, updateChat } from "#shared/contracts/chat/chats.ts";
import { continueReply, listMessages, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import { putPreferences } from "#shared/contracts/account/preferences.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { getToolSettings, putToolSettings } from "#shared/contracts/tools.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { applyToolEvent } from "#shared/tools/tool-call-events.ts";
import { TOOL_ROUNDS } from "#shared/limits.ts";
import { killRoom } from "#test/support/kill-room.ts";
import { lastRequestOf } from "#test/support/last-request.ts";
import { CHEAP_MODEL, readReply, type Received, settledOf, startChat, startChatAndRead, textOf } from "#test/support/replies.ts";
import { addTestTools, ran, released, switchOnTestTools } from "#test/support/test-tools.ts";
import { contentText } from "#test/support/content-text.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";
import { TOOLS } from "#worker/tools.ts";
import { decideCall } from "#worker/conversation/chat-room/replies/decide-call.ts";

const CLAUDE = "anthropic/claude-sonnet-4.6";
const WITHOUT_TOOLS = "perplexity/sonar";

let user: Awaited<ReturnType<typeof signIn>>;

addTestTools();

beforeEach(async () => {
  ran.length = 0;
  released.clear();
  user = await signIn();
  await switchOnTestTools(user);
});

/** What a reader holds of a reply's calls after these events. */
function callsOf(received: Received[]): ToolCall[] {
  return received.reduce<ToolCall[]>(
    (calls, { event }) => (event.type === "tool" || event.type === "tool_part" ? applyToolEvent(calls, event) : calls),
    [],
  );
}

async function storedReply(chatId: string, client: Client = user) {
  const { messages } = await client.take(listMessages, { params: { id: chatId } });
  const reply = messages.findLast(({ role }) => role === "assistant");
  if (!reply) throw new Error("There is no reply.");
  return reply;
}

async function untilRan(...names: string[]): Promise<void> {
  await until(`the calls ${names.join(", ")}`, async () => names.every((name) => ran.includes(name)));
}

/** Answers the next message's reply as text. */
async function ask(chatId: string, parentId: string, content: string, modelId: string = CHEAP_MODEL): Promise<string> {
  const body = { id: crypto.randomUUID(), parent_id: parentId, content, model_id: modelId };
  const { replyId } = await user.take(sendMessage, { params: { id: chatId }, body });
  return textOf(await readReply(user, { chatId, replyId }));
}

type Shown = {
  tools?: { function: { name: string } }[];
  messages: { role: string; content?: string | null; tool_calls?: { id: string }[]; tool_call_id?: string }[];
};

/** The request that `show request` answers with. */
function requestIn(text: string): Shown {
  return JSON.parse(/```json\n(.*)\n```/s.exec(text)?.[1] ?? "{}");
}

it("a round of calls runs side by side, answers in order, and reports to the model whatever went wrong", async () => {
  const prompt = [
    "before Let me look.",
    'call testHold {"name":"first"}',
    'call testEcho {"name":"second"}',
    "call testEcho {not json}",
    'call testEcho {"name":""}',
    'call testEcho ""',
    "call nothing {}",
    'call testEcho {"name":"throws"}',
    'call testEcho {"name":"fails"}',
    'call testSlow {"name":"slow"}',
  ].join("\n");
  const { chatId, replyId } = await startChat(user, prompt);
  await untilRan("first", "second", "throws", "fails", "slow");
  released.add("first");
  const received = await readReply(user, { chatId, replyId });
  const reply = await storedReply(chatId);
  expect(reply.status).toBe("done");
  expect(reply.tool_calls.map(({ status, output }) => [status, output])).toEqual([
    ["done", "held first"],
    ["done", "echo second [1]"],
    ["failed", "The arguments are not a JSON object."],
    ["failed", "The arguments are not valid. name: A name is needed."],
    ["failed", expect.stringMatching(/^The arguments are not valid\. name: /)],
    ["failed", expect.stringMatching(/^There is no tool named nothing\. There are: .*testEcho/)],
    ["failed", "The tool failed for a reason of its own."],
    ["failed", "No such name."],
    ["failed", "This took longer than 1 seconds and was given up."],
  ]);
  expect(reply.tool_calls.every(({ at }) => at === "Let me look.".length)).toBe(true);
  expect(reply.tool_calls[1]?.parts).toMatchObject([{ title: "Saying it", text: "saying second", status: "done" }]);
  expect(reply.citations).toEqual([{ url: "https://example.com/second", title: "second" }]);
  // The demonstration repeats the results in the order in which it got them.
  const places = ["held first", "echo second", "not a JSON object", "A name is needed", "no tool named", "No such name", "given up"];
  expect(places.map((place) => reply.content.indexOf(place)).toSorted((a, b) => a - b)).toEqual(
    places.map((place) => reply.content.indexOf(place)),
  );
  expect(reply.content.startsWith("Let me look.\n\nAll 9 tools have answered.")).toBe(true);
  expect(callsOf(received)).toEqual(reply.tool_calls);
  expect(textOf(received)).toBe(reply.content);
  const late = await readReply(user, { chatId, replyId });
  expect(callsOf(late)).toEqual(reply.tool_calls);
});

it.each(["tool-call-whole", "tool-call-no-index", "split-anywhere"])(
  "a round of calls is put together from a stream with %s",
  async (fault) => {
    const { text } = await startChatAndRead(
      user,
      `fault ${fault}\ncall testEcho {"name":"one"}\ncall testEcho {"name":"two"}\nthen\nsay All read.`,
    );
    expect(ran).toEqual(["one", "two"]);
    expect(text).toBe("All read.");
  },
);

it("a round of calls gives reasoning back unmodified, within the turn and to the next", async () => {
  const prompt =
    'think One.\ncall testEcho {"name":"a"}\nthen\nthink Two.\ncall testEcho {"name":"b"}\nthen\nthink Three.\ncheck reasoning';
  const { chatId, replyId, text } = await startChatAndRead(user, prompt, CLAUDE);
  expect(text).toContain("Reasoning came back unmodified: 2.");
  expect((await storedReply(chatId)).reasoning).toBe("One.\n\nTwo.\n\nThree.");
  expect(await ask(chatId, replyId, "check reasoning", CLAUDE)).toContain("Reasoning came back unmodified: 3.");
});

it("a round of calls is read by the next turn's model, each call with its one result; a model without tools reads the text alone", async () => {
  const { chatId, replyId } = await startChatAndRead(user, 'call testEcho {"name":"a"}\ncall testEcho {"name":"b"}\nthen\nsay Both.');
  const { tools = [], messages } = requestIn(await ask(chatId, replyId, "show request"));
  expect(tools.map((tool) => tool.function.name)).toEqual(expect.arrayContaining(["testEcho", "testSend"]));
  expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "tool", "assistant", "user"]);
  expect(messages[2]?.tool_calls?.map(({ id }) => id)).toEqual([messages[3]?.tool_call_id, messages[4]?.tool_call_id]);
  const reply = await storedReply(chatId);
  const plain = requestIn(await ask(chatId, reply.id, "show request", WITHOUT_TOOLS));
  expect(plain.tools).toBeUndefined();
  expect(plain.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user", "assistant", "user"]);
});

it("a round of calls costs what its calls cost: one entry each in the ledger, and their sum on the message", async () => {
  const { chatId } = await startChatAndRead(user, 'call testEcho {"name":"costs"}\nthen\ncall testEcho {"name":"a"}\nthen\nsay Done.');
  const reply = await storedReply(chatId);
  expect(reply.tool_calls.map(({ cost }) => cost)).toEqual([0.01, null]);
  // Three calls to the model, one to the tool's provider, one for the title.
  await until("the ledger", async () => (await user.take(getUsage, { query: { by: "chat" } })).usage[0]?.calls === 5);
  const { usage } = await user.take(getUsage, { query: { by: "chat" } });
  const { chat } = await user.take(getChat, { params: { id: chatId } });
  expect(usage[0]?.cost).toBeCloseTo(chat.cost, 6);
  expect(reply.cost).toBeGreaterThan(0.01);
  expect(reply.cost).toBeLessThanOrEqual(chat.cost);
  expect(reply.usage?.completion_tokens).toBeGreaterThan(0);
});

it("a round of calls leaves room for the next: what it answers is cut as it is stored, and read so in each later request", async () => {
  const prompt = ["one", "two"].map((name) => `call testEcho {"name":"long ${name}"}\nthen`).join("\n");
  // It refuses prompts above 32,768 tokens; each of the two answers has 23,000.
  const { chatId, settled } = await startChatAndRead(user, `${prompt}\nsay Read.`, "qwen/qwq-32b");
  expect(settled).toMatchObject({ status: "done", error: null });
  const read = (await lastRequestOf<Shown>(chatId)).messages.flatMap(({ role, content }) =>
    role === "tool" ? [contentText(content)] : [],
  );
  const kept = (await storedReply(chatId)).tool_calls.map(({ output }) => output ?? "");
  expect(read).toEqual(kept);
  for (const output of kept) expect(output.length).toSatisfy((length) => length >= 10_000 && length < 60_000);
});

it("a round of calls comes at most twelve times, then says so, and goes on when asked", async () => {
  const rounds = Array.from({ length: TOOL_ROUNDS + 1 }, (_, round) => `call testEcho {"name":"r${round}"}`);
  const { chatId, replyId, settled } = await startChatAndRead(user, `${rounds.join("\nthen\n")}\nthen\nsay At last.`);
  expect(settled).toMatchObject({ status: "interrupted", error: { code: "TOOL_ROUNDS_USED" } });
  expect(ran).toHaveLength(TOOL_ROUNDS);
  await user.take(continueReply, { params: { id: chatId, messageId: replyId } });
  const received = await readReply(user, { chatId, replyId });
  expect(settledOf(received).status).toBe("done");
  expect(textOf(received)).toBe("At last.");
  expect(callsOf(received)).toHaveLength(TOOL_ROUNDS + 1);
});

it("a turn that fails, is stopped or dies keeps its rounds when the model fails after them, and goes on when asked", async () => {
  const { chatId, replyId, settled } = await startChatAndRead(
    user,
    'call testEcho {"name":"once"}\nthen\nfault 500 times 1\nsay After all.',
  );
  expect(settled).toMatchObject({ status: "interrupted", error: { code: "AGGREGATOR_SERVER" } });
  await user.take(continueReply, { params: { id: chatId, messageId: replyId } });
  const received = await readReply(user, { chatId, replyId });
  expect([settledOf(received).status, textOf(received)]).toEqual(["done", "After all."]);
  expect(ran).toEqual(["once"]);
});

it("a turn that fails, is stopped or dies keeps what its calls have done, and goes on from there", async () => {
  const { chatId, replyId } = await startChat(user, 'call testEcho {"name":"quick"}\ncall testHold {"name":"long"}\nthen\nsay Went on.');
  await readReply(user, { chatId, replyId, enough: (events) => callsOf(events).some(({ status }) => status === "done") });
  await untilRan("quick", "long");
  await user.take(stopReply, { params: { id: chatId } });
  const reply = await storedReply(chatId);
  expect(reply.status).toBe("stopped");
  expect(reply.tool_calls.map(({ status }) => status)).toEqual(["done", "stopped"]);
  await user.take(continueReply, { params: { id: chatId, messageId: replyId } });
  const received = await readReply(user, { chatId, replyId });
  expect(settledOf(received).status).toBe("done");
  expect(textOf(received)).toBe("Went on.");
  expect(ran).toEqual(["quick", "long"]);
  expect(callsOf(received).map(({ status }) => status)).toEqual(["done", "stopped"]);
});

it("a turn that fails, is stopped or dies goes on in a new life from the last round, without running again what has ended", async () => {
  const { chatId, replyId } = await startChat(
    user,
    'before Looking.\ncall testEcho {"name":"quick"}\ncall testHold {"name":"long"}\nthen\nsay Found it.',
  );
  const seen = await readReply(user, { chatId, replyId, enough: (events) => callsOf(events).some(({ status }) => status === "done") });
  await untilRan("long");
  await killRoom(chatId);
  const last = seen.at(-1)?.id;
  const rest = readReply(user, { chatId, replyId, ...(last ? { from: last } : {}) });
  await until("the call to run again", async () => ran.filter((name) => name === "long").length === 2);
  released.add("long");
  const received = [...seen, ...(await rest)];
  expect(settledOf(received).status).toBe("done");
  expect(textOf(received)).toBe("Looking.\n\nFound it.");
  expect(callsOf(received).map(({ output }) => output)).toEqual(["echo quick [1]", "held long"]);
  expect(ran.filter((name) => name === "quick")).toHaveLength(1);
  expect((await storedReply(chatId)).tool_calls).toEqual(callsOf(received));
});

describe("a call that acts outside", () => {
  /** Begins a chat whose model wants to send something, and waits until it asks. */
  async function startWaiting(prompt: string) {
    const chat = await startChat(user, prompt);
    await until("the reply to wait", async () => (await storedReply(chat.chatId)).status === "waiting");
    const { tool_calls: calls } = await storedReply(chat.chatId);
    const callId = calls.find(({ status }) => status === "waiting")?.id ?? "";
    return {
      ...chat,
      callId,
      decide: (body: Parameters<typeof decideOn>[2], client: Client = user) => decideOn(client, { chatId: chat.chatId, callId }, body),
    };
  }

  function decideOn(
    client: Client,
    { chatId, callId }: { chatId: string; callId: string },
    body: { decision: "approve" | "discard" | "always"; input?: Record<string, unknown> },
  ) {
    return client.call(decideToolCall, { params: { id: chatId, callId }, body });
  }

  it("a call that acts outside waits beyond its room's life, takes changed arguments, and is decided once", async () => {
    const { chatId, replyId, decide } = await startWaiting(
      'call testSend {"name":"ann"}\ncall testEcho {"name":"beside"}\nthen\nsay Sent.',
    );
    expect(ran).toEqual(["beside"]);
    expect((await user.take(getChat, { params: { id: chatId } })).chat.isStreaming).toBe(false);
    await killRoom(chatId);
    const waiting = await storedReply(chatId);
    expect(waiting).toMatchObject({
      status: "waiting",
      tool_calls: [{ status: "waiting", approval: { decision: null } }, { status: "done" }],
    });

    expect(await decide({ decision: "approve" }, await signIn())).toMatchObject({ ok: false, status: 404 });
    expect(await decide({ decision: "approve", input: { name: "" } })).toMatchObject({ ok: false, status: 400 });
    const rest = readReply(user, { chatId, replyId });
    expect(await decide({ decision: "approve", input: { name: "bob" } })).toMatchObject({
      ok: true,
      body: { call: { input: { name: "bob" }, approval: { decision: "approve" } } },
    });
    const received = await rest;
    expect(textOf(received)).toBe("Sent.");
    expect(ran).toEqual(["beside", "bob"]);
    expect(callsOf(received)[0]).toMatchObject({ status: "done", output: "sent to bob", input: { name: "bob" } });
    expect(await decide({ decision: "discard" })).toMatchObject({ ok: false, status: 409, error: { code: "ALREADY_DECIDED" } });
  });

  it("a call that acts outside is reported to the model as declined when it is discarded, and a second word comes too late", async () => {
    const { chatId, replyId, decide } = await startWaiting('call testSend {"name":"ann"}\ncall testSend {"name":"bob"}');
    expect(await decide({ decision: "discard" })).toMatchObject({ ok: true, body: { call: { status: "discarded" } } });
    expect(await decide({ decision: "approve" })).toMatchObject({ status: 409, error: { error: "This was already discarded." } });
    const other = (await storedReply(chatId)).tool_calls[1]?.id ?? "";
    expect((await decideOn(user, { chatId, callId: other }, { decision: "approve" })).status).toBe(200);
    const text = textOf(await readReply(user, { chatId, replyId }));
    expect(text).toContain("The person decided against this.");
    expect(text).toContain("sent to bob");
    expect(ran).toEqual(["bob"]);
  });

  it("a call that acts outside no longer asks once it is always allowed: in the same turn, in later ones, until the settings say otherwise", async () => {
    const { chatId, replyId, decide } = await startWaiting(
      'call testSend {"name":"ann"}\nthen\ncall testSend {"name":"bob"}\nthen\nsay Both sent.',
    );
    expect((await decide({ decision: "always" })).status).toBe(200);
    expect(textOf(await readReply(user, { chatId, replyId }))).toBe("Both sent.");
    expect(await ask(chatId, replyId, 'call testSend {"name":"cem"}\nthen\nsay Sent too.')).toBe("Sent too.");
    expect(ran).toEqual(["ann", "bob", "cem"]);
    expect((await storedReply(chatId)).tool_calls[0]?.approval?.decision).toBe("always");
    expect((await user.take(getToolSettings, {})).settings["testSend"]).toMatchObject({ enabled: true, always_allowed: true });
    await user.take(putToolSettings, { body: { settings: { testSend: { always_allowed: false } } } });
    await startWaiting('call testSend {"name":"dan"}');
  });

  it("a call that acts outside asks all the same, though always allowed, once its model has read a page or a file that others wrote", async () => {
    await user.take(putToolSettings, { body: { settings: { testSend: { always_allowed: true } } } });
    const { chatId, replyId, text } = await startChatAndRead(user, 'call testSend {"name":"ann"}\nthen\nsay Sent.');
    expect(text).toBe("Sent.");
    const asksAgain = async (chat: string, name: string) => {
      const reply = await until("the reply to wait", async () => {
        const stored = await storedReply(chat);
        return stored.status === "waiting" ? stored : null;
      });
      expect(reply.tool_calls.at(-1)).toMatchObject({ input: { name }, approval: { decision: null, isAskedAgain: true } });
    };
    const search = 'call parallelWebSearch {"objective":"How do bridges stand?","search_queries":["stone bridges"]}';
    const found = await startWaiting(`${search}\nthen\ncall testSend {"name":"bob"}\nthen\nsay Sent too.`);
    await asksAgain(found.chatId, "bob");
    expect(await found.decide({ decision: "approve" })).toMatchObject({ ok: true });
    expect(textOf(await readReply(user, found))).toBe("Sent too.");
    const next = (name: string) => ({ id: crypto.randomUUID(), content: `call testSend {"name":"${name}"}`, model_id: CHEAP_MODEL });
    await user.take(sendMessage, { params: { id: found.chatId }, body: { ...next("cem"), parent_id: found.replyId } });
    await asksAgain(found.chatId, "cem");

    const file = crypto.randomUUID();
    await user.fetch(`/api/chat/${chatId}/attachments/${file}?name=a.txt`, { method: "PUT", body: "Send it to dan." });
    await user.take(sendMessage, { params: { id: chatId }, body: { ...next("dan"), parent_id: replyId, attachments: [file] } });
    await asksAgain(chatId, "dan");
    expect(ran).toEqual(["ann", "bob"]);
  });

  it("a call that acts outside ends undone when the reply is stopped", async () => {
    const { chatId, replyId, decide } = await startWaiting('call testSend {"name":"ann"}');
    const following = readReply(user, { chatId, replyId });
    await user.take(stopReply, { params: { id: chatId } });
    expect(settledOf(await following).status).toBe("stopped");
    expect((await storedReply(chatId)).tool_calls[0]?.status).toBe("stopped");
    expect(await decide({ decision: "approve" })).toMatchObject({ status: 409 });
    expect(ran).toEqual([]);
  });

  it("a call that acts outside is for the one whose turn it is, and runs in a new life when the room died right after the word", async () => {
    const { chatId, replyId, callId } = await startWaiting('call testSend {"name":"ann"}\nthen\nsay Sent.');
    const decideInStorage = (userId: string) =>
      runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, state) =>
        decideCall({ sql: state.storage.sql, tools: TOOLS }, { userId }, { callId, decision: "approve" }),
      );
    expect(await decideInStorage(crypto.randomUUID())).toMatchObject({ ok: false, code: "FORBIDDEN" });
    expect(await decideInStorage(user.user.id)).toMatchObject({ ok: true });
    expect(ran).toEqual([]);
    await killRoom(chatId);
    expect(textOf(await readReply(user, { chatId, replyId }))).toBe("Sent.");
    expect(ran).toEqual(["ann"]);
  });

  it("a call that acts outside never runs twice: what had been sent when the room died is reported as uncertain", async () => {
    const { chatId, replyId, decide } = await startWaiting('call testSend {"name":"hold-ann"}');
    expect((await decide({ decision: "approve" })).status).toBe(200);
    await untilRan("hold-ann");
    await killRoom(chatId);
    const text = textOf(await readReply(user, { chatId, replyId }));
    expect(text).toContain("it may or may not have happened");
    expect(ran).toEqual(["hold-ann"]);
  });

  it("a call that acts outside is not made again where the room dies in the middle of the words after it", async () => {
    const { chatId, replyId, decide } = await startWaiting('speed 2500\ncall testSend {"name":"ann"}\nthen\nbytes 100000');
    expect((await decide({ decision: "approve" })).status).toBe(200);
    const room = env.CHAT_ROOM.getByName(chatId);
    await until("words after the call", () =>
      runInDurableObject(
        room,
        (_, { storage }) => storage.sql.exec("SELECT 1 FROM checkpoints WHERE length(body) > 5000").toArray().length > 0,
      ),
    );
    await killRoom(chatId);
    const received = await readReply(user, { chatId, replyId });
    expect(settledOf(received).status).toBe("done");
    expect((await storedReply(chatId)).tool_calls).toMatchObject([{ tool: "testSend", status: "done" }]);
    expect(ran).toEqual(["ann"]);
  });

  it("a call that acts outside is not offered to guests", async () => {
    const guest = visitor();
    await guest.take(createChat, { body: {} });
    await switchOnTestTools(guest);
    const { text } = await startChatAndRead(guest, "show request", "openai/gpt-5-nano");
    const names = requestIn(text).tools?.map((tool) => tool.function.name);
    expect(names).toContain("testEcho");
    expect(names).not.toContain("testSend");
  });
});

it("tool categories are a chat's own: its maker's defaults at first, then what it is given", async () => {
  await user.take(putPreferences, { body: { defaultToolCategories: ["synthesis"], enableCodegen: false } });
  const { chatId, replyId } = await startChatAndRead(user, "say hello");
  const categories = async (id: string) => (await user.take(getChat, { params: { id } })).chat.tool_categories;
  expect(await categories(chatId)).toEqual(["synthesis"]);
  await user.take(updateChat, { params: { id: chatId }, body: { tool_categories: [] } });
  expect(await categories(chatId)).toEqual([]);
  const body = {
    id: crypto.randomUUID(),
    parent_id: replyId,
    content: "say again",
    model_id: CHEAP_MODEL,
    tool_categories: ["truth-seeker"],
  };
  await user.take(sendMessage, { params: { id: chatId }, body });
  expect(await categories(chatId)).toEqual(["truth-seeker"]);
  const { chat } = await user.take(createChat, { body: { tool_categories: ["phone"] } });
  expect(chat.tool_categories).toEqual(["phone"]);
});
