import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { signOut } from "#shared/contracts/account/auth.ts";
import { putAllowlist, updateUser } from "#shared/contracts/account/users.ts";
import { listMessages, sendMessage } from "#shared/contracts/chat/messages.ts";
import { CHEAP_MODEL, readReply, startChatAndRead } from "#test/support/replies.ts";
import { SESSION_COOKIE } from "#test/support/seed-account.ts";
import { cookiesOf, post } from "#test/support/sign-in.ts";
import { countTrips } from "#test/support/round-trips.ts";
import { until } from "#test/support/until.ts";
import { type Client, ORIGIN, type Person, refusal, signIn, visitor } from "#test/support/worker.ts";
import { app } from "#worker/app.ts";
import { UserHub } from "#worker/conversation/user-hub/user-hub.ts";

afterEach(() => void vi.restoreAllMocks());

const MODEL = CHEAP_MODEL;

function laterBody(parentId: string) {
  return { id: crypto.randomUUID(), parent_id: parentId, content: "say Short.", model_id: MODEL };
}

/** Sends a message behind an answer, and waits for its own. */
async function sendLater(person: Client, { chatId, replyId }: { chatId: string; replyId: string }) {
  const body = laterBody(replyId);
  const turn = await person.take(sendMessage, { params: { id: chatId }, body });
  await readReply(person, { chatId, replyId: turn.replyId });
  return { chatId, replyId: turn.replyId, body };
}

/** Someone whose hub relies on their session, what somebody copied of its cookie, and the chat so far. */
async function relied() {
  const person = await signIn();
  const last = await sendLater(person, await startChatAndRead(person, "say First."));
  const copy = visitor();
  copy.cookies.set(SESSION_COOKIE, person.cookies.get(SESSION_COOKIE) ?? "");
  return { person, copy, last };
}

const messagesOf = async (person: Person, chatId: string) => {
  const { messages } = await person.take(listMessages, { params: { id: chatId } });
  return messages.length;
};

/** The rows of sessions that are asked before an answer. */
const asked = async (act: () => Promise<unknown>) => (await countTrips(act)).calls.filter((call) => call.includes('"sessions"'));

it("a later message asks no row of its session, which its hub knows", async () => {
  const { person, last } = await relied();
  const body = laterBody(last.replyId);
  expect(await asked(() => person.take(sendMessage, { params: { id: last.chatId }, body }))).toEqual([]);
});

it("a later message is not taken of a session that ended, nor is an earlier one answered again", async () => {
  const { person, copy, last } = await relied();
  const there = await signIn(visitor(), person.email);
  const before = await messagesOf(there, last.chatId);
  await person.take(signOut, { body: {} });
  const params = { id: last.chatId };
  for (const body of [laterBody(last.replyId), last.body, { ...laterBody(last.replyId), model_id: undefined }]) {
    expect(refusal(await copy.call(sendMessage, { params, body }))).toBe("UNAUTHENTICATED");
    const init = { method: "POST", headers: { accept: "text/event-stream", "content-type": "application/json" } };
    const events = await copy.fetch(`/api/chat/${last.chatId}/messages`, { ...init, body: JSON.stringify(body) });
    expect([events.status, await events.text()]).toEqual([401, expect.stringContaining("UNAUTHENTICATED")]);
  }
  expect(await messagesOf(there, last.chatId)).toBe(before);
});

it.each([false, true])(
  "a later message is not taken of a session that ended once its row was read (everywhere: %s)",
  async (everywhere) => {
    const { person, last } = await relied();
    const there = await signIn(visitor(), person.email);
    const before = await messagesOf(person, last.chatId);
    const { reserve } = UserHub.prototype;
    const gate = Promise.withResolvers<void>();
    const arrived = vi.spyOn(UserHub.prototype, "reserve").mockImplementationOnce(async function (this: UserHub, input) {
      await gate.promise;
      return reserve.call(this, input);
    });
    const answer = there.call(sendMessage, { params: { id: last.chatId }, body: laterBody(last.replyId) });
    await until("the message to reach the hub", () => arrived.mock.calls.length > 0);
    expect(arrived.mock.calls[0]?.[0].session?.row).toMatchObject({ at: expect.any(Number) });
    await there.take(signOut, { body: { everywhere } });
    gate.resolve();
    expect(refusal(await answer)).toBe("UNAUTHENTICATED");
    const again = await signIn(visitor(), person.email);
    expect(await messagesOf(again, last.chatId)).toBe(before);
    await sendLater(again, last);
  },
);

it("a later message of a session that ended learns nothing of a chat, there or not", async () => {
  const { person, copy, last } = await relied();
  const stranger = await startChatAndRead(await signIn(), "say Mine.");
  await person.take(signOut, { body: {} });
  for (const id of [stranger.chatId, crypto.randomUUID()]) {
    const answer = await copy.call(sendMessage, { params: { id }, body: laterBody(last.replyId) });
    expect(refusal(answer)).toBe("UNAUTHENTICATED");
  }
});

it("a later message of another device goes on", async () => {
  const { person, last } = await relied();
  const there = await signIn(visitor(), person.email);
  const next = await sendLater(there, last);
  await person.take(signOut, { body: {} });
  const { replyId } = await sendLater(there, next);
  expect(replyId).not.toBe(next.replyId);
});

it("a later message goes by what was set on another device a moment before", async () => {
  const { person, last } = await relied();
  const there = await signIn(visitor(), person.email);
  const params = { id: last.chatId };
  await there.take(putAllowlist, { body: { model_allowlist: ["openai/gpt-5-nano"] } });
  expect(refusal(await person.call(sendMessage, { params, body: laterBody(last.replyId) }))).toBe("MODEL_NOT_ALLOWED");
  await there.take(putAllowlist, { body: { model_allowlist: null } });
  await there.take(updateUser, { body: { display_name: "Renamed" } });
  const { body } = await sendLater(person, last);
  const { messages } = await person.take(listMessages, { params });
  expect(messages.find(({ id }) => id === body.id)).toMatchObject({ author: { display_name: "Renamed" } });
});

it("a later message asks the row for a while after something was set, as clocks differ", async () => {
  const { person, last } = await relied();
  await person.take(updateUser, { body: { display_name: "Renamed" } });
  const next = await sendLater(person, last);
  const body = laterBody(next.replyId);
  expect(await asked(() => person.take(sendMessage, { params: { id: last.chatId }, body }))).not.toEqual([]);
});

it("a later message goes by what was set once a hub that could not be reached just then hears of it", async () => {
  const { person, last } = await relied();
  const there = await signIn(visitor(), person.email);
  const noting = vi.spyOn(UserHub.prototype, "noteSettingsChange").mockRejectedValueOnce(new Error("The hub is away"));
  await there.take(putAllowlist, { body: { model_allowlist: ["openai/gpt-5-nano"] } });
  await until("the job", () => noting.mock.calls.length > 1);
  const params = { id: last.chatId };
  expect(refusal(await person.call(sendMessage, { params, body: laterBody(last.replyId) }))).toBe("MODEL_NOT_ALLOWED");
});

it("a later message is not taken of a session whose person went away while it ended", async () => {
  const { person, copy, last } = await relied();
  const { endSessions } = UserHub.prototype;
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const ending = vi.spyOn(UserHub.prototype, "endSessions").mockImplementationOnce(async function (this: UserHub, sessionIds) {
    await gate.promise;
    await endSessions.call(this, sessionIds);
    order.push("the hub has heard");
  });
  const waitedFor: Promise<unknown>[] = [];
  const context = {
    waitUntil: (work: Promise<unknown>) => void waitedFor.push(work),
    passThroughOnException: () => undefined,
    props: {},
  };
  const request = new Request(`${ORIGIN}${signOut.path}`, post({}, cookiesOf(person)));
  const answer = app.fetch(request, env, context);
  await until("the hub to be told", () => ending.mock.calls.length > 0);
  // For so long a request goes on whose client is gone.
  const over = Promise.all(waitedFor).then(() => order.push("nothing is kept going"));
  gate.resolve();
  await Promise.all([over, answer]);
  expect(order).toEqual(["the hub has heard", "nothing is kept going"]);
  expect(refusal(await copy.call(sendMessage, { params: { id: last.chatId }, body: laterBody(last.replyId) }))).toBe("UNAUTHENTICATED");
});

it("a later message is not taken once a hub that could not be reached as the session ended hears of it", async () => {
  const { person, copy, last } = await relied();
  const ending = vi.spyOn(UserHub.prototype, "endSessions").mockRejectedValueOnce(new Error("The hub is away"));
  await person.take(signOut, { body: {} });
  await until("the job", () => ending.mock.calls.length > 1);
  expect(refusal(await copy.call(sendMessage, { params: { id: last.chatId }, body: laterBody(last.replyId) }))).toBe("UNAUTHENTICATED");
});
