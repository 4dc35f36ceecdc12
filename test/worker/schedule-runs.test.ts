import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { listChats } from "#shared/contracts/chat/chats.ts";
import { decideToolCall } from "#shared/contracts/chat/tool-calls.ts";
import { createPrompt } from "#shared/contracts/library/prompts.ts";
import { putToolSettings } from "#shared/contracts/tools.ts";
import { ERRORS } from "#shared/errors.ts";
import { isLive } from "#shared/is-live.ts";
import { killRoom } from "#test/support/kill-room.ts";
import { openTab } from "#test/support/live-tab.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import {
  findSchedule,
  messagesIn,
  nextRunAt,
  runScheduleAt,
  runsOf,
  createOwnSchedule,
  scheduleHub,
  wakeHubAt,
} from "#test/support/schedules.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn } from "#test/support/worker.ts";
import { ChatRoom } from "#worker/conversation/chat-room/chat-room.ts";
import { UserHub } from "#worker/conversation/user-hub/user-hub.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function workflow(person: Person, body: Parameters<typeof createOwnSchedule>[1] = {}) {
  const content = "say One.\n---\nsay {{LAST_ANSWER}} Two.";
  const { prompt } = await person.take(createPrompt, { body: { name: "Steps", content } });
  return createOwnSchedule(person, { text: null, prompt_id: prompt.id, ...body });
}

it("a run of a schedule ends where its earlier steps cost all that one run may, and keeps nothing of what it sent", async () => {
  const person = await signIn();
  const schedule = await workflow(person, { budget: 0.01 });
  const look = ChatRoom.prototype.readTurnStatus;
  vi.spyOn(ChatRoom.prototype, "readTurnStatus").mockImplementation(async function (this: ChatRoom, ...asked) {
    const seen = await look.apply(this, asked);
    return seen.ok && seen.value.reply ? { ok: true, value: { ...seen.value, reply: { ...seen.value.reply, costMicros: 10_000 } } } : seen;
  });
  const [run] = await runScheduleAt(person, schedule, { now: nextRunAt(schedule), runs: 1 });
  expect(run).toMatchObject({ state: "failed", cost: 0.01, note: expect.stringContaining("The steps so far cost $0.0100") });
  expect(await messagesIn(person, run?.chat_id ?? "")).toHaveLength(2);
  await runInDurableObject(scheduleHub(person), (_, { storage }) => {
    expect(storage.sql.exec("SELECT steps, difference FROM schedule_runs").toArray()).toEqual([{ steps: null, difference: null }]);
  });
});

it("a run of a schedule counts what an earlier life of its answer's chat spent", async () => {
  const person = await signIn();
  const on = { enabled: true, is_always_on_override: true, always_allowed: true };
  await person.take(putToolSettings, { body: { settings: { createSchedule: on, listSchedules: on } } });
  const input = { message: "say Watered?", when: "every day at 7", time_zone: "UTC" };
  const text = `call createSchedule ${JSON.stringify(input)}\nthen\ncall listSchedules {}\nthen\nsay Set.`;
  const schedule = await createOwnSchedule(person, { text, budget: 0.5 });
  await wakeHubAt(person, nextRunAt(schedule));
  const chatId = await until("the chat", async () => (await runsOf(person, schedule))[0]?.chat_id ?? null);
  const call = await until("the card", async () => {
    const found = (await messagesIn(person, chatId)).at(-1)?.tool_calls ?? [];
    return found.find(({ status }) => status === "waiting") ?? null;
  });
  const room = env.CHAT_ROOM.getByName(chatId);
  await runInDurableObject(
    room,
    (_, { storage }) => void storage.sql.exec("UPDATE messages SET cost_micros = 600000 WHERE role = 'assistant'"),
  );
  await killRoom(chatId);
  await person.take(decideToolCall, { params: { id: chatId, callId: call.id }, body: { decision: "approve" } });
  const answer = await until("the answer", async () => {
    const last = (await messagesIn(person, chatId)).at(-1);
    return last && !isLive(last.status) ? last : null;
  });
  // The model is not asked again: nothing is left to pay it with.
  expect(answer).toMatchObject({
    status: "interrupted",
    error: { code: "TRIGGERED_BUDGET" },
    tool_calls: [{ tool: "createSchedule", status: "done" }],
  });
});

it("a run of a schedule goes on at its step the day after the day's budget was used up, and says so once", async () => {
  const person = await signIn();
  (await openTab(person)).close();
  const schedule = await workflow(person, { when: "in 20 minutes" });
  const due = nextRunAt(schedule);
  const admit = UserHub.prototype.admit;
  let admitted = 0;
  vi.spyOn(UserHub.prototype, "admit").mockImplementation(async function (this: UserHub, turn) {
    admitted += 1;
    return admitted === 2 ? { isAdmitted: false, spentMicros: 1_000_000 } : admit.call(this, turn);
  });
  await wakeHubAt(person, due);
  const waitingRun = await until("the hold", async () => (await runsOf(person, schedule)).find(({ note }) => note !== null) ?? null);
  expect(waitingRun).toMatchObject({
    state: "running",
    ended_at: null,
    chat_id: expect.any(String),
    note: expect.stringContaining("daily budget"),
  });
  expect(await findSchedule(person, schedule)).toMatchObject({ state: "done", note: waitingRun.note });
  const [run, ...more] = await runScheduleAt(person, schedule, { now: Math.ceil(due / DAY) * DAY + DAY, runs: 1 });
  expect(more).toEqual([]);
  expect(run).toMatchObject({ id: waitingRun.id, state: "done", chat_id: waitingRun.chat_id, note: null });
  expect((await findSchedule(person, schedule)).note).toBeNull();
  expect((await messagesIn(person, run?.chat_id ?? "")).map(({ content }) => content)).toEqual([
    "say One.",
    "One.",
    "say One. Two.",
    "One. Two.",
  ]);
  await wakeHubAt(person, due + 5 * DAY);
  const subjects = (await mailsTo(env.MAILBOX_SIMULATOR, person.email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.includes("held back"))).toEqual(["\u2018Steps\u2019 is held back"]);
});

it("a run of a schedule is given up after half an hour in which it could not be taken on, and the next one runs", async () => {
  const person = await signIn();
  vi.spyOn(console, "error").mockReturnValue();
  const schedule = await createOwnSchedule(person, { when: "every hour" });
  const due = nextRunAt(schedule);
  const broken = vi.spyOn(ChatRoom.prototype, "readTurnStatus").mockRejectedValue(new Error("It broke."));
  await wakeHubAt(person, due);
  expect(await runsOf(person, schedule)).toMatchObject([{ state: "running", ended_at: null }]);
  await wakeHubAt(person, due + 31 * MINUTE);
  expect(await runsOf(person, schedule)).toMatchObject([{ state: "failed", note: ERRORS.INTERNAL.message }]);
  broken.mockRestore();
  const [next] = await runScheduleAt(person, schedule, { now: nextRunAt(await findSchedule(person, schedule)), runs: 2 });
  expect(next?.state).toBe("done");
});

it("a run of a schedule leaves no chat and no cost behind where it could not begin yet", async () => {
  const person = await signIn();
  const schedule = await createOwnSchedule(person);
  const due = nextRunAt(schedule);
  vi.spyOn(UserHub.prototype, "reserve").mockResolvedValueOnce({ ok: false, code: "RATE_LIMITED" });
  await wakeHubAt(person, due);
  expect(await runsOf(person, schedule)).toMatchObject([{ state: "running" }]);
  const rows = () => env.DB.prepare("SELECT COUNT(*) AS n FROM chats WHERE user_id = ?").bind(person.user.id).first("n");
  expect(await rows()).toBe(0);
  await runInDurableObject(scheduleHub(person), (_, { storage }) => {
    expect(storage.sql.exec("SELECT id FROM triggered").toArray()).toEqual([]);
  });
  const [run] = await runScheduleAt(person, schedule, { now: due + MINUTE, runs: 1 });
  expect(run?.state).toBe("done");
  expect((await person.take(listChats, {})).chats).toHaveLength(1);
});

it("a run of a schedule is not kept waiting by slow pages, as a minute's worth is read at once", async () => {
  const person = await signIn();
  let asked = 0;
  const plainFetch = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const address = new Request(input).url;
    if (address.startsWith(env.DNS_SIMULATOR)) return Response.json({ Status: 0, Answer: [{ type: 1, data: "93.184.215.14" }] });
    if (!address.startsWith("https://slow.example.org/")) return plainFetch(input, init);
    asked += 1;
    vi.setSystemTime(Date.now() + 15_000);
    return new Response("Slow.", { headers: { "content-type": "text/plain" } });
  });
  const now = Date.now() + DAY;
  for (let page = 0; page < 6; page += 1)
    await createOwnSchedule(person, { when: `when https://slow.example.org/${page} changes`, text: "say It changed." });
  // They come due all at once.
  await runInDurableObject(scheduleHub(person), (_, { storage }) => void storage.sql.exec("UPDATE schedules SET next_at = ?", now));
  await runInDurableObject(scheduleHub(person), (_, { storage }) => void storage.sql.exec("UPDATE due_work SET due_at = ?", now));
  asked = 0;
  await wakeHubAt(person, now);
  expect(asked).toBe(4);
  await wakeHubAt(person, now + 2 * MINUTE);
  expect(asked).toBe(6);
});
