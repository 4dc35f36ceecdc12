import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { getSession, signOut } from "#shared/contracts/account/auth.ts";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { continueReply, editMessage, listMessages, regenerateReply, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import { removeShare } from "#shared/contracts/chat/sharing.ts";
import { AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";
import { ErrorBody } from "#shared/errors.ts";
import { markdownOfLength } from "#test/simulators/aggregator/bytes.ts";
import { killRoom } from "#test/support/kill-room.ts";
import {
  CHEAP_MODEL,
  readEvents,
  readReply,
  settledOf,
  startChat,
  startChatAndRead,
  beginStreamedTurn,
  textOf,
} from "#test/support/replies.ts";
import { shareIdOf, startSharedChat } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";
import { UserHub } from "#worker/conversation/user-hub/user-hub.ts";

const LENGTH = 6_000;
const TEXT = markdownOfLength(LENGTH);
const SECOND = 1_000;
/** Light enough for guests. */
const LIGHT_MODEL = "openai/gpt-5-nano";

afterEach(() => void vi.restoreAllMocks());

function message(content: string, parentId: string | null = null, modelId = CHEAP_MODEL) {
  return { id: crypto.randomUUID(), parent_id: parentId, content, model_id: modelId };
}

/** The first message of a new chat, asked for as events. */
async function sendFirst(client: Client, content: string, modelId = CHEAP_MODEL) {
  const chatId = crypto.randomUUID();
  const body = message(content, null, modelId);
  return { chatId, body, response: await beginStreamedTurn(client, sendMessage, { params: { id: chatId }, body }) };
}

/** Reads an answer to its end, which `isOver` then says. */
function watch(response: Response) {
  const state = { isOver: false, text: "" };
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  void (async () => {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) state.text += next.value;
    state.isOver = true;
  })();
  return state;
}

it("a message whose answer is asked for as events is answered by its own reply: first what was accepted, then all that the reply's stream sends", async () => {
  const user = await signIn();
  const { chatId, body, response } = await sendFirst(user, `bytes ${LENGTH}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(response.headers.get("cache-control")).toBe("no-store");
  const { accepted, received } = await readEvents(response);
  const { messages } = await user.take(listMessages, { params: { id: chatId } });
  expect(accepted).toEqual({ type: "accepted", messageId: body.id, replyId: messages[1]?.id });
  expect(textOf(received)).toBe(TEXT);
  expect(settledOf(received)).toMatchObject({ status: "done", text: LENGTH });
  const followed = await readReply(user, { chatId, replyId: accepted?.replyId ?? "" });
  expect(textOf(followed)).toBe(TEXT);
  expect(followed.at(-1)).toEqual(received.at(-1));
});

it("a message whose answer is asked for as events says that it was accepted before its model says a word", async () => {
  const user = await signIn();
  const { chatId, response } = await sendFirst(user, "delay 600000\nsay never");
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toMatch(/^data:\{"type":"accepted",/);
  await user.take(stopReply, { params: { id: chatId } });
  await reader?.cancel();
});

it("a message whose answer is asked for as events may be an edit, a regeneration and a continuation", async () => {
  const user = await signIn();
  const { chatId, messageId, replyId } = await startChatAndRead(user, "fault length\nsay one two three");
  const on = await readEvents(await beginStreamedTurn(user, continueReply, { params: { id: chatId, messageId: replyId } }));
  expect(on.accepted).toEqual({ type: "accepted", messageId, replyId });
  expect(settledOf(on.received).status).toBe("done");
  const again = { id: crypto.randomUUID() };
  const other = await readEvents(
    await beginStreamedTurn(user, regenerateReply, { params: { id: chatId, messageId: replyId }, body: again }),
  );
  expect(other.accepted).toEqual({ type: "accepted", messageId, replyId: again.id });
  expect(settledOf(other.received).status).toBe("done");
  const edited = { id: crypto.randomUUID(), content: "say edited" };
  const version = await readEvents(await beginStreamedTurn(user, editMessage, { params: { id: chatId, messageId }, body: edited }));
  expect(version.accepted?.messageId).toBe(edited.id);
  expect(textOf(version.received)).toBe("edited");
  const { messages } = await user.take(listMessages, { params: { id: chatId } });
  expect(messages.map(({ id }) => id)).toEqual([edited.id, version.accepted?.replyId]);
});

it("a message whose answer is asked for as events says what the product chose, where it was left to it", async () => {
  const user = await signIn();
  const chatId = crypto.randomUUID();
  const body = { ...message("say chosen"), model_id: AUTOPILOT_MODEL_ID };
  const { accepted, received } = await readEvents(await beginStreamedTurn(user, sendMessage, { params: { id: chatId }, body }));
  expect(textOf(received)).toBe("chosen");
  const { messages } = await user.take(listMessages, { params: { id: chatId } });
  expect(accepted?.autopilot?.model_id).toBe(messages[1]?.model_id);
  expect(accepted?.autopilot).toEqual(messages[1]?.autopilot);
});

it("a message whose answer is asked for as events makes a visitor a guest, whose chat it is", async () => {
  const client = visitor();
  const { chatId, response } = await sendFirst(client, "say welcome", LIGHT_MODEL);
  expect(textOf((await readEvents(response)).received)).toBe("welcome");
  expect((await client.take(getSession, {})).user?.anonymous).toBe(true);
  expect((await client.take(listChats, {})).chats.map(({ id }) => id)).toEqual([chatId]);
});

it.each([null, "*/*", "application/json", "text/html, application/json;q=0.9"])(
  "whoever asks for no events is answered 202 with the ids (accept: %s)",
  async (accept) => {
    const user = await signIn();
    const body = message("say plain");
    const chatId = crypto.randomUUID();
    const response = await user.fetch(`/api/chat/${chatId}/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(accept !== null && { accept }) },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(202);
    const { replyId, ...rest }: { replyId: string } = await response.json();
    expect(rest).toEqual({ messageId: body.id });
    expect(textOf(await readReply(user, { chatId, replyId }))).toBe("plain");
  },
);

it("a refusal is an ordinary answer with its code, and nothing is stored", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChat(user, "delay 600000\nsay never");
  const other = await signIn();
  const unknownModel = { ...message("say no"), model_id: "nobody/nothing" };
  const fresh = crypto.randomUUID();
  const refusals = [
    [409, "TURN_IN_PROGRESS", await beginStreamedTurn(user, sendMessage, { params: { id: chatId }, body: message("say no", replyId) })],
    [404, "NOT_FOUND", await beginStreamedTurn(other, sendMessage, { params: { id: chatId }, body: message("say no", replyId) })],
    [400, "INVALID_INPUT", await beginStreamedTurn(user, sendMessage, { params: { id: fresh }, body: message(" ") })],
    [404, "MODEL_NOT_FOUND", await beginStreamedTurn(user, sendMessage, { params: { id: fresh }, body: unknownModel })],
    [
      401,
      "UNAUTHENTICATED",
      await beginStreamedTurn(visitor(), regenerateReply, { params: { id: chatId, messageId: replyId }, body: { id: fresh } }),
    ],
    [404, "NOT_FOUND", await beginStreamedTurn(other, continueReply, { params: { id: chatId, messageId: replyId } })],
  ] as const;
  for (const [status, code, response] of refusals) {
    expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/json"]);
    expect(ErrorBody.parse(await response.json()).code).toBe(code);
  }
  await user.take(stopReply, { params: { id: chatId } });
  expect((await user.take(listMessages, { params: { id: chatId } })).messages).toHaveLength(2);
  expect(await user.call(listMessages, { params: { id: fresh } })).toMatchObject({ status: 404 });
});

it("a refusal of the room says when to come back, and takes a first message's chat back", async () => {
  const user = await signIn();
  vi.spyOn(UserHub.prototype, "reserve").mockResolvedValueOnce({ ok: false, code: "RATE_LIMITED", message: "Slowly.", retryAfter: 7 });
  const { chatId, response } = await sendFirst(user, "say no");
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
  expect(await response.json()).toEqual({ error: "Slowly.", code: "RATE_LIMITED" });
  const row = await env.DB.prepare("SELECT 1 FROM chats WHERE id = ?").bind(chatId).first();
  expect(row).toBeNull();
});

it("the same message again is answered from the beginning of the same reply, while it is written and after", async () => {
  const user = await signIn();
  const { chatId, body, response } = await sendFirst(user, `speed 400\nbytes ${LENGTH}`);
  const first = await readEvents(response, (events) => textOf(events).length > 50);
  const send = () => beginStreamedTurn(user, sendMessage, { params: { id: chatId }, body });
  const [running, late] = [await readEvents(await send()), await readEvents(await send())];
  for (const again of [running, late]) {
    expect(again.accepted).toEqual(first.accepted);
    expect(textOf(again.received)).toBe(TEXT);
  }
  expect((await user.take(listMessages, { params: { id: chatId } })).messages).toHaveLength(2);
  expect(await user.take(sendMessage, { params: { id: chatId }, body })).toEqual({
    messageId: body.id,
    replyId: first.accepted?.replyId,
  });
});

it("the same message again twice at once is one turn, sent to both", async () => {
  const user = await signIn();
  const chatId = crypto.randomUUID();
  const body = message("say once");
  const send = async () => readEvents(await beginStreamedTurn(user, sendMessage, { params: { id: chatId }, body }));
  const [one, two] = await Promise.all([send(), send()]);
  expect(one.accepted).toEqual(two.accepted);
  expect([textOf(one.received), textOf(two.received)]).toEqual(["once", "once"]);
  expect((await user.take(listMessages, { params: { id: chatId } })).messages).toHaveLength(2);
});

it("'Continue' that is sent again by its key goes on no second time, in whatever form it is asked for", async () => {
  const user = await signIn();
  const { chatId, replyId } = await startChatAndRead(user, "fault length\nbytes 500");
  const path = `/api/chat/${chatId}/messages/${replyId}/continue`;
  const ask = (accept: string) => user.fetch(path, { method: "POST", headers: { accept, "idempotency-key": "once" } });
  const first = await readEvents(await ask("text/event-stream"));
  expect(settledOf(first.received).finish_reason).toBe("stop");
  const before = await user.take(listMessages, { params: { id: chatId } });
  const again = await readEvents(await ask("text/event-stream"));
  expect(again.accepted).toEqual(first.accepted);
  expect(textOf(again.received)).toBe(textOf(first.received));
  const plain = await ask("application/json");
  expect(plain.status).toBe(202);
  expect(await plain.json()).toEqual({ messageId: first.accepted?.messageId, replyId });
  expect(await user.take(listMessages, { params: { id: chatId } })).toEqual(before);
});

it("a connection that is lost goes on at its position by the reply's own stream: nothing is lost and nothing doubled", async () => {
  const user = await signIn();
  const { chatId, response } = await sendFirst(user, `speed 400\nbytes ${LENGTH}`);
  const { accepted, received } = await readEvents(response, (events) => textOf(events).length > 20);
  let connections = 1;
  while (received.at(-1)?.event.type !== "settled") {
    const stopAfter = received.length + 1 + Math.floor(Math.random() * 3);
    const after = received.at(-1)?.id ?? "";
    const next = await user.fetch(`/api/chat/${chatId}/replies/${accepted?.replyId}?after=${after}`);
    received.push(...(await readEvents(next, (events) => received.length + events.length >= stopAfter)).received);
    connections += 1;
  }
  expect(connections).toBeGreaterThan(3);
  expect(textOf(received)).toBe(TEXT);
  const positions = received.map(({ id }) => id);
  expect(new Set(positions).size).toBe(positions.length);
});

it("a connection that is lost goes on by what the browser says last, and not by where it began", async () => {
  const user = await signIn();
  const { chatId, replyId, received } = await startChatAndRead(user, "say whole");
  const last = received.at(-1)?.id ?? "";
  const path = `/api/chat/${chatId}/replies/${replyId}?after=0.0`;
  expect(textOf((await readEvents(await user.fetch(path))).received)).toBe("whole");
  expect((await readEvents(await user.fetch(path, { headers: { "last-event-id": last } }))).received).toEqual([]);
  expect((await user.fetch(`/api/chat/${chatId}/replies/${replyId}?after=soon`)).status).toBe(400);
});

it("a connection that is lost goes on where the room died", async () => {
  const user = await signIn();
  const { chatId, response } = await sendFirst(user, `speed 1000\nbytes ${LENGTH}`);
  const { accepted, received } = await readEvents(response, (events) => textOf(events).length > 300);
  await killRoom(chatId);
  const replyId = accepted?.replyId ?? "";
  const after = await readEvents(await user.fetch(`/api/chat/${chatId}/replies/${replyId}?after=${received.at(-1)?.id ?? ""}`));
  const { messages } = await user.take(listMessages, { params: { id: chatId } });
  expect(textOf([...received, ...after.received])).toBe(messages[1]?.content);
});

it("a connection that is lost leaves the turn to go on by itself", async () => {
  const user = await signIn();
  const { chatId, response } = await sendFirst(user, "delay 200\nsay alone");
  await response.body?.cancel();
  const reply = await until("the answer's end", async () => {
    const { messages } = await user.take(listMessages, { params: { id: chatId } });
    return messages.find(({ role, status }) => role === "assistant" && status === "done");
  });
  expect(reply.content).toBe("alone");
});

it("the stream of a message's own request ends within a second of signing out", async () => {
  const user = await signIn();
  const { response } = await sendFirst(user, `speed 20\nbytes ${LENGTH}`);
  const stream = watch(response);
  await until("the first words", () => stream.text.includes('data:"'));
  await until("the list to know", async () => (await user.take(listChats, {})).chats[0]?.isStreaming === true);
  await user.take(signOut, { body: {} });
  await until("the stream's end", () => stream.isOver, SECOND);
  expect(stream.text).not.toContain('"settled"');
});

it.each([sendMessage, continueReply])(
  "the stream of a message's own request ends where its session was ended while the turn began ($path)",
  async (endpoint) => {
    const user = await signIn();
    const { chatId, replyId } = await startChatAndRead(user, "fault length\nsay one two three\nspeed 0");
    const { reserve } = UserHub.prototype;
    const gate = Promise.withResolvers<void>();
    const arrived = vi.spyOn(UserHub.prototype, "reserve").mockImplementationOnce(async function (this: UserHub, input) {
      await gate.promise;
      return reserve.call(this, input);
    });
    const body = message("delay 600000\nsay never", replyId);
    const asked =
      endpoint === sendMessage
        ? beginStreamedTurn(user, sendMessage, { params: { id: chatId }, body })
        : beginStreamedTurn(user, continueReply, { params: { id: chatId, messageId: replyId } });
    await until("the turn to begin", () => arrived.mock.calls.length > 0);
    await user.take(signOut, { body: {} });
    gate.resolve();
    const stream = watch(await asked);
    await until("the stream's end", () => stream.isOver, SECOND);
    expect(stream.text).not.toContain('"settled"');
  },
);

it("the stream of a message's own request ends as its sender loses the chat, and is refused where they lost it before", async () => {
  const { owner, chatId, replyId, as } = await startSharedChat(["editor"]);
  const editor = as("editor");
  const body = message(`speed 20\nbytes ${LENGTH}`, replyId);
  const stream = watch(await beginStreamedTurn(editor, sendMessage, { params: { id: chatId }, body }));
  await until("the first words", () => stream.text.includes('data:"'));
  await owner.take(removeShare, { params: { id: chatId, shareId: await shareIdOf(owner, chatId, editor.email) } });
  await until("the stream's end", () => stream.isOver, SECOND);
  expect(stream.text).not.toContain('"settled"');
  expect((await beginStreamedTurn(editor, sendMessage, { params: { id: chatId }, body })).status).toBe(404);
});
