import { clockTimeIn, minuteOfDay } from "#shared/tools/call-hours.ts";

const DAY_MS = 24 * 60 * 60_000;

/** When the day began in a zone, and when the next one does: epoch milliseconds, to the minute. */
export function dayBoundsAt(timeZone: string, at: number): { begins: number; ends: number } {
  const minute = Math.floor(at / 60_000) * 60_000;
  const begins = minute - minuteOfDay(timeZone, at) * 60_000;
  return { begins, ends: begins + DAY_MS };
}

/** A time as people of a zone say it: 'Saturday at 8:00 (Europe/Berlin)'. */
export function describeTime(timeZone: string, at: number): string {
  const day = new Intl.DateTimeFormat("en", { timeZone, weekday: "long" }).format(at);
  return `${day} at ${clockTimeIn(timeZone, at)} (${timeZone})`;
}
