/**
 * What closed days of UTC cost, reported to the relational database by a job for each: a hub wakes once after a day with entries, and
 * never after one without.
 */
import type { Env } from "#worker/platform/env.ts";
import { enqueueAll } from "#worker/platform/jobs/job.ts";
import type { DueWork } from "#worker/platform/due-work/due-work.ts";
import { reportDayJob } from "#worker/conversation/usage/days.ts";
import type { DayReport, DayUsage } from "#worker/conversation/hub/rpc.ts";
import type { TeamTime } from "#worker/people/hub/rpc.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Hubs report within this time after their day, each at its own moment, in milliseconds. */
const SPREAD_MS = 60 * 60_000;
/** Days of one batch. */
const BATCH = 100;

export type DayReports = {
  /** Sees to it that what was entered is reported once its day is over. */
  note(): Promise<void>;
  /** Sees to it that entries of days that are over are reported before long. */
  noteEarlier(): Promise<void>;
  /** Has the closed days reported that have entries nobody reported yet; answers when to report the open one. */
  run(): Promise<number | null>;
  /** The storage was emptied. */
  forget(): void;
};

type Deps = { env: Env; sql: SqlStorage; userId: string; due: () => Pick<DueWork<"usage">, "schedule" | "has"> };

/** The one row of due work. */
const ROW = ["usage", "days"] as const;

/** The reports of one user's hub. */
export function createDayReports({ env, sql, userId, due }: Deps): DayReports {
  let isNoted = false;

  /** After the end of today, spread by the user's id. */
  function nextRun(): number {
    const spread = (Number.parseInt(userId.slice(0, 6), 16) || 0) % SPREAD_MS;
    return Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS + spread;
  }

  return {
    async note() {
      if (isNoted) return;
      isNoted = true;
      if (!due().has(...ROW)) await due().schedule(...ROW, nextRun());
    },
    async noteEarlier() {
      isNoted = true;
      await due().schedule(...ROW, Date.now());
    },
    async run() {
      const days = unreportedDays(sql);
      const closed = days.filter(({ day }) => day < today());
      for (let next = 0; next < closed.length; next += BATCH) {
        const payloads = closed.slice(next, next + BATCH).map(({ day }) => ({ userId, day }));
        await enqueueAll(env, reportDayJob, payloads);
      }
      const last = Math.max(0, ...closed.map(({ last: seq }) => seq));
      // What was taken over later than an entry of today is reported once more: nothing comes before that entry.
      const open = firstSince(sql, today());
      if (last > 0) sql.exec("UPDATE hub SET reported_seq = ?", open === null ? last : Math.min(last, open - 1));
      isNoted = open !== null;
      return isNoted ? nextRun() : null;
    },
    forget() {
      isNoted = false;
    },
  };
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Days with entries that were not reported, each with its last entry. */
function unreportedDays(sql: SqlStorage): { day: string; last: number }[] {
  return sql
    .exec<{ day: string; last: number }>(
      `SELECT substr(at, 1, 10) AS day, MAX(seq) AS last FROM ledger
       WHERE seq > (SELECT reported_seq FROM hub) AND what <> 'grant' GROUP BY 1 ORDER BY 1`,
    )
    .toArray();
}

/** The first entry on or after a day among those that were not reported. */
function firstSince(sql: SqlStorage, day: string): number | null {
  return sql
    .exec<{ seq: number | null }>(
      "SELECT MIN(seq) AS seq FROM ledger WHERE seq > (SELECT reported_seq FROM hub) AND what <> 'grant' AND at >= ?",
      day,
    )
    .one().seq;
}

/** What a day of UTC cost by team and model; what was spent in a team's chat by who was not in it then is no team's. */
export function usageOfDay(sql: SqlStorage, day: string, times: readonly TeamTime[]): DayReport | null {
  const rows = sql
    .exec<DayUsage & { seq: number }>(
      `SELECT
         CASE WHEN EXISTS (
           SELECT 1 FROM json_each(?2) t WHERE t.value ->> 'teamId' = l.team_id AND t.value ->> 'from' <= l.at
             AND (t.value ->> 'until' IS NULL OR l.at < t.value ->> 'until')
         ) THEN l.team_id ELSE '' END AS teamId,
         COALESCE(l.model_id, '') AS modelId, COUNT(*) AS calls, SUM(l.tokens) AS tokens, -SUM(l.amount_micros) AS costMicros,
         MAX(l.seq) AS seq
       FROM ledger l WHERE l.at >= ?1 AND l.at < ?1 || 'U' AND l.what <> 'grant' GROUP BY 1, 2`,
      day,
      JSON.stringify(times),
    )
    .toArray();
  if (rows.length === 0) return null;
  return { seq: Math.max(...rows.map(({ seq }) => seq)), usage: rows.map(({ seq: _seq, ...usage }) => usage) };
}
