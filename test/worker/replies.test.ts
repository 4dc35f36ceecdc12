import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { continueReply, listMessages, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import { markdownOfLength } from "#test/simulators/aggregator/bytes.ts";
import { lastRequestOf } from "#test/support/last-request.ts";
import { CHEAP_MODEL, readReply, type Received, settledOf, startChat, startChatAndRead, textOf } from "#test/support/replies.ts";
import type { ChatRoom } from "#worker/conversation/chat-room/chat-room.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn } from "#test/support/worker.ts";

/** Ends the object's life at once, as a crash or a deploy does; an eviction would wait for the turn. */
async function kill(room: DurableObjectStub<ChatRoom>): Promise<void> {
  await runInDurableObject(room, (_, state) => state.abort("killed by a test")).catch(() => {});
}

type Asked = { messages: { role: string; content: string }[] };

const encoder = new TextEncoder();
const LENGTH = 6_000;
const TEXT = markdownOfLength(LENGTH);

it("following a reply gives a late reader the whole reply, and a second one the same events", async () => {
  const user = await signIn();
  const { chatId, replyId, text } = await startChatAndRead(user, `bytes ${LENGTH}`);
  expect(text).toBe(TEXT);
  const [late, later] = await Promise.all([readReply(user, { chatId, replyId }), readReply(user, { chatId, replyId })]);
  expect(textOf(late)).toBe(TEXT);
  expect(later).toEqual(late);
});

it("following a reply loses and doubles nothing when the reader is cut at random points", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChat(user, `speed 400\nbytes ${LENGTH}`);
  const received: Received[] = [];
  let cuts = 0;
  while (received.at(-1)?.event.type !== "settled") {
    const stopAfter = 1 + Math.floor(Math.random() * 3);
    const last = received.at(-1)?.id;
    const next = await readReply(user, {
      chatId,
      replyId,
      ...(last ? { from: last } : {}),
      enough: (events) => events.length >= stopAfter,
    });
    received.push(...next);
    cuts += 1;
  }
  expect(textOf(received)).toBe(TEXT);
  expect(cuts).toBeGreaterThan(3);
  const positions = received.map(({ id }) => id);
  expect(new Set(positions).size).toBe(positions.length);
});

it("following a reply shows a reader of the list what the reply has produced so far", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChat(user, `speed 100\nbytes ${LENGTH}`);
  const seen = await readReply(user, { chatId, replyId, enough: (events) => textOf(events).length > 50 });
  const { messages } = await user.take(listMessages, { params: { id: chatId } });
  expect(messages[1]?.status).toBe("streaming");
  expect(messages[1]?.content.startsWith(textOf(seen))).toBe(true);
  await env.CHAT_ROOM.getByName(chatId).stop({ userId: user.user.id, displayName: "", sessionId: "", anonymous: false });
});

it("following a reply streams small frames: wire bytes stay near the text's", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChat(user, "speed 250\nbytes 2000");
  const response = await user.fetch(`/api/chat/${chatId}/replies/${replyId}`);
  const wire = (await response.text()).length;
  expect(wire).toBeLessThan(2000 * 1.5 + 600);
});

describe("a reply whose object died", () => {
  it("a reply whose object died begins again when nothing was shown", async () => {
    const user = await signIn();
    const { chatId, replyId } = await startChat(user, "delay 2000\nsay back again");
    await until("the model to be asked", async () => {
      const { messages } = await user.take(listMessages, { params: { id: chatId } });
      return messages[1]?.status === "streaming";
    });
    await kill(env.CHAT_ROOM.getByName(chatId));
    const received = await readReply(user, { chatId, replyId });
    expect(textOf(received)).toBe("back again");
    expect(settledOf(received).status).toBe("done");
  });

  it("a reply whose object died is found when nobody looks: an alarm stands as long as it is written", async () => {
    const user = await signIn();
    const { chatId } = await startChat(user, "fault hang-mid-stream\nbytes 3000");
    const room = env.CHAT_ROOM.getByName(chatId);
    const alarm = () => runInDurableObject(room, (_, { storage }) => storage.getAlarm());
    expect(await alarm()).not.toBeNull();
    await runDurableObjectAlarm(room);
    expect(await alarm()).not.toBeNull();
    await user.take(stopReply, { params: { id: chatId } });
    await until("no alarm to no purpose", async () => (await alarm()) === null);
  });

  it("a reply whose object died begins again at most twice", async () => {
    const user = await signIn();
    // A life that ends while it loads what asks models leaves it half loaded to the others of its runtime.
    await startChatAndRead(user, "say loaded");
    const { chatId } = await startChat(user, "delay 600000\nsay never");
    const statuses: unknown[] = [];
    for (let lives = 1; lives <= 3; lives += 1) {
      await kill(env.CHAT_ROOM.getByName(chatId));
      const { messages } = await user.take(listMessages, { params: { id: chatId } });
      statuses.push(messages[1]?.status);
    }
    expect(statuses).toEqual(["streaming", "streaming", "interrupted"]);
  });

  /** Follows a reply until something of it is there and stored. */
  async function readUntilStored(user: Client, ids: { chatId: string; replyId: string }): Promise<Received[]> {
    const seen = await readReply(user, { ...ids, enough: (events) => textOf(events).length > 300 });
    await until("a checkpoint", () =>
      runInDurableObject(
        env.CHAT_ROOM.getByName(ids.chatId),
        (_, { storage }) => storage.sql.exec("SELECT 1 FROM checkpoints").toArray().length > 0,
      ),
    );
    return seen;
  }

  it("a reply whose object died goes on by itself where its text broke off, and takes back nothing that was stored", async () => {
    const user = await signIn();
    const { chatId, replyId } = await startChat(user, `speed 2500\nbytes ${LENGTH * 20}`);
    const seen = await readUntilStored(user, { chatId, replyId });
    await kill(env.CHAT_ROOM.getByName(chatId));
    const last = seen.at(-1)?.id;
    const after = await readReply(user, { chatId, replyId, ...(last ? { from: last } : {}) });
    expect(settledOf(after)).toMatchObject({ status: "done", error: null });
    const { messages } = await user.take(listMessages, { params: { id: chatId } });
    const content = messages[1]?.content ?? "";
    expect(textOf([...seen, ...after])).toBe(content);
    const before = (await lastRequestOf<Asked>(chatId)).messages.at(-2)?.content ?? "";
    expect(before).not.toBe("");
    expect(content.startsWith(before)).toBe(true);
    expect(content.length).toBeGreaterThan(before.length);
  });

  it("a reply whose object died ends at its last checkpoint the second time, marked interrupted, and goes on when asked", async () => {
    const user = await signIn();
    const { chatId, replyId } = await startChat(user, `speed 2500\nbytes ${LENGTH * 20}`);
    const seen = await readUntilStored(user, { chatId, replyId });
    const room = env.CHAT_ROOM.getByName(chatId);
    await runInDurableObject(room, (_, { storage }) => {
      const turn = JSON.parse(storage.sql.exec<{ turn: string }>("SELECT turn FROM chat").one().turn);
      storage.sql.exec("UPDATE chat SET turn = ?", JSON.stringify({ ...turn, wasResumed: true }));
    });
    await kill(room);
    const last = seen.at(-1)?.id;
    const after = await readReply(user, { chatId, replyId, ...(last ? { from: last } : {}) });
    expect(settledOf(after).status).toBe("interrupted");
    const { messages } = await user.take(listMessages, { params: { id: chatId } });
    expect(messages[1]?.content).not.toBe("");
    expect(textOf([...seen, ...after])).toBe(messages[1]?.content);
    const again = await user.take(continueReply, { params: { id: chatId, messageId: replyId } });
    expect(again.replyId).toBe(replyId);
    const complete = await readReply(user, { chatId, replyId });
    expect(settledOf(complete).status).toBe("done");
    const { messages: asked } = await lastRequestOf<Asked>(chatId);
    expect(asked.slice(-2)).toMatchObject([{ role: "assistant", content: messages[1]?.content }, { role: "user" }]);
    expect(textOf(complete).startsWith(messages[1]?.content ?? "-")).toBe(true);
    expect(textOf(complete).length).toBeGreaterThan(messages[1]?.content.length ?? 0);
  });
});

it.each([
  ["401", "retry", "failed"],
  ["402", "retry", "failed"],
  ["403-moderation", "switch_model", "failed"],
  ["404", "switch_model", "failed"],
  ["429-long", "wait", "failed"],
  ["500", "retry", "failed"],
  ["context_length_exceeded", "switch_model", "failed"],
  ["model_not_found", "switch_model", "failed"],
  ["empty", "retry", "failed"],
])("a fault of the aggregator: %s ends in the turn with its cause and the action %s", async (fault, action, status) => {
  const user = await signIn();
  const { settled, chatId, received } = await startChatAndRead(user, `fault ${fault}\nHello`);
  expect(settled.status).toBe(status);
  expect(received.filter(({ event }) => event.type === "retry")).toEqual([]);
  expect(settled.error?.action).toBe(action);
  expect(settled.error?.message).toMatch(fault === "model_not_found" ? /^Model \S+ not found$/ : /^[A-Z].*\.$/);
  const { messages } = await user.take(listMessages, { params: { id: chatId } });
  expect(messages[0]?.content).toBe(`fault ${fault}\nHello`);
  expect(messages[1]?.error).toEqual(settled.error);
});

it.each(["502", "503", "429"])("a fault of the aggregator: %s that passes is tried again before anything was shown", async (fault) => {
  const user = await signIn();
  const { settled, text, received } = await startChatAndRead(user, `fault ${fault} times 1\nsay made it`);
  expect(received.some(({ event }) => event.type === "retry")).toBe(true);
  expect(text).toBe("made it");
  expect(settled.status).toBe("done");
});

it("a fault of the aggregator that lasts is met three times, and no more", async () => {
  const user = await signIn();
  const { settled, text } = await startChatAndRead(user, "fault 503 times 3\nsay too late");
  expect(text).toBe("");
  expect(settled).toMatchObject({ status: "failed", error: { message: expect.stringMatching(/three attempts/) } });
});

it.each(["cut", "error-mid-stream", "error-mid-stream-string-code"])(
  "a fault of the aggregator: %s keeps the text that came",
  async (fault) => {
    const user = await signIn();
    const { settled, text, received } = await startChatAndRead(user, `fault ${fault}\nbytes 2000`);
    expect(["interrupted", "failed"]).toContain(settled.status);
    expect(received.filter(({ event }) => event.type === "retry")).toEqual([]);
    expect(settled.error).not.toBeNull();
    expect(text).not.toBe("");
  },
);

it.each(["split-utf8", "crlf", "no-done", "linger", "no-usage"])(
  "a fault of the aggregator: %s is no fault to the reader",
  async (fault) => {
    const user = await signIn();
    const { settled, text } = await startChatAndRead(user, `fault ${fault}\nspeed 50\nsay Grüße, 世界 🌍`);
    expect(text).toBe("Grüße, 世界 🌍");
    expect(settled.status).toBe("done");
    expect(settled.error).toBeNull();
  },
);

it("a fault of the aggregator says that an answer was cut off at the model's limit, and goes on", async () => {
  const user = await signIn();
  const { settled, chatId, replyId } = await startChatAndRead(user, "fault length\nbytes 500");
  expect(settled).toMatchObject({ status: "done", finish_reason: "length" });
  await user.take(continueReply, { params: { id: chatId, messageId: replyId } });
  expect(settledOf(await readReply(user, { chatId, replyId })).status).toBe("done");
});

it("a fault of the aggregator ends an answer that never ends before it is longer than a row", async () => {
  const user = await signIn();
  const { settled, text, chatId } = await startChatAndRead(user, "fault endless\nHello");
  expect(settled).toMatchObject({ status: "failed", error: { code: "AGGREGATOR_ENDLESS", action: "switch_model" } });
  const bytes = new TextEncoder().encode(text).byteLength;
  expect(bytes).toBeLessThanOrEqual(1_500_000);
  expect(bytes).toBeGreaterThan(1_400_000);
  const { messages } = await user.take(listMessages, { params: { id: chatId } });
  expect(messages[1]?.content === text).toBe(true);
});

it("a fault of the aggregator keeps the beginning of an answer that cannot be stored whole, and the chat goes on", async () => {
  const user = await signIn();
  const { chatId, replyId: firstId } = await startChatAndRead(user, "say short");
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) =>
    storage.sql.exec(
      "CREATE TRIGGER too_long BEFORE UPDATE ON messages WHEN length(NEW.content) > 120000 BEGIN SELECT RAISE(ABORT, 'too long'); END",
    ),
  );
  const asked = { id: crypto.randomUUID(), parent_id: firstId, content: "bytes 150000", model_id: CHEAP_MODEL };
  const { replyId } = await user.take(sendMessage, { params: { id: chatId }, body: asked });
  const received = await readReply(user, { chatId, replyId });
  expect(settledOf(received)).toMatchObject({ status: "failed", error: { code: "INTERNAL" } });
  expect(textOf(received)).toHaveLength(100_000);
  const { messages } = await user.take(listMessages, { params: { id: chatId } });
  expect(messages[3]?.content === textOf(received)).toBe(true);
  const body = { id: crypto.randomUUID(), parent_id: replyId, content: "say on", model_id: CHEAP_MODEL };
  const next = await user.take(sendMessage, { params: { id: chatId }, body });
  expect(textOf(await readReply(user, { chatId, replyId: next.replyId }))).toBe("on");
});

it("a fault of the aggregator leaves failed answers out of what the next model reads", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChatAndRead(user, "fault 500\nHello");
  const turn = await user.take(sendMessage, {
    params: { id: chatId },
    body: { id: crypto.randomUUID(), parent_id: replyId, content: "say fine", model_id: CHEAP_MODEL },
  });
  expect(textOf(await readReply(user, { chatId, replyId: turn.replyId }))).toBe("fine");
});

it("reasoning is streamed with its time, stored, and goes back to its model unmodified", async () => {
  const user = await signIn();
  const { chatId, replyId, received, settled } = await startChatAndRead(
    user,
    "think Let me see.\nsay Seen.",
    "anthropic/claude-sonnet-4.6",
  );
  const reasoning = received.flatMap(({ event }) => (event.type === "reasoning" ? [event.text] : [])).join("");
  expect(reasoning).toBe("Let me see.");
  expect(settled.reasoning_ms).toBeGreaterThanOrEqual(0);
  const { messages } = await user.take(listMessages, { params: { id: chatId } });
  expect(messages[1]).toMatchObject({ reasoning: "Let me see.", content: "Seen." });
  const turn = await user.take(sendMessage, {
    params: { id: chatId },
    body: {
      id: crypto.randomUUID(),
      parent_id: replyId,
      content: "check reasoning\nsay unmodified",
      model_id: "anthropic/claude-sonnet-4.6",
    },
  });
  const next = await readReply(user, { chatId, replyId: turn.replyId });
  expect(settledOf(next).status).toBe("done");
});

describe("a model server that falls silent", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** Lets every stream of the aggregator say what the test says, in the room that asked. */
  function speakForModels() {
    const real = globalThis.fetch;
    const opened: ReadableByteStreamController[] = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const url = new Request(input).url;
      if (!url.endsWith("/chat/completions") || !JSON.stringify(init?.body).includes('\\"stream\\":true')) return real(input, init);
      const body = new ReadableStream({
        type: "bytes",
        start(controller) {
          opened.push(controller);
          init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    });
    return opened;
  }

  it("a model server that falls silent for over a minute is reported and what came is kept; a comment is a sign of life", async () => {
    const user = await signIn();
    const opened = speakForModels();
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
    const chat = await startChat(user, "say anything");
    const room = env.CHAT_ROOM.getByName(chat.chatId);
    const stream = await until("the question", () => opened[0]);
    const say = async (text: string) => {
      await runInDurableObject(room, () => stream.enqueue(encoder.encode(text)));
      await until("the reader, who waits for more", () => runInDurableObject(room, () => stream.byobRequest !== null));
    };
    const pass = (seconds: number) => runInDurableObject(room, () => void vi.advanceTimersByTime(seconds * 1_000));
    await pass(70);
    await say(":\n\n");
    await pass(55);
    await say(`data: ${JSON.stringify({ choices: [{ delta: { content: "The first words" } }] })}\n\n`);
    const reading = readReply(user, chat);
    await pass(70);
    await say(": A PROVIDER IS STILL AT WORK ON THIS\n\n");
    await pass(55);
    const { messages } = await user.take(listMessages, { params: { id: chat.chatId } });
    expect(messages[1]).toMatchObject({ status: "streaming", content: "The first words" });
    await pass(35);
    const received = await reading;
    expect(textOf(received)).toBe("The first words");
    expect(settledOf(received)).toMatchObject({ status: "interrupted", error: { code: "AGGREGATOR_STALLED", action: "retry" } });
  });
});
