import * as z from "zod/mini";
import { configOf, type Env } from "../env.ts";
import { takeTurn } from "../http/user-rate-limit.ts";

const Times = z.array(z.number());

/** Whether the user may begin a turn now, and the times to keep when they do; reads only. */
export function readPace(sql: SqlStorage, env: Env): ReturnType<typeof takeTurn> {
  const { turns_at } = sql.exec<{ turns_at: string }>("SELECT turns_at FROM hub").one();
  return takeTurn(Times.parse(JSON.parse(turns_at)), { now: Date.now(), limit: configOf(env).limits.turnsPerMinute });
}

/** Keeps when the user's latest turns began, and when memory last went along, in the hub's one row: exact over the object's death, for one written row a turn. */
export function keepPace(sql: SqlStorage, times: number[], hasMemory: boolean): void {
  const usedAt = hasMemory ? new Date().toISOString() : null;
  sql.exec("UPDATE hub SET turns_at = ?, memory_used_at = COALESCE(?, memory_used_at)", JSON.stringify(times), usedAt);
}
