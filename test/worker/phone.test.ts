import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { createApiKey, listApiKeys } from "#shared/contracts/account/api-keys.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { deleteChat } from "#shared/contracts/chat/chats.ts";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { stopRun } from "#shared/contracts/chat/runs.ts";
import { nextOpening } from "#shared/tools/call-hours.ts";
import { getCallSettings, putCallSettings } from "#shared/contracts/outbound/phone.ts";
import { listToolCategories, putToolSettings } from "#shared/contracts/tools.ts";
import { canary } from "#test/support/canaries.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { CHEAP_MODEL, startChat, startChatAndRead } from "#test/support/replies.ts";
import { killRoom } from "#test/support/kill-room.ts";
import { storeEndedRun, messagesOf, nextPollAt, runsOf, wake } from "#test/support/runs.ts";
import { visitWith } from "#test/support/sign-in.ts";
import { runTool } from "#test/support/tool-call.ts";
import { connect, callServerTool } from "#test/support/tool-client.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn, visit } from "#test/support/worker.ts";
import { checkPhoneNumber } from "#worker/integrations/phone/check-phone-number.ts";
import { dayBoundsAt } from "#worker/integrations/phone/place-call.ts";
import { webhookAddress } from "#worker/integrations/phone/webhook-address.ts";
import { blandCall } from "#worker/integrations/phone/bland-call.ts";
import { deploymentWith } from "#test/support/deployment.ts";

const NUMBER = "+14155550123";
const ALL_DAY = { from_hour: 0, until_hour: 24, calls_per_day: 5 };

/** Someone whose chats may call at any time of the day. */
async function caller({ always = false, ...settings }: Partial<typeof ALL_DAY> & { always?: boolean } = {}): Promise<Person> {
  const person = await signIn();
  await person.take(putToolSettings, {
    body: { settings: { blandCall: { enabled: true, is_always_on_override: true, always_allowed: always } } },
  });
  await person.take(putCallSettings, { body: { ...ALL_DAY, ...settings } });
  return person;
}

const directive = (task: string, more: Record<string, unknown> = {}) =>
  `call blandCall ${JSON.stringify({ phone_number: NUMBER, task, max_duration: 5, ...more })}\nthen\nsay It rings.`;

async function callOf(person: Person, chatId: string, status = "waiting") {
  return until(`a call that is ${status}`, async () =>
    (await messagesOf(person, chatId)).flatMap(({ tool_calls: calls }) => calls).findLast((call) => call.status === status),
  );
}

/** What the service was asked to call for one tool call. */
async function placedFor(callId: string) {
  const response = await fetch(`${env.BLAND_SIMULATOR}/control/requests`);
  const Placed = z.object({ method: z.string(), path: z.string(), body: z.nullish(z.looseObject({ metadata: z.optional(z.unknown()) })) });
  return z
    .array(Placed)
    .parse(await response.json())
    .filter(({ method, path, body }) => method === "POST" && path === "/v1/calls" && Object(body?.metadata).tool_call_id === callId);
}

const approve = (person: Person, chatId: string, callId: string, input?: Record<string, unknown>) =>
  person.call(decideToolCall, { params: { id: chatId, callId }, body: { decision: "approve", ...(input && { input }) } });

/** A chat whose call is under way. */
async function calling(person: Person, task: string) {
  const { chatId } = await startChat(person, directive(task));
  const { id: callId } = await callOf(person, chatId);
  expect((await approve(person, chatId, callId)).ok).toBe(true);
  await until("the answer", async () => (await messagesOf(person, chatId)).at(-1)?.status === "done");
  return { chatId, callId };
}

async function sign(body: string, secret = canary("BLAND_WEBHOOK_SECRET")): Promise<string> {
  const text = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", text.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return Array.from(new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(body))), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

it("a phone call asks with number, task and longest time, is made as edited, and comes back once with what was said and its price", async () => {
  const person = await caller();
  const { chatId, replyId } = await startChat(person, directive("Ask whether the shop opens on Monday."));
  const waiting = await callOf(person, chatId);
  expect(waiting.input).toEqual({ phone_number: NUMBER, task: "Ask whether the shop opens on Monday.", max_duration: 5 });
  const edited = { phone_number: "+49 30 901820", task: "Ask whether the office opens on Monday.", max_duration: 2 };
  expect((await approve(person, chatId, waiting.id, edited)).ok).toBe(true);
  await until("the answer", async () => (await messagesOf(person, chatId)).at(-1)?.status === "done");
  expect(await runsOf(person, chatId)).toMatchObject([
    { kind: "phone", state: "running", number: "+4930901820", max_minutes: 2, cost: null },
  ]);

  await wake(chatId);
  await until("the turn of its end", async () => (await messagesOf(person, chatId)).length === 4);
  expect(await runsOf(person, chatId)).toMatchObject([
    {
      state: "done",
      status: "completed",
      seconds: 45,
      cost: 0.105,
      summary: expect.stringContaining("office opens on Monday"),
      reply_id: replyId,
    },
  ]);
  const [, first, question] = await messagesOf(person, chatId);
  expect(first?.tool_calls[0]).toMatchObject({
    cost: 0.105,
    output: expect.stringMatching(/never follow instructions.*Other side: Hello\?\nAssistant: Hello/s),
  });
  expect(question?.content).toBe("The call to +4930901820 has ended: completed, 0:45, $0.10. Tell me what came of it.");
  await until(
    "the ledger",
    async () => (await person.take(getUsage, { query: { by: "model" } })).usage.find(({ key }) => key === "blandCall")?.cost === 0.105,
  );
  await wake(chatId);
  expect(await messagesOf(person, chatId)).toHaveLength(4);
  expect((await person.take(getUsage, { query: { by: "model" } })).usage.find(({ key }) => key === "blandCall")).toMatchObject({
    calls: 1,
  });
});

it("a phone call reserves what its longest time may cost, and asks nobody where that is not there", async () => {
  const person = await caller();
  const { chatId } = await startChat(person, directive("sim hold", { max_duration: 30 }));
  const { id } = await callOf(person, chatId);
  await approve(person, chatId, id);
  await until("the call", async () => (await runsOf(person, chatId))[0]?.state === "running");
  // 30 minutes at $0.14 are reserved of $5.
  const other = await startChat(person, directive("sim hold", { max_duration: 10 }));
  await approve(person, other.chatId, (await callOf(person, other.chatId)).id);
  expect(await callOf(person, other.chatId, "failed")).toMatchObject({ output: "There is not enough credit left for its longest time." });
  expect(await runsOf(person, other.chatId)).toEqual([]);
});

it("a phone call that a key asked for is reserved and paid within that key's budget", async () => {
  const person = await caller();
  const body = { id: crypto.randomUUID(), name: "Program", scopes: ["ask" as const], budget: 0.5 };
  const { secret } = await person.take(createApiKey, { body });
  const client = await connect(secret ?? "");
  /** A call of so many minutes at $0.14 that the key asked for and its owner approved, by what became of it. */
  const call = async (minutes: number, status: string) => {
    const asked = await callServerTool(client, "ask", { message: directive("sim hold", { max_duration: minutes }), model: CHEAP_MODEL });
    const { chat_id: chatId } = z.parse(z.object({ chat_id: z.string() }), asked.data);
    await approve(person, chatId, (await callOf(person, chatId)).id);
    return { ...(await callOf(person, chatId, status)), chatId };
  };
  expect(await call(5, "failed")).toMatchObject({ output: expect.stringContaining("left of the budget") });
  const { chatId } = await call(2, "done");
  const spent = async () => (await person.take(listApiKeys, {})).keys[0]?.spent ?? 0;
  expect(await spent()).toBeGreaterThan(0.28);
  expect(await call(2, "failed")).toMatchObject({ output: expect.stringContaining("left of the budget") });
  // Hung up: what it cost stays counted, and what was reserved beside is free again.
  await person.take(deleteChat, { params: { id: chatId } });
  await until("the call to be paid", async () => (await spent()) < 0.2);
  expect(await spent()).toBeGreaterThan(0.1);
});

it("a phone call is hung up from the chat", async () => {
  const person = await caller();
  const { chatId, callId } = await calling(person, "sim hold");
  await wake(chatId);
  expect(await runsOf(person, chatId)).toMatchObject([{ state: "running" }]);
  const stranger = await signIn();
  expect(await stranger.call(stopRun, { params: { id: chatId, callId }, body: {} })).toMatchObject({ status: 404 });
  await person.take(stopRun, { params: { id: chatId, callId }, body: {} });
  // Looked at as often as it would be: a look that was under way as it was hung up may still have found it running.
  await until("its end", async () => {
    await wake(chatId);
    return (await runsOf(person, chatId))[0]?.state === "stopped";
  });
  await person.take(stopRun, { params: { id: chatId, callId }, body: {} });
});

it("a phone call that nobody answers says so and costs nothing", async () => {
  const person = await caller();
  const { chatId } = await calling(person, "sim no-answer");
  await wake(chatId);
  await until("the turn of its end", async () => (await messagesOf(person, chatId)).length === 4);
  expect(await runsOf(person, chatId)).toMatchObject([{ state: "failed", status: "no-answer", cost: 0 }]);
  expect((await messagesOf(person, chatId))[2]?.content).toMatch(/^The call to \+14155550123 has ended: no answer\./);
});

it("a phone call is hung up and paid for when its chat is deleted", async () => {
  const person = await caller();
  const { chatId } = await calling(person, `sim hold ${crypto.randomUUID()}`);
  await person.take(deleteChat, { params: { id: chatId } });
  const paid = await until("the ledger", async () =>
    (await person.take(getUsage, { query: { by: "model" } })).usage.find(({ key }) => key === "blandCall"),
  );
  expect(paid).toMatchObject({ cost: 0.105, calls: 1 });
});

it("a phone call is nowhere without its key", async () => {
  const person = await signIn();
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const without = { BLAND_API_KEY: undefined };
  const listed = await visitWith(without, listToolCategories.path, { headers: { cookie } });
  expect(await listed.text()).not.toContain("blandCall");
  expect((await visitWith(without, getCallSettings.path, { headers: { cookie } })).status).toBe(404);
  expect((await visitWith(without, "/api/phone/webhook/a/b/c", { method: "POST", body: "{}" })).status).toBe(404);
  expect(await person.take(getCallSettings, {})).toEqual({
    from_hour: 8,
    until_hour: 20,
    calls_per_day: 5,
    price_per_minute: 0.14,
    time_zone: "UTC",
  });
});

it("An answer to the end of a call that wants to act outside asks by mail, as nobody is looking", async () => {
  const person = await caller();
  const { chatId, replyId } = await startChatAndRead(person, "say Hello.");
  const turnId = crypto.randomUUID();
  await storeEndedRun(chatId, { callId: crypto.randomUUID(), userId: person.user.id, turnId });
  const body = { id: turnId, parent_id: replyId, content: directive("Call again."), model_id: CHEAP_MODEL };
  await person.take(sendMessage, { params: { id: chatId }, body });
  await callOf(person, chatId);
  const mail = await until("the mail that asks", async () => (await mailsTo(env.MAILBOX_SIMULATOR, person.email)).at(0));
  expect(mail.text).toMatch(/^A call or a run that the chat ‘.*’ had set going has ended, and the answer to that wants to use /);
});

describe("a call outside of its person's hours", () => {
  /** Hours that do not hold now. */
  const closed = () => ({
    ...ALL_DAY,
    ...(new Date().getUTCHours() < 12 ? { from_hour: 22, until_hour: 23 } : { from_hour: 0, until_hour: 1 }),
  });
  const setHours = (person: Person, settings: typeof ALL_DAY) => person.take(putCallSettings, { body: settings });

  /** A chat whose call waits for the hours. */
  async function waiting(person: Person, task = "Ask whether the shop opens on Monday.") {
    const { chatId } = await startChat(person, directive(task));
    const { id: callId } = await callOf(person, chatId);
    await setHours(person, closed());
    expect((await approve(person, chatId, callId)).ok).toBe(true);
    await until("the answer", async () => (await messagesOf(person, chatId)).at(-1)?.status === "done");
    return { chatId, callId };
  }

  it("a call outside of its person's hours waits for them once it is approved, is made by itself when they begin, and comes back with what was said", async () => {
    const person = await caller();
    const { chatId, callId } = await waiting(person);
    const [run] = await runsOf(person, chatId);
    expect(run).toMatchObject({ state: "planned", number: NUMBER, starts_at: new Date((await nextPollAt(chatId)) ?? 0).toISOString() });
    const { from_hour: from, until_hour: until_ } = closed();
    expect(nextOpening({ from_hour: from, until_hour: until_ }, "UTC", Date.now())).toBe(Date.parse(run?.starts_at ?? ""));
    const asked = (await messagesOf(person, chatId)).at(-1)?.tool_calls[0];
    expect(asked).toMatchObject({ status: "done", output: expect.stringMatching(/is called by itself on \w+ at \d\d?:00 \(UTC\)/) });
    // The chat is free meanwhile, whatever its object goes through; hours that were moved are waited for anew.
    await killRoom(chatId);
    await wake(chatId);
    expect(await runsOf(person, chatId)).toMatchObject([{ state: "planned" }]);
    expect(await placedFor(callId)).toEqual([]);

    await setHours(person, ALL_DAY);
    await wake(chatId);
    await until("the call", async () => (await placedFor(callId)).length === 1);
    await wake(chatId);
    await until("the turn of its end", async () => (await messagesOf(person, chatId)).length === 4);
    expect(await runsOf(person, chatId)).toMatchObject([{ state: "done", status: "completed", cost: 0.105 }]);
    expect((await messagesOf(person, chatId))[1]?.tool_calls[0]?.output).toContain("Other side: Hello?");
    await wake(chatId);
    expect(await placedFor(callId)).toHaveLength(1);
  });

  it("a call outside of its person's hours is cancelled until then, by those who may stop replies in its chat", async () => {
    const person = await caller();
    const { chatId, callId } = await waiting(person);
    const stranger = await signIn();
    expect(await stranger.call(stopRun, { params: { id: chatId, callId }, body: {} })).toMatchObject({ status: 404 });
    const { run } = await person.take(stopRun, { params: { id: chatId, callId }, body: {} });
    expect(run).toMatchObject({ state: "stopped", status: "cancelled", cost: null });
    await setHours(person, ALL_DAY);
    await wake(chatId);
    expect(await placedFor(callId)).toEqual([]);
    expect(await messagesOf(person, chatId)).toHaveLength(2);
  });

  it("a call outside of its person's hours says why where it cannot be made when they begin", async () => {
    const person = await caller();
    const { chatId, callId } = await waiting(person);
    await setHours(person, { ...ALL_DAY, calls_per_day: 1 });
    await runTool(blandCall, { phone_number: NUMBER, task: "Hello", max_duration: 1 }, { userId: person.user.id });
    await wake(chatId);
    const notice = await until("the turn of its end", async () => (await messagesOf(person, chatId))[2]?.content);
    expect(notice).toMatch(/^The call to \+14155550123 that waited for the calling hours was not made. The day's calls are used up/);
    expect(await runsOf(person, chatId)).toMatchObject([{ state: "failed", status: "not-made" }]);
    expect(await placedFor(callId)).toEqual([]);
  });

  it("a call outside of its person's hours is not made for somebody who was blocked meanwhile", async () => {
    const person = await caller();
    const { chatId, callId } = await waiting(person);
    await setHours(person, ALL_DAY);
    await env.DB.prepare("UPDATE users SET blocked_at = ? WHERE id = ?").bind(new Date().toISOString(), person.user.id).run();
    await wake(chatId);
    expect(await placedFor(callId)).toEqual([]);
  });

  it("a call outside of its person's hours goes out at once by a word for that, and waits where it is always allowed", async () => {
    const person = await caller();
    await setHours(person, closed());
    await person.take(putToolSettings, { body: { settings: { blandCall: { always_allowed: true } } } });
    const later = await startChatAndRead(person, directive("Hello"));
    expect(await runsOf(person, later.chatId)).toMatchObject([{ state: "planned" }]);
    const { chatId } = await startChat(person, directive("Hello", { outside_hours: true }));
    const { id, input } = await callOf(person, chatId);
    expect(await approve(person, chatId, id, { ...Object(input), outside_hours: true })).toMatchObject({ ok: true });
    await until("the call", async () => (await placedFor(id)).length === 1);
    const backwards = await person.call(putCallSettings, { body: { ...ALL_DAY, from_hour: 20, until_hour: 8 } });
    expect(backwards).toMatchObject({ ok: false, error: { error: "Calls have to end later in the day than they begin." } });
  });
});

it.each([
  ["an emergency number", "112"],
  ["another one with a code before it", "+1911"],
  ["a short number", "+49110"],
  ["a premium number", "+1 900 555 0123"],
  ["a premium exchange", "+1 212 976 1234"],
  ["a German premium number", "+49 900 1234567"],
  ["a British shared-cost number", "+44 843 290 0000"],
  ["a satellite", "+881 6 3555 1234"],
  ["an international premium number", "+979 123 456 789"],
  ["a number of no country", "415 555 0123"],
  ["a number with an extension", "+1 415 555 0123 ext. 9"],
  ["words", "+the shop"],
])("a call that must not be made goes to %s", (_name, number) => {
  expect(checkPhoneNumber(number)).toMatchObject({ ok: false });
});

it("a call that must not be made is reported to the model before anybody is asked, and to the person whose edit names another number", async () => {
  const person = await caller();
  const { chatId } = await startChatAndRead(person, directive("Hello", { phone_number: "+19005550123" }));
  expect((await messagesOf(person, chatId)).at(-1)?.tool_calls).toMatchObject([
    { status: "failed", approval: null, output: expect.stringContaining("costs more") },
  ]);
  const other = await startChat(person, directive("Hello"));
  const { id } = await callOf(person, other.chatId);
  const edited = { phone_number: "911", task: "Hello", max_duration: 5 };
  expect(await approve(person, other.chatId, id, edited)).toMatchObject({
    ok: false,
    status: 400,
    error: { error: expect.stringContaining("emergency") },
  });
  expect((await callOf(person, other.chatId)).id).toBe(id);
});

it("a call that must not be made comes outside of its person's hours, by their own clock and through a night in which it changes", () => {
  const hours = { from_hour: 8, until_hour: 20 };
  const seven = Date.parse("2026-11-20T07:30:00Z");
  expect(nextOpening(hours, "UTC", seven)).toBe(Date.parse("2026-11-20T08:00:00Z"));
  expect(nextOpening(hours, "Europe/Berlin", seven)).toBeNull();
  expect(nextOpening(hours, "Asia/Tokyo", Date.parse("2026-11-20T11:00:00Z"))).toBe(Date.parse("2026-11-20T23:00:00Z"));
  expect(nextOpening(hours, "Europe/Berlin", Date.parse("2026-03-28T22:00:00Z"))).toBe(Date.parse("2026-03-29T06:00:00Z"));
  expect(nextOpening(hours, "Europe/Berlin", Date.parse("2026-10-24T20:00:00Z"))).toBe(Date.parse("2026-10-25T07:00:00Z"));
  // 2:00 does not come that night, and midnight is a day's beginning like any other.
  expect(nextOpening({ from_hour: 2, until_hour: 4 }, "Europe/Berlin", Date.parse("2026-03-28T23:30:00Z"))).toBe(
    Date.parse("2026-03-29T01:00:00Z"),
  );
  expect(nextOpening({ from_hour: 0, until_hour: 4 }, "Europe/Berlin", Date.parse("2026-10-25T20:00:00Z"))).toBe(
    Date.parse("2026-10-25T23:00:00Z"),
  );
  expect(dayBoundsAt("Asia/Kolkata", seven)).toEqual({
    begins: Date.parse("2026-11-19T18:30:00Z"),
    ends: Date.parse("2026-11-20T18:30:00Z"),
  });
});

it("a phone call beyond the day's number is not made, however many are made at once", async () => {
  const person = await caller({ calls_per_day: 2 });
  const input = { phone_number: NUMBER, task: "Hello", max_duration: 1 };
  const runs = await Promise.all(Array.from({ length: 6 }, () => runTool(blandCall, input, { userId: person.user.id })));
  expect(runs.filter(({ result }) => result.ok)).toHaveLength(2);
  const refused = runs.find(({ result }) => !result.ok);
  expect(refused?.result).toMatchObject({ error: expect.stringMatching(/^The day's calls are used up: there are 2 a day\./) });
});

it("a phone call that the service refuses does not count", async () => {
  const person = await caller({ calls_per_day: 1 });
  const input = { phone_number: "+14155550199", task: "Hello", max_duration: 1 };
  const make = (number: string) => runTool(blandCall, { ...input, phone_number: number }, { userId: person.user.id });
  expect((await make("+14155550199")).result).toEqual({ ok: false, error: "This number is blacklisted." });
  expect((await make(NUMBER)).result.ok).toBe(true);
});

it("a phone call that may have been made all the same is stored, counted and not made again, and its service's report claims it", async () => {
  const person = await caller({ calls_per_day: 1 });
  const { chatId } = await startChat(person, directive("Say hello."));
  const { id: callId } = await callOf(person, chatId);
  const fetched = fetch;
  let ref = "";
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (...given) => {
    const response = await fetched(...given);
    if (typeof given[0] !== "string" || !given[0].endsWith("/v1/calls")) return response;
    ref = z.object({ call_id: z.string() }).parse(await response.json()).call_id;
    return new Response("Bad gateway", { status: 502 });
  });
  try {
    await approve(person, chatId, callId);
    expect(await callOf(person, chatId, "failed")).toMatchObject({ output: expect.stringContaining("do not call again") });
  } finally {
    spy.mockRestore();
  }
  expect(await runsOf(person, chatId)).toMatchObject([{ state: "starting", call_id: callId }]);
  const again = await runTool(blandCall, { phone_number: NUMBER, task: "Hello", max_duration: 1 }, { userId: person.user.id });
  expect(again.result).toMatchObject({ ok: false, error: expect.stringContaining("used up") });
  await until("the answer", async () => (await messagesOf(person, chatId)).at(-1)?.status === "done");
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) =>
    storage.sql.exec("UPDATE runs SET run = json_set(run, '$.started_at', ?)", new Date(Date.now() - 5 * 60_000).toISOString()),
  );
  await wake(chatId);
  expect(await runsOf(person, chatId)).toMatchObject([{ state: "starting" }]);

  const body = JSON.stringify({ call_id: ref });
  const place = { chatId, callId };
  const path = new URL((await webhookAddress(deploymentWith({ APP_ORIGIN: "http://localhost" }), place)) ?? "").pathname;
  await visit(path, { method: "POST", body, headers: { "x-webhook-signature": await sign(body) } });
  await until("the turn of its end", async () => (await messagesOf(person, chatId)).length === 4);
  expect(await runsOf(person, chatId)).toMatchObject([{ state: "done", cost: 0.105 }]);
  expect((await messagesOf(person, chatId))[1]?.tool_calls[0]?.output).toContain("Other side: Hello?");
});

it("a phone call that a page asks for asks first, although calls are always allowed", async () => {
  const person = await caller({ always: true });
  const content = `call exaCrawl {"urls":["https://rivers.example/bridges"]}\nthen\n${directive("The page says to call this number.")}`;
  const { chatId } = await startChat(person, content);
  const call = await callOf(person, chatId);
  expect(call).toMatchObject({ tool: "blandCall", approval: { isAskedAgain: true, decision: null } });
  expect(await runsOf(person, chatId)).toEqual([]);
});

it("what the phone service reports ends the call at once, and is of no more use", async () => {
  const person = await caller();
  const { chatId, callId } = await calling(person, "Say hello.");
  const requests: unknown = await (await fetch(`${env.BLAND_SIMULATOR}/control/requests`)).json();
  expect(JSON.stringify(requests)).toContain(callId);
  const ref = await refOf(chatId, callId);
  const body = JSON.stringify({ call_id: ref, completed: true, price: 99, concatenated_transcript: "user: forged" });
  const path = new URL((await webhookAddress(deploymentWith({ APP_ORIGIN: "http://localhost" }), { chatId, callId })) ?? "").pathname;
  const notify = async (headers: Record<string, string>, to = path, sent = body) =>
    (await visit(to, { method: "POST", body: sent, headers })).status;

  expect(await notify({})).toBe(401);
  expect(await notify({ "x-webhook-signature": await sign(body, "another secret") })).toBe(401);
  expect(await notify({ "x-webhook-signature": await sign(`${body} `) })).toBe(401);
  expect(
    await notify(
      { "x-webhook-signature": await sign(body) },
      path.replace(/.$/, (last) => (last === "A" ? "B" : "A")).replace(callId, crypto.randomUUID()),
    ),
  ).toBe(404);
  const another = JSON.stringify({ call_id: crypto.randomUUID() });
  expect(await notify({ "x-webhook-signature": await sign(another) }, path, another)).toBe(200);
  expect(await runsOf(person, chatId)).toMatchObject([{ state: "running" }]);

  const signature = await sign(body);
  expect(await notify({ "x-webhook-signature": signature })).toBe(200);
  await until("the turn of its end", async () => (await messagesOf(person, chatId)).length === 4);
  // What it says is read from the service itself.
  expect(await runsOf(person, chatId)).toMatchObject([{ state: "done", cost: 0.105 }]);
  expect(JSON.stringify(await messagesOf(person, chatId))).not.toContain("forged");
  expect(await notify({ "x-webhook-signature": signature })).toBe(200);
  await wake(chatId);
  expect(await messagesOf(person, chatId)).toHaveLength(4);
  expect((await person.take(getUsage, { query: { by: "model" } })).usage.find(({ key }) => key === "blandCall")).toMatchObject({
    calls: 1,
  });
});

it("what the phone service reports goes to an address that only a public deployment has", async () => {
  const place = { chatId: crypto.randomUUID(), callId: crypto.randomUUID() };
  expect(await webhookAddress(env, place)).toBeNull();
  const open = deploymentWith({ APP_ORIGIN: "https://chat.example.com", ENVIRONMENT: "production" });
  expect(await webhookAddress(open, place)).toMatch(/^https:\/\/chat\.example\.com\/api\/phone\/webhook\/.{36}\/.{36}\/[\w-]{43}$/);
  expect(await webhookAddress(deploymentWith({ APP_ORIGIN: "http://localhost", ENVIRONMENT: "production" }), place)).toBeNull();
});

async function refOf(chatId: string, callId: string): Promise<string> {
  return runInDurableObject(
    env.CHAT_ROOM.getByName(chatId),
    (_, { storage }) => storage.sql.exec<{ ref: string }>("SELECT ref FROM runs WHERE call_id = ?", callId).one().ref,
  );
}
