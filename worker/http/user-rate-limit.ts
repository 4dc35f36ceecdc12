import type { Env } from "../env.ts";
import { numberFrom } from "./rate-limit.ts";

/** Turns one person may begin in any 60 seconds, unless the environment says otherwise: more than anyone reads, too few to run up a bill. */
const DEFAULT_PER_MINUTE = 30;
const MINUTE_MS = 60_000;

/** Turns a minute for one person; 0 switches the limit off. */
export function turnsPerMinute(env: Pick<Env, "MESSAGES_PER_MINUTE">): number {
  return numberFrom(env.MESSAGES_PER_MINUTE, DEFAULT_PER_MINUTE);
}

/** The times of the last minute with one more, or the seconds to wait where they are as many as may be. Times in epoch milliseconds. */
export function takeTurn(
  times: readonly number[],
  { now, limit }: { now: number; limit: number },
): { ok: true; times: number[] } | { ok: false; retryAfter: number } {
  const recent = times.filter((at) => at > now - MINUTE_MS);
  const oldest = recent[recent.length - limit];
  if (limit === 0 || oldest === undefined) return { ok: true, times: [...recent, now] };
  return { ok: false, retryAfter: Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000)) };
}
