import { env } from "cloudflare:workers";
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { updateUser } from "#shared/contracts/account/users.ts";
import { createChat, getChat, listChats } from "#shared/contracts/chat/chats.ts";
import { createPrompt, deletePrompt, updatePrompt } from "#shared/contracts/library/prompts.ts";
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listScheduleRuns,
  listSchedules,
  runSchedule,
  updateSchedule,
} from "#shared/contracts/schedules.ts";
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
import { makeTeam } from "#test/support/shared-chat.ts";
import { until } from "#test/support/until.ts";
import { type Person, refusal, signIn } from "#test/support/worker.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** So many days ahead. */
const inDays = (days: number): number => Date.now() + days * DAY;

it("a schedule runs three times at its times in its zone, each in a chat of its own, and says what it cost", async () => {
  const person = await signIn();
  const tab = await openTab(person);
  const schedule = await createOwnSchedule(person, { when: "every weekday at 8", time_zone: "Europe/Berlin", title: "Morning brief" });
  expect(schedule).toMatchObject({ words: "Every weekday at 8:00", state: "active", chat: "new", last_run: null });
  let due = nextRunAt(schedule);
  for (const time of [1, 2, 3]) {
    await wakeHubAt(person, due - MINUTE);
    expect(await runsOf(person, schedule)).toHaveLength(time - 1);
    await runScheduleAt(person, schedule, { now: due, runs: time });
    const after = nextRunAt(await findSchedule(person, schedule));
    expect(new Date(after).toLocaleTimeString("en-GB", { timeZone: "Europe/Berlin" })).toBe("08:00:00");
    expect(after).toBeGreaterThan(due);
    due = after;
  }
  const runs = await runsOf(person, schedule);
  expect(runs.map(({ state }) => state)).toEqual(["done", "done", "done"]);
  expect(new Set(runs.map(({ chat_id: chat }) => chat)).size).toBe(3);
  const [last] = runs;
  const messages = await messagesIn(person, last?.chat_id ?? "");
  expect(messages).toMatchObject([
    { role: "user", content: "say Good morning." },
    { role: "assistant", content: "Good morning.", trigger: "schedule" },
  ]);
  expect(messages[1]?.cost).toBe(last?.cost);
  const { chats } = await person.take(listChats, {});
  expect(chats.map(({ title, isRead }) => [title.startsWith("Morning brief, "), isRead])).toEqual([
    [true, false],
    [true, false],
    [true, false],
  ]);
  await until("the tabs to hear it", () => tab.events.some((event) => event.type === "content.changed" && event.kind === "schedule"));
  tab.close();
});

it("a schedule goes on in one chat, shows its model what it is, and is quiet where there is nothing to report", async () => {
  const person = await signIn();
  await person.take(updateUser, { body: { notify_schedules: true } });
  (await openTab(person)).close();
  const { chat } = await person.take(createChat, { body: { title: "Watch" } });
  const schedule = await createOwnSchedule(person, { chat: "same", chat_id: chat.id, text: "show request", when: "every 2 hours" });
  await runScheduleAt(person, schedule, { now: nextRunAt(schedule), runs: 1 });
  const [, first] = await messagesIn(person, chat.id);
  expect(first?.content).toContain("sent it. Its times: Every 2 hours (UTC).");
  expect(first?.content).toContain("answer with exactly this and nothing else: Nothing to report.");
  await scheduleHub(person).mark(chat.id, { isRead: true });
  await person.take(updateSchedule, { params: { id: schedule.id }, body: { text: "say **Nothing to report.**" } });
  const [quiet] = await runScheduleAt(person, schedule, { now: nextRunAt(await findSchedule(person, schedule)), runs: 2 });
  expect(quiet).toMatchObject({ state: "quiet", chat_id: chat.id });
  expect((await person.take(getChat, { params: { id: chat.id } })).chat.isRead).toBe(true);
  await wakeHubAt(person, nextRunAt(await findSchedule(person, schedule)) - 1);
  const updateMails = (await mailsTo(env.MAILBOX_SIMULATOR, person.email)).filter(({ headers }) => headers["List-Unsubscribe"]);
  expect(updateMails.map(({ subject }) => subject)).toEqual(["‘show request’ has news for you"]);
  expect(await messagesIn(person, chat.id)).toHaveLength(4);
});

it("a schedule runs once for all the times that were missed, which are shown as skipped", async () => {
  const person = await signIn();
  const schedule = await createOwnSchedule(person, { when: { kind: "hours", every: 1 } });
  const runs = await runScheduleAt(person, schedule, { now: nextRunAt(schedule) + 3 * HOUR + MINUTE, runs: 4 });
  expect(runs.map(({ state }) => state)).toEqual(["done", "skipped", "skipped", "skipped"]);
  expect(runs[1]).toMatchObject({ note: "It was missed, and a later time took its place.", started_at: null, chat_id: null });
  expect((await person.take(listChats, {})).chats).toHaveLength(1);
});

it("a schedule runs one at a time, and a run that waits for a word leaves out the next time", async () => {
  const person = await signIn();
  const schedule = await createOwnSchedule(person, { when: "every hour", text: "fault hang-before-first-token times 1\nsay Late." });
  await wakeHubAt(person, nextRunAt(schedule));
  expect(await runsOf(person, schedule)).toMatchObject([{ state: "running" }]);
  expect(refusal(await person.call(runSchedule, { params: { id: schedule.id }, body: {} }))).toBe("CONFLICT");
  await wakeHubAt(person, nextRunAt(await findSchedule(person, schedule)));
  expect(await runsOf(person, schedule)).toMatchObject([
    { state: "skipped", note: "The run before it was still going on." },
    { state: "running" },
  ]);
});

it("a schedule begins each run exactly once, whatever lives its objects have", async () => {
  const person = await signIn();
  const schedule = await createOwnSchedule(person);
  await wakeHubAt(person, nextRunAt(schedule));
  const [run] = await runsOf(person, schedule);
  // What began before its answer was heard, and is begun again by another life.
  await runInDurableObject(scheduleHub(person), (_, { storage }) => {
    storage.sql.exec("UPDATE schedule_runs SET reply_id = NULL, ended_at = NULL, state = 'running'");
    storage.sql.exec("INSERT OR REPLACE INTO due_work (kind, id, due_at, tries) VALUES ('schedule-run', ?, 1, 0)", run?.id ?? "");
  });
  await evictDurableObject(scheduleHub(person));
  const [again, ...more] = await runScheduleAt(person, schedule, { now: Date.now(), runs: 1 });
  expect(more).toEqual([]);
  expect(again).toMatchObject({ id: run?.id, state: "done" });
  expect(await messagesIn(person, again?.chat_id ?? "")).toHaveLength(2);
  expect((await person.take(listChats, {})).chats).toHaveLength(1);
});

it("a schedule is over after the one time that it was for, and is refused for one that has passed", async () => {
  const person = await signIn();
  const schedule = await createOwnSchedule(person, { when: "in 20 minutes" });
  expect(nextRunAt(schedule) - Date.now()).toBeGreaterThan(19 * MINUTE);
  await runScheduleAt(person, schedule, { now: nextRunAt(schedule), runs: 1 });
  expect(await findSchedule(person, schedule)).toMatchObject({ state: "done", next_at: null, last_run: { state: "done" } });
  for (const when of ["yesterday", "every 10 minutes", { kind: "once" as const, at: "2026-01-01T00:00:00.000Z" }])
    expect(refusal(await person.call(createSchedule, { body: { id: crypto.randomUUID(), text: "say Hi.", when } }))).toBe("INVALID_INPUT");
});

it("a schedule does not run while it is paused, runs now when asked, and is gone when deleted", async () => {
  const person = await signIn();
  const schedule = await createOwnSchedule(person);
  const params = { id: schedule.id };
  await person.take(updateSchedule, { params, body: { paused: true } });
  await wakeHubAt(person, nextRunAt(schedule));
  expect(await runsOf(person, schedule)).toEqual([]);
  expect(await findSchedule(person, schedule)).toMatchObject({ state: "paused", next_at: null });
  const { run } = await person.take(runSchedule, { params, body: {} });
  await until("the run", async () => (await runsOf(person, schedule))[0]?.state === "done");
  expect(run.state).toBe("running");
  const resumed = (await person.take(updateSchedule, { params, body: { paused: false } })).schedule;
  expect(resumed.next_at).toBe(schedule.next_at);
  await person.take(deleteSchedule, { params });
  await wakeHubAt(person, nextRunAt(schedule));
  expect((await person.take(listSchedules, {})).schedules).toEqual([]);
  expect((await person.take(listChats, {})).chats).toHaveLength(1);
});

it("a schedule fails with a reason, mails it even to who is there, and is paused after three failures in a row", async () => {
  const person = await signIn();
  const tab = await openTab(person);
  tab.say({ chat_id: null, visible: true, typing: false, opened: false });
  const { prompt } = await person.take(createPrompt, { body: { name: "Digest", content: "say {{what=Hello}}." } });
  const schedule = await createOwnSchedule(person, { text: null, prompt_id: prompt.id, variables: { what: "Bread" } });
  expect(schedule.title).toBe("Digest");
  const [ran] = await runScheduleAt(person, schedule, { now: nextRunAt(schedule), runs: 1 });
  expect((await messagesIn(person, ran?.chat_id ?? ""))[0]?.content).toBe("say Bread.");
  await person.take(deletePrompt, { params: { id: prompt.id } });
  for (const runs of [2, 3, 4]) await runScheduleAt(person, schedule, { now: nextRunAt(await findSchedule(person, schedule)), runs });
  const paused = await findSchedule(person, schedule);
  expect(paused).toMatchObject({
    state: "paused",
    note: expect.stringContaining("Paused after 3 failures in a row. The prompt that it sends is gone."),
  });
  await wakeHubAt(person, inDays(10));
  const mail = (await mailsTo(env.MAILBOX_SIMULATOR, person.email)).find(
    ({ subject }) => subject.includes("Digest") || subject.includes("schedules"),
  );
  expect(mail?.text).toMatch(/‘Digest’ failed\. .*The prompt that it sends is gone\./);
  expect(mail?.text).toContain("mails about your schedules");
  tab.close();
});

it("a schedule waits until the day's budget begins anew, and does not begin what may cost more than one run may", async () => {
  const person = await signIn();
  await person.take(updateUser, { body: { triggered_daily_budget: 0 } });
  const schedule = await createOwnSchedule(person, { when: "every hour" });
  const due = nextRunAt(schedule);
  const [held] = await runScheduleAt(person, schedule, { now: due, runs: 1 });
  expect(held).toMatchObject({ state: "skipped", note: expect.stringContaining("The daily budget of $0.00") });
  const resting = await findSchedule(person, schedule);
  expect(resting).toMatchObject({ state: "active", note: expect.stringContaining("begins anew at midnight UTC") });
  expect(nextRunAt(resting)).toBeGreaterThanOrEqual(Math.ceil(due / DAY) * DAY);
  await person.take(updateUser, { body: { triggered_daily_budget: 1 } });
  const [ran] = await runScheduleAt(person, schedule, { now: nextRunAt(resting), runs: 2 });
  expect(ran?.state).toBe("done");
  expect((await findSchedule(person, schedule)).note).toBeNull();
  const params = { id: schedule.id };
  await person.take(updateSchedule, {
    params,
    body: { budget: 0.01, model_id: "anthropic/claude-sonnet-4.6", text: `say ${"Long. ".repeat(3_000)}` },
  });
  const [dear] = await runScheduleAt(person, schedule, { now: nextRunAt(await findSchedule(person, schedule)), runs: 3 });
  expect(dear).toMatchObject({ state: "failed", note: expect.stringContaining("One run of this schedule may cost $0.01") });
});

it("a schedule sends a workflow's steps one after the other, each with the answer before it", async () => {
  const person = await signIn();
  const content = "say One.\n---\nsay {{LAST_ANSWER}} Two.";
  const { prompt } = await person.take(createPrompt, { body: { name: "Steps", content } });
  const schedule = await createOwnSchedule(person, { text: null, prompt_id: prompt.id });
  const [run] = await runScheduleAt(person, schedule, { now: nextRunAt(schedule), runs: 1 });
  expect(run?.state).toBe("done");
  expect((await messagesIn(person, run?.chat_id ?? "")).map(({ content: text }) => text)).toEqual([
    "say One.",
    "One.",
    "say One. Two.",
    "One. Two.",
  ]);
});

it("a schedule sends what its person agreed to where others changed its prompt, and says so until it is saved again", async () => {
  const [owner, mate, admin] = [await signIn(), await signIn(), await signIn()];
  const teamId = await makeTeam("Team", [owner, mate, admin]);
  await env.DB.prepare("UPDATE team_members SET role = 'admin' WHERE team_id = ? AND user_id = ?").bind(teamId, admin.user.id).run();
  const made = { name: "Ours", content: "say Agreed {{what}}.", team_id: teamId };
  const { prompt: theirs } = await mate.take(createPrompt, { body: made });
  const { prompt: own } = await owner.take(createPrompt, { body: { ...made, name: "Mine" } });
  const variables = { what: "text" };
  const [first, second] = [
    await createOwnSchedule(owner, { text: null, prompt_id: theirs.id, variables }),
    await createOwnSchedule(owner, { text: null, prompt_id: own.id, variables }),
  ];
  const sent = async (schedule: typeof first, runs: number) => {
    const now = nextRunAt(await findSchedule(owner, schedule));
    const [run] = await runScheduleAt(owner, schedule, { now, runs });
    const [question] = await messagesIn(owner, run?.chat_id ?? "");
    return [run?.state, question?.content, (await findSchedule(owner, schedule)).note !== null];
  };
  const change = (by: Person, { id }: { id: string }, content: string) => by.take(updatePrompt, { params: { id }, body: { content } });

  await change(mate, theirs, "say Changed.");
  expect(await sent(first, 1)).toEqual(["done", "say Agreed text.", true]);
  await change(owner, own, "say Mine again.");
  expect(await sent(second, 1)).toEqual(["done", "say Mine again.", false]);

  await env.DB.prepare("UPDATE teams SET content_admin_only = 1 WHERE id = ?").bind(teamId).run();
  await change(admin, own, "say The admin's.");
  await env.DB.prepare("UPDATE teams SET content_admin_only = 0 WHERE id = ?").bind(teamId).run();
  expect(await sent(second, 2)).toEqual(["done", "say Mine again.", true]);
  expect((await findSchedule(owner, second)).note).toMatch(/^Its prompt was changed by somebody else/);

  await owner.take(updateSchedule, { params: { id: first.id }, body: { prompt_id: theirs.id } });
  expect((await findSchedule(owner, first)).note).toBeNull();
  expect(await sent(first, 2)).toEqual(["done", "say Changed.", false]);
});

it("a schedule is its owner's alone, and takes no chat, persona or page that they may not use", async () => {
  const [owner, other] = [await signIn(), await signIn()];
  const schedule = await createOwnSchedule(owner);
  const params = { id: schedule.id };
  expect((await other.take(listSchedules, {})).schedules).toEqual([]);
  for (const refused of [
    await other.call(getSchedule, { params }),
    await other.call(updateSchedule, { params, body: { paused: true } }),
    await other.call(runSchedule, { params, body: {} }),
    await other.call(listScheduleRuns, { params }),
    await other.call(deleteSchedule, { params }),
  ])
    expect(refusal(refused)).toBe("NOT_FOUND");
  const { chat } = await owner.take(createChat, { body: {} });
  const body = { id: crypto.randomUUID(), text: "say Hi.", when: "every day" };
  expect(refusal(await other.call(createSchedule, { body: { ...body, chat: "same", chat_id: chat.id } }))).toBe("NOT_FOUND");
  for (const wrong of [
    { persona_id: crypto.randomUUID() },
    { tool_categories: ["nothing-like-it"] },
    { when: "when http://127.0.0.1:9.9/ changes" },
    { when: "when https://intranet.corp/x changes" },
    { text: undefined },
  ])
    expect(refusal(await other.call(createSchedule, { body: { ...body, ...wrong } }))).toBe("INVALID_INPUT");
});
