import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import { encodeReplyEvent } from "#shared/reply-events.ts";
import type { PendingSend } from "#web/features/conversation/sending/outbox.ts";
import { id, question, answer } from "./message-factory.ts";
import { memoryStorage } from "#test/support/memory-storage.ts";

const CHAT = id(100);

/** Requests as they came, in short: the text that is sent, or where an edit goes. */
let asked: { path: string; id: string; content: string; parent_id?: string | null }[] = [];
/** What the server has of the chat. */
let stored: ReturnType<typeof question>[] = [];
/** How the next requests to send end; without one they are taken. */
let outcomes: (() => Promise<Response>)[] = [];

const refuse = (status: number, code: string) => async () => Response.json({ error: "Not now.", code }, { status });
const lose = () => Promise.reject(new TypeError("The answer was lost."));

function accepted(messageId: string): Response {
  const replyId = id(900 + asked.length);
  const data = { type: "accepted", messageId, replyId };
  const frames = [`data: ${JSON.stringify(data)}`, `id:0.1\ndata: ${encodeReplyEvent({ type: "text", text: "Well" })}`];
  return new Response(frames.map((frame) => `${frame}\n\n`).join(""), { headers: { "content-type": "text/event-stream" } });
}

async function serve(url: string, init?: RequestInit): Promise<Response> {
  if (url.includes("/session")) return Response.json({ user: null, features: {} });
  if (init?.method !== "POST" && !url.includes("/messages")) return Response.json({ chat: NO_SETTINGS });
  if (init?.method !== "POST") return Response.json({ messages: stored, nextCursor: null });
  const body = typeof init.body === "string" ? JSON.parse(init.body) : {};
  asked.push({ path: url.replace(/^.*\/messages/, ""), ...body });
  return (await outcomes.shift()?.()) ?? accepted(body.id);
}

beforeEach(() => {
  asked = [];
  stored = [question({ id: id(1), content: "Before" }), answer({ id: id(2), parent_id: id(1), content: "Said" })];
  outcomes = [];
  vi.stubGlobal("localStorage", memoryStorage());
  vi.stubGlobal("fetch", serve);
  vi.stubGlobal(
    "EventSource",
    class {
      addEventListener() {}
      close() {}
    },
  );
  browser = new EventTarget();
  vi.stubGlobal("addEventListener", browser.addEventListener.bind(browser));
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run));
});

/** How the tabs of a test come to rest. */
const rests: (() => Promise<void>)[] = [];
let browser = new EventTarget();

// Files share their process: what a message sets going once its first words stand there would ask the next test's server.
afterEach(async () => {
  // Who could not reach the server asks again at once, not in two seconds.
  browser.dispatchEvent(new Event("online"));
  for (const rest of rests.splice(0)) await rest();
  vi.unstubAllGlobals();
});

/** A tab: its memory is its own, the browser's store and its locks are everybody's. */
async function openTab() {
  vi.resetModules();
  const { outbox } = await import("#web/features/conversation/sending/outbox.ts");
  const queued = await import("#web/features/conversation/sending/send-queued.ts");
  const sending = await import("#web/features/conversation/sending/send-message.ts");
  const holding = await import("#web/features/conversation/sending/editing-locks.ts");
  const { keys, queryClient } = await import("#web/lib/query.ts");
  const { afterFirstText } = await import("#web/lib/first-text.ts");
  const { connection } = await import("#web/lib/connection.ts");
  rests.push(async () => {
    await afterFirstText();
    await vi.waitFor(() => expect([queryClient.isFetching(), connection().kind]).toEqual([0, "online"]));
    queryClient.clear();
  });
  queryClient.setQueryData(keys.session, { user: { id: "me", anonymous: false }, features: {} });
  return { outbox, ...queued, ...sending, ...holding, queryClient, keys };
}

const message = (number: number, fields: Partial<PendingSend> = {}): PendingSend => ({
  id: id(number),
  chatId: CHAT,
  content: `Message ${number}`,
  settings: { model_id: "auto" },
  ownerId: null,
  isFirst: false,
  state: { kind: "queued" },
  ...fields,
});

const texts = () => asked.map(({ content }) => content);

test("what one of two tabs with one outbox discards or corrects the other does not send as it was", async () => {
  const here = await openTab();
  here.outbox.add(message(10));
  here.outbox.add(message(11, { chatId: id(101) }));
  const there = await openTab();
  here.outbox.remove(id(10));
  here.outbox.update(id(11), { content: "Corrected" });
  await there.sendQueued();
  expect(texts()).toEqual(["Corrected"]);
  // Neither does what it changes bring the other one back.
  there.outbox.add(message(12));
  expect((await openTab()).outbox.all().map((send) => send.id)).toEqual([id(12)]);
});

test("both of two tabs with one outbox find the connection again, and each message goes once, in its order", async () => {
  const here = await openTab();
  here.outbox.add(message(10));
  const there = await openTab();
  await Promise.all([here.sendQueued(), there.sendQueued()]);
  expect(texts()).toEqual(["Message 10"]);
  expect(here.outbox.get(id(10))).toBeUndefined();
});

test("a message that one of two tabs rewrites is not sent by any, until it is saved or its tab is long closed", async () => {
  const here = await openTab();
  here.outbox.add(message(10));
  here.lockForEditing(message(10));
  const there = await openTab();
  await there.sendQueued();
  expect(asked).toEqual([]);
  // As when its page is left: only saving or cancelling ends it.
  expect(here.isBeingEditedHere(here.outbox.get(id(10)) ?? message(0))).toBe(true);
  here.unlockAfterEditing(id(10), "Rewritten");
  await there.sendQueued();
  expect(texts()).toEqual(["Rewritten"]);

  here.outbox.add(message(11, { chatId: id(101), indexed: { by: "a closed tab", until: Date.now() - 1 } }));
  await there.sendQueued();
  expect(texts()).toEqual(["Rewritten", "Message 11"]);
});

test("a message with every kind of setting goes out of the outbox as it was written", async () => {
  const page = await openTab();
  const settings = { model_id: "auto", persona_id: null, tool_categories: ["email"], context_ids: [], off_record: true };
  page.outbox.add(message(10, { settings, once: { off_record: false, persona_id: "" } }));
  expect((await openTab()).outbox.all()).toHaveLength(1);
  await page.sendQueued();
  expect(asked).toEqual([expect.objectContaining({ ...settings, settings_once: { off_record: false, persona_id: "" } })]);
});

test("of one chat's messages none overtakes one on its way or one that failed; Retry keeps the order", async () => {
  const page = await openTab();
  let answerFirst = () => {};
  outcomes = [
    () => new Promise((resolve) => (answerFirst = () => resolve(Response.json({ error: "Down.", code: "INTERNAL" }, { status: 503 })))),
  ];
  page.outbox.add(message(10, { isFirst: true, parentId: null }));
  page.outbox.add(message(11));
  const runs = [page.sendQueued(), page.sendQueued()];
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  answerFirst();
  await Promise.all(runs);
  await page.sendQueued();
  expect(texts()).toEqual(["Message 10"]);
  expect(page.outbox.get(id(10))?.state.kind).toBe("failed");
  // Asking for the second one asks for the first too, which it answers.
  outcomes = [refuse(503, "INTERNAL")];
  await page.retry(message(11));
  expect(texts()).toEqual(["Message 10", "Message 10"]);
  expect(page.outbox.get(id(11))?.parentId).toBeUndefined();
  page.outbox.update(id(10), { state: { kind: "queued" } });
  await page.retry(message(11));
  expect(texts().slice(2)).toEqual(["Message 10"]);
});

test("a message is sent below the end that the chat has by now, not below the one that was remembered", async () => {
  const page = await openTab();
  const remembered = { pages: [{ messages: stored, nextCursor: null }], pageParams: [undefined] };
  for (const chatId of [CHAT, id(101)]) page.queryClient.setQueryData(page.keys.messages(chatId), remembered);
  stored = [...stored, question({ id: id(3), parent_id: id(2) }), answer({ id: id(4), parent_id: id(3), content: "Later" })];
  page.outbox.add(message(10));
  await page.sendQueued();
  // One that was just written, where what is shown was kept without a network.
  await page.queryClient.invalidateQueries({ queryKey: page.keys.messages(id(101)), refetchType: "none" });
  const direct = message(11, { chatId: id(101), state: { kind: "sending" } });
  page.outbox.add(direct);
  await page.deliver(direct);
  expect(asked.map(({ parent_id: parent }) => parent)).toEqual([id(4), id(4)]);
});

describe("a message that was written before its chat was shown", () => {
  const later = () => [question({ id: id(3), parent_id: id(2), content: "Carla's" }), answer({ id: id(4), parent_id: id(3) })];

  test("a message that was written before its chat was shown comes after what is shown first, and is kept where the chat goes on before it is sent", async () => {
    const page = await openTab();
    page.outbox.add(message(10));
    await page.recordPrecedingMessage(message(10));
    stored = [...stored, ...later()];
    await page.sendQueued();
    expect(asked).toEqual([]);
    expect(page.outbox.all()).toMatchObject([{ follows: id(2), state: { kind: "failed", code: "CHAT_MOVED_ON" } }]);
  });

  test("a message that was written before its chat was shown waits in the queue after what was read for it, as one of a shown chat does", async () => {
    const page = await openTab();
    outcomes = [refuse(409, "TURN_IN_PROGRESS"), async () => Response.json({ ids: [id(10)] })];
    page.outbox.add(message(10, { state: { kind: "sending" } }));
    expect(await page.deliver(message(10))).toEqual({ kind: "sent" });
    expect(asked).toMatchObject([{ parent_id: id(2) }, { id: id(10), after_id: id(2) }]);
  });

  test("a message that was written before its chat was shown is not sent again behind what came after its first try", async () => {
    const page = await openTab();
    outcomes = [refuse(402, "INSUFFICIENT_CREDITS")];
    page.outbox.add(message(10, { state: { kind: "sending" } }));
    await page.deliver(message(10));
    stored = [...stored, ...later()];
    page.outbox.update(id(10), { state: { kind: "queued" } });
    await page.sendQueued();
    expect(asked).toHaveLength(1);
    expect(page.outbox.all()).toMatchObject([{ state: { kind: "failed", code: "CHAT_MOVED_ON" } }]);
  });

  test("a message that was written before its chat was shown goes to a queue after what the chat turns out to end with, which is asked of none that is still to begin", async () => {
    const page = await openTab();
    expect(await page.awaitLastShown(CHAT)).toBe(id(2));
    const begun = { chatId: id(101) };
    page.outbox.add(message(10, { ...begun, isFirst: true, parentId: null }));
    page.outbox.add(message(11, begun));
    await page.recordPrecedingMessage(message(11, begun));
    expect(page.queryClient.getQueryState(page.keys.messages(id(101)))).toBeUndefined();
  });
});

test("a message that may have arrived and was rewritten since becomes another version of itself, once the server says that it has it", async () => {
  const page = await openTab();
  outcomes = [lose];
  page.outbox.add(message(10));
  await page.sendQueued();
  stored = [...stored, question({ id: id(10), parent_id: id(2), content: "Message 10" }), answer({ id: id(5), parent_id: id(10) })];
  page.outbox.update(id(10), { content: "Better" });
  outcomes = [refuse(409, "CONFLICT")];
  const sent = page.outbox.get(id(10)) ?? message(0);
  await page.retry(sent);
  await vi.waitFor(() => expect(asked.at(-1)).toMatchObject({ path: `/${id(10)}/edit`, content: "Better" }));
  await vi.waitFor(() => expect(page.outbox.all()).toEqual([]));
});

test("a message that may have arrived is kept where the chat went on instead, and goes out once its writer has read what came", async () => {
  const page = await openTab();
  page.queryClient.setQueryData(page.keys.messages(CHAT), { pages: [{ messages: stored, nextCursor: null }], pageParams: [undefined] });
  outcomes = [lose, refuse(409, "CHAT_MOVED_ON")];
  page.outbox.add(message(10, { follows: id(2) }));
  await page.sendQueued();
  // It was not taken, and others have written meanwhile: what it follows is remembered with its first try.
  stored = [...stored, question({ id: id(3), parent_id: id(2) }), answer({ id: id(4), parent_id: id(3), content: "Later" })];
  browser.dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(page.outbox.all()).toMatchObject([{ state: { kind: "failed" } }]));
  for (let times = 0; times < 3; times += 1) await page.sendQueued();
  expect(asked.map(({ parent_id: parent }) => parent)).toEqual([id(2), id(2)]);
  expect(page.outbox.all()).toMatchObject([{ content: "Message 10", state: { kind: "failed", code: "CHAT_MOVED_ON" } }]);
  await page.queryClient.refetchQueries({ queryKey: page.keys.messages(CHAT) });
  page.queryClient.setQueryData(page.keys.messages(CHAT), { pages: [{ messages: stored, nextCursor: null }], pageParams: [undefined] });
  await page.retry(page.outbox.get(id(10)) ?? message(0));
  expect([asked.at(-1)?.parent_id, page.outbox.all()]).toEqual([id(4), []]);
});

test("a message that may have arrived and was rewritten since is no other version of it by itself where the chat went on after its answer", async () => {
  const page = await openTab();
  const arrived = [question({ id: id(10), parent_id: id(2), content: "Message 10" }), answer({ id: id(5), parent_id: id(10) })];
  stored = [...stored, ...arrived, question({ id: id(6), parent_id: id(5), content: "Carla's" }), answer({ id: id(7), parent_id: id(6) })];
  page.outbox.add(message(10, { tried: "Message 10", content: "Better" }));
  for (let times = 0; times < 3; times += 1) await page.sendQueued();
  expect(asked).toEqual([]);
  expect(page.outbox.all()).toMatchObject([{ corrects: id(10), content: "Better", state: { kind: "failed", code: "CHAT_MOVED_ON" } }]);
  page.queryClient.setQueryData(page.keys.messages(CHAT), { pages: [{ messages: stored, nextCursor: null }], pageParams: [undefined] });
  await page.retry(page.outbox.all()[0] ?? message(0));
  expect(asked).toMatchObject([{ path: `/${id(10)}/edit`, content: "Better" }]);
  expect(page.outbox.all()).toEqual([]);
});

test("a message that may have arrived is forgotten where the chat shows it, unless another text stands here by now", async () => {
  const page = await openTab();
  const arrived = question({ id: id(10), content: "Message 10" });
  const same = message(10, { tried: "Message 10" });
  const rewritten = message(10, { tried: "Message 10", content: "Better" });
  expect(page.isStoredAsWritten(same, arrived)).toBe(true);
  expect(page.isStoredAsWritten(same, undefined)).toBe(false);
  expect(page.isStoredAsWritten(rewritten, arrived)).toBe(false);
  page.outbox.add(rewritten);
  page.confirmStored(rewritten, arrived);
  expect(page.outbox.all()).toMatchObject([{ corrects: id(10), content: "Better", state: { kind: "queued" } }]);
});
