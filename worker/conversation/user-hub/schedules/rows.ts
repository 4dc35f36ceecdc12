import * as z from "zod/mini";
import { ScheduleBody, ScheduleRunState, ScheduleState, type Schedule, type ScheduleRun } from "#shared/entities/schedules/schedule.ts";
import { SCHEDULE_RUNS_MAX } from "#shared/limits.ts";
import { describeWhen } from "#shared/schedules/describe-when.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";

/** A page as it was last seen: `text` is null before the first look. */
export const SeenPage = z.object({ text: z.nullable(z.string()), at: z.nullable(z.string()), failures: z.number() });
export type SeenPage = z.infer<typeof SeenPage>;

/** A schedule as the hub stores it: times in epoch milliseconds. */
export type StoredSchedule = {
  id: string;
  body: ScheduleBody;
  /** What its saved prompt said as its person saved it or last had it sent; null without one, and where that is not known yet. */
  promptText: string | null;
  /** From when its hours are counted. */
  anchor: number;
  state: ScheduleState;
  note: string | null;
  nextAt: number | null;
  /** Until when it is held back, as the day's budget is used up. */
  deferredUntil: number | null;
  /** Failed runs in a row. */
  failures: number;
  chatId: string | null;
  page: SeenPage;
  createdAt: string;
  updatedAt: string;
};

/** A run as the hub stores it. */
export type StoredRun = {
  id: string;
  scheduleId: string;
  dueAt: number;
  startedAt: number | null;
  endedAt: number | null;
  state: ScheduleRunState;
  chatId: string | null;
  /** The question and the reply of the step that it is at; no reply before that began. */
  replyId: string | null;
  /** The step that it is at, of those that its prompt has; null before they are known. */
  step: number;
  steps: string[] | null;
  /** What changed on its page, and the page's text then. */
  difference: string | null;
  pageText: string | null;
  costMicros: number | null;
  note: string | null;
  /** Since when its step or the look at it fails; null while it goes well. */
  failingSince: number | null;
};

/** What is shown of a run. */
export type ShownRun = Omit<StoredRun, "steps" | "difference" | "pageText" | "failingSince">;

type ScheduleRow = {
  id: string;
  body: string;
  anchor: number;
  state: string;
  note: string | null;
  next_at: number | null;
  deferred_until: number | null;
  failures: number;
  chat_id: string | null;
  page: string;
  prompt_text: string | null;
  created_at: string;
  updated_at: string;
};

type ShownRow = {
  id: string;
  schedule_id: string;
  due_at: number;
  started_at: number | null;
  ended_at: number | null;
  state: string;
  chat_id: string | null;
  reply_id: string | null;
  step: number;
  cost_micros: number | null;
  note: string | null;
};

type RunRow = ShownRow & { steps: string | null; difference: string | null; page_text: string | null; failing_since: number | null };

const SHOWN = "id, schedule_id, due_at, started_at, ended_at, state, chat_id, reply_id, step, cost_micros, note";

const Steps = z.array(z.string());

function toStored(row: ScheduleRow): StoredSchedule {
  return {
    id: row.id,
    body: ScheduleBody.parse(JSON.parse(row.body)),
    promptText: row.prompt_text,
    anchor: row.anchor,
    state: ScheduleState.parse(row.state),
    note: row.note,
    nextAt: row.next_at,
    deferredUntil: row.deferred_until,
    failures: row.failures,
    chatId: row.chat_id,
    page: SeenPage.parse(JSON.parse(row.page)),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toShown(row: ShownRow): ShownRun {
  return {
    id: row.id,
    scheduleId: row.schedule_id,
    dueAt: row.due_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    state: ScheduleRunState.parse(row.state),
    chatId: row.chat_id,
    replyId: row.reply_id,
    step: row.step,
    costMicros: row.cost_micros,
    note: row.note,
  };
}

function toRun(row: RunRow): StoredRun {
  return {
    ...toShown(row),
    steps: row.steps === null ? null : Steps.parse(JSON.parse(row.steps)),
    difference: row.difference,
    pageText: row.page_text,
    failingSince: row.failing_since,
  };
}

/** All schedules, newest first. */
export function listSchedules(sql: SqlStorage): StoredSchedule[] {
  return sql.exec<ScheduleRow>("SELECT * FROM schedules ORDER BY created_at DESC, id DESC").toArray().map(toStored);
}

/** One schedule. */
export function findSchedule(sql: SqlStorage, id: string): StoredSchedule | null {
  const row = sql.exec<ScheduleRow>("SELECT * FROM schedules WHERE id = ?", id).toArray()[0];
  return row ? toStored(row) : null;
}

/** How many schedules there are. */
export function countSchedules(sql: SqlStorage): number {
  return sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM schedules").one().n;
}

/** Writes a schedule, new or changed. */
export function putSchedule(sql: SqlStorage, schedule: StoredSchedule): void {
  const { id, body, promptText, anchor, state, note, nextAt, deferredUntil, failures, chatId, page, createdAt, updatedAt } = schedule;
  sql.exec(
    `INSERT INTO schedules (id, body, anchor, state, note, next_at, deferred_until, failures, chat_id, page, created_at, updated_at, prompt_text)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
     ON CONFLICT (id) DO UPDATE SET body = ?2, anchor = ?3, state = ?4, note = ?5, next_at = ?6, deferred_until = ?7, failures = ?8,
       chat_id = ?9, page = ?10, updated_at = ?12, prompt_text = ?13`,
    id,
    JSON.stringify(body),
    anchor,
    state,
    note,
    nextAt,
    deferredUntil,
    failures,
    chatId,
    JSON.stringify(page),
    createdAt,
    updatedAt,
    promptText,
  );
}

/** Removes a schedule with its history. */
export function deleteSchedule(sql: SqlStorage, id: string): boolean {
  sql.exec("DELETE FROM schedule_runs WHERE schedule_id = ?", id);
  return sql.exec("DELETE FROM schedules WHERE id = ? RETURNING id", id).toArray().length > 0;
}

/** One run. */
export function findRun(sql: SqlStorage, id: string): StoredRun | null {
  const row = sql.exec<RunRow>("SELECT * FROM schedule_runs WHERE id = ?", id).toArray()[0];
  return row ? toRun(row) : null;
}

/** The run of a schedule that has not ended; null without one. */
export function openRunOf(sql: SqlStorage, scheduleId: string): ShownRun | null {
  const query = `SELECT ${SHOWN} FROM schedule_runs WHERE schedule_id = ? AND ended_at IS NULL`;
  const row = sql.exec<ShownRow>(query, scheduleId).toArray()[0];
  return row ? toShown(row) : null;
}

/** The latest runs of a schedule, newest first. */
export function listRuns(sql: SqlStorage, scheduleId: string, limit = SCHEDULE_RUNS_MAX): ShownRun[] {
  const query = `SELECT ${SHOWN} FROM schedule_runs WHERE schedule_id = ? ORDER BY due_at DESC, id DESC LIMIT ?`;
  return sql.exec<ShownRow>(query, scheduleId, limit).toArray().map(toShown);
}

/** Writes a run, new or changed; the oldest of its schedule go. */
export function putRun(sql: SqlStorage, run: StoredRun): void {
  const isNew = sql.exec("SELECT 1 FROM schedule_runs WHERE id = ?", run.id).toArray().length === 0;
  sql.exec(
    `INSERT OR REPLACE INTO schedule_runs (id, schedule_id, due_at, started_at, ended_at, state, chat_id, reply_id, step, steps, difference, page_text, cost_micros, note, failing_since)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    run.id,
    run.scheduleId,
    run.dueAt,
    run.startedAt,
    run.endedAt,
    run.state,
    run.chatId,
    run.replyId,
    run.step,
    run.steps && JSON.stringify(run.steps),
    run.difference,
    run.pageText,
    run.costMicros,
    run.note,
    run.failingSince,
  );
  if (isNew)
    sql.exec(
      `DELETE FROM schedule_runs WHERE schedule_id = ?1 AND ended_at IS NOT NULL
         AND id NOT IN (SELECT id FROM schedule_runs WHERE schedule_id = ?1 ORDER BY due_at DESC, id DESC LIMIT ?2)`,
      run.scheduleId,
      SCHEDULE_RUNS_MAX,
    );
}

/** A run as people see it. */
export function toScheduleRun(run: ShownRun): ScheduleRun {
  const at = (time: number | null) => (time === null ? null : new Date(time).toISOString());
  return {
    id: run.id,
    schedule_id: run.scheduleId,
    due_at: new Date(run.dueAt).toISOString(),
    started_at: at(run.startedAt),
    ended_at: at(run.endedAt),
    state: run.state,
    // One that was held back before its first step began no chat.
    chat_id: run.state === "skipped" && run.step === 0 ? null : run.chatId,
    message_id: run.replyId,
    cost: run.costMicros === null ? null : fromMicros(run.costMicros),
    note: run.note,
  };
}

/** A schedule as people see it. */
export function toSchedule(
  sql: SqlStorage,
  { id, body, state, note, nextAt, chatId, page, createdAt, updatedAt }: StoredSchedule,
): Schedule {
  const last = openRunOf(sql, id) ?? listRuns(sql, id, 1)[0];
  return {
    ...body,
    id,
    words: describeWhen(body.when, body.time_zone),
    chat_id: chatId,
    state,
    note,
    next_at: state === "active" && nextAt !== null ? new Date(nextAt).toISOString() : null,
    checked_at: page.at,
    last_run: last ? toScheduleRun(last) : null,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
