import * as z from "zod/mini";
import { configOf, type Env } from "#worker/platform/env.ts";

const Times = z.array(z.number());

/** Whether the user may begin a turn now, and the times to keep when they do; reads only. */
export function readRateWindow(sql: SqlStorage, env: Env): ReturnType<typeof countWithinMinute> {
  const { turns_at } = sql.exec<{ turns_at: string }>("SELECT turns_at FROM hub").one();
  return countWithinMinute(Times.parse(JSON.parse(turns_at)), { now: Date.now(), limit: configOf(env).limits.turnsPerMinute });
}

/** Keeps when the user's latest turns began, and when memory last went along, in the hub's one row: exact over the object's death, for one written row a turn. */
export function storeRateWindow(sql: SqlStorage, times: number[], hasMemory: boolean): void {
  const usedAt = hasMemory ? new Date().toISOString() : null;
  sql.exec("UPDATE hub SET turns_at = ?, memory_used_at = COALESCE(?, memory_used_at)", JSON.stringify(times), usedAt);
}

const MINUTE_MS = 60_000;

/** The times of the last minute with one more, or the seconds to wait where they are as many as may be; a `limit` of 0 is none. Times in epoch milliseconds. */
export function countWithinMinute(
  times: readonly number[],
  { now, limit }: { now: number; limit: number },
): { ok: true; times: number[] } | { ok: false; retryAfter: number } {
  const recent = times.filter((at) => at > now - MINUTE_MS);
  const oldest = recent[recent.length - limit];
  if (limit === 0 || oldest === undefined) return { ok: true, times: [...recent, now] };
  return { ok: false, retryAfter: Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000)) };
}
