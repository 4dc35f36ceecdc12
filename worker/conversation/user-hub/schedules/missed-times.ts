import { nextTime } from "#shared/schedules/next-times.ts";
import type { StoredSchedule } from "./rows.ts";

const DAY_MS = 24 * 60 * 60_000;
/** So many missed times are shown; older ones are left out. */
const SHOWN = 20;

/** The times of a schedule from the one that was due until now: the last one, which runs, and those before it, which are left out. */
export function missedTimes(
  { body, anchor }: Pick<StoredSchedule, "body" | "anchor">,
  dueAt: number,
  now: number,
): { missed: number[]; last: number } {
  const missed: number[] = [];
  let last = dueAt;
  for (;;) {
    const next = nextTime(body.when, { zone: body.time_zone, anchor }, last);
    if (next === null || next > now) break;
    missed.push(last);
    if (missed.length > SHOWN) missed.shift();
    last = next;
  }
  return { missed, last };
}

/** When the day of UTC ends, in epoch milliseconds: then the day's budget begins anew. */
export function endOfDay(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS;
}
