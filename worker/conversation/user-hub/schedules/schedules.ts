/** One user's schedules: messages that are sent by themselves at their times, each at most once at a time. */
import type { ScheduleBody } from "#shared/entities/schedules/schedule.ts";
import { SCHEDULES_MAX } from "#shared/limits.ts";
import { nextTime } from "#shared/schedules/next-times.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { currentCursor } from "../list/chat-list.ts";
import { broadcast } from "../live/live.ts";
import {
  countSchedules,
  deleteSchedule,
  findSchedule,
  listRuns,
  listSchedules,
  openRunOf,
  putSchedule,
  type ShownRun,
  type StoredSchedule,
  toSchedule,
  toScheduleRun,
} from "./rows.ts";
import type { ScheduleAnswer, ScheduleInput } from "#worker/conversation/hub/schedules.ts";
import { type ScheduleDeps, ScheduleRuns } from "./runs.ts";

export type Schedules = {
  /** Reads or changes the schedules. */
  ask(input: ScheduleInput): Promise<Outcome<ScheduleAnswer>>;
  /** The time of one has come: answers when to come again, null where it is over. */
  occur(id: string): Promise<number | null>;
  /** Takes a run a step further: answers when to come again, null where it is over. */
  advance(runId: string): Promise<number | null>;
};

const NOT_FOUND: Outcome<never> = { ok: false, code: "NOT_FOUND" };
const FULL = `You have ${SCHEDULES_MAX} schedules already. Delete some first.`;

/** The schedules of one user. */
export function createSchedules({ ctx, env, features, userId, due, notices }: ScheduleDeps): Schedules {
  const { storage } = ctx;
  const { sql } = storage;
  const notify = () => broadcast(ctx, [{ type: "content.changed", cursor: String(currentCursor(sql)), kind: "schedule" }]);
  const runs = new ScheduleRuns({ storage, env, features, userId, due, notices, notify });

  function answer(schedules: readonly StoredSchedule[], made: readonly ShownRun[] = []): Outcome<ScheduleAnswer> {
    return { ok: true, value: { schedules: schedules.map((one) => toSchedule(sql, one)), runs: made.map(toScheduleRun) } };
  }

  /** Writes a schedule and wakes the hub at its next time. */
  async function keep(schedule: StoredSchedule): Promise<void> {
    putSchedule(sql, schedule);
    if (schedule.state === "active" && schedule.nextAt !== null) await due().schedule("schedule", schedule.id, schedule.nextAt);
    else due().cancel("schedule", schedule.id);
    notify();
  }

  async function create(input: Extract<ScheduleInput, { kind: "create" }>): Promise<Outcome<ScheduleAnswer>> {
    const known = findSchedule(sql, input.id);
    if (known) return JSON.stringify(known.body) === JSON.stringify(input.body) ? answer([known]) : { ok: false, code: "CONFLICT" };
    if (countSchedules(sql) >= SCHEDULES_MAX) return { ok: false, code: "INVALID_INPUT", message: FULL };
    const schedule = toStored(input, Date.now());
    if (schedule.nextAt === null) return { ok: false, code: "INVALID_INPUT", message: PAST };
    await keep(schedule);
    return answer([schedule]);
  }

  async function change(input: Extract<ScheduleInput, { kind: "change" }>): Promise<Outcome<ScheduleAnswer>> {
    const before = findSchedule(sql, input.id);
    if (!before) return NOT_FOUND;
    const now = Date.now();
    const after = withChange(before, input, now);
    if (after === null) return { ok: false, code: "INVALID_INPUT", message: PAST };
    if (JSON.stringify(after) === JSON.stringify(before)) return answer([before]);
    const updated = { ...after, updatedAt: new Date(now).toISOString() };
    await keep(updated);
    return answer([updated]);
  }

  async function runNow({ id, runId }: Extract<ScheduleInput, { kind: "run" }>): Promise<Outcome<ScheduleAnswer>> {
    const schedule = findSchedule(sql, id);
    if (!schedule) return NOT_FOUND;
    if (openRunOf(sql, id)) return { ok: false, code: "CONFLICT", message: "This schedule is running already." };
    const run = runs.begin(schedule, { id: runId, dueAt: Date.now() });
    await due().schedule("schedule-run", run.id, Date.now());
    notify();
    return answer([schedule], [run]);
  }

  async function remove(id: string): Promise<Outcome<ScheduleAnswer>> {
    const open = openRunOf(sql, id);
    if (!deleteSchedule(sql, id)) return NOT_FOUND;
    due().cancel("schedule", id);
    if (open) due().cancel("schedule-run", open.id);
    notify();
    return answer([]);
  }

  return {
    async ask(input) {
      switch (input.kind) {
        case "list":
          return answer(listSchedules(sql));
        case "create":
          return create(input);
        case "change":
          return change(input);
        case "remove":
          return remove(input.id);
        case "run":
          return runNow(input);
        case "get":
        case "runs": {
          const schedule = findSchedule(sql, input.id);
          return schedule ? answer([schedule], input.kind === "runs" ? listRuns(sql, input.id) : []) : NOT_FOUND;
        }
      }
    },
    occur: (id) => runs.occur(id),
    advance: (runId) => runs.advance(runId),
  };
}

const PAST = "That time has passed. Choose one that lies ahead.";
const UNSEEN = { text: null, at: null, failures: 0 };

/** A schedule as it begins at `now`, in epoch milliseconds; without a next time where none lies ahead. */
function toStored(
  { id, body, promptText, chatId, isPaused = false }: Extract<ScheduleInput, { kind: "create" }>,
  now: number,
): StoredSchedule {
  const at = new Date(now).toISOString();
  return {
    id,
    body,
    promptText,
    anchor: now,
    state: isPaused ? "paused" : "active",
    note: null,
    nextAt: firstTime(body, now),
    deferredUntil: null,
    failures: 0,
    chatId: body.chat === "same" ? chatId : null,
    page: UNSEEN,
    createdAt: at,
    updatedAt: at,
  };
}

/** A schedule as it is after a change; null where it is to go on and no time lies ahead. */
function withChange(before: StoredSchedule, input: Extract<ScheduleInput, { kind: "change" }>, now: number): StoredSchedule | null {
  const body = { ...before.body, ...input.change };
  const isTimed = JSON.stringify([body.when, body.time_zone]) !== JSON.stringify([before.body.when, before.body.time_zone]);
  const isResumed = input.isPaused === false && before.state !== "active";
  const counted = isTimed ? now : before.anchor;
  const state = input.isPaused === true ? "paused" : isTimed || isResumed ? "active" : before.state;
  const isRenewed = isTimed || isResumed;
  const nextAt = isRenewed
    ? isTimed
      ? firstTime(body, now)
      : nextTime(body.when, { zone: body.time_zone, anchor: counted }, now)
    : before.nextAt;
  if (state === "active" && nextAt === null) return null;
  const isOtherPage = body.when.kind !== "page" || before.body.when.kind !== "page" || body.when.url !== before.body.when.url;
  const chatId = input.chatId === undefined ? before.chatId : input.chatId;
  return {
    ...before,
    body,
    promptText: input.promptText === undefined ? before.promptText : input.promptText,
    anchor: counted,
    state,
    // Whoever pauses it, or sets it going again, knows why it stood still, and whoever saves a prompt what it says.
    note: isRenewed || input.isPaused === true || input.promptText !== undefined ? null : before.note,
    nextAt: state === "paused" ? before.nextAt : nextAt,
    deferredUntil: isRenewed ? null : before.deferredUntil,
    failures: isRenewed ? 0 : before.failures,
    chatId: body.chat === "same" ? chatId : null,
    page: isTimed && isOtherPage ? UNSEEN : { ...before.page, failures: isRenewed ? 0 : before.page.failures },
  };
}

/** A page is looked at soon after it was named, which is what later looks are compared with. */
function firstTime({ when, time_zone: zone }: ScheduleBody, now: number): number | null {
  return when.kind === "page" ? now : nextTime(when, { zone, anchor: now }, now);
}
