import type { When } from "../entities/schedules/when.ts";
import { addDays, daysIn, instantOf, type WallTime, wallTimeAt, weekdayOf } from "./wall-clock.ts";

const HOUR_MS = 60 * 60_000;
/** No rule leaves out more days, or months, than these. */
const DAYS_AHEAD = 10;
const MONTHS_AHEAD = 3;

/** What times are counted from: `anchor` is when the schedule was set, in epoch milliseconds, from which its hours go. */
export type Counted = { zone: string; anchor: number };

/** The first time of a schedule after a moment, both in epoch milliseconds; null where there is none. A page's is when it is looked at. */
export function nextTime(when: When, { zone, anchor }: Counted, after: number): number | null {
  switch (when.kind) {
    case "once": {
      const at = Date.parse(when.at);
      return at > after ? at : null;
    }
    case "hours":
      return nextStep(anchor, when.every * HOUR_MS, after);
    case "page":
      return nextStep(anchor, HOUR_MS, after);
    case "monthly":
      return nextMonthly(when, zone, after);
    default:
      return nextDaily(when, zone, after);
  }
}

/** The next times after a moment, at most so many. */
export function nextTimes(when: When, counted: Counted, { after, count }: { after: number; count: number }): number[] {
  const times: number[] = [];
  for (let last: number | null = after; times.length < count;) {
    last = nextTime(when, counted, last);
    if (last === null) break;
    times.push(last);
  }
  return times;
}

function nextStep(anchor: number, step: number, after: number): number {
  return anchor + Math.max(1, Math.floor((after - anchor) / step) + 1) * step;
}

function nextDaily(when: Extract<When, { kind: "daily" | "weekdays" | "weekly" }>, zone: string, after: number): number | null {
  const today = wallTimeAt(after, zone);
  for (let days = -1; days <= DAYS_AHEAD; days += 1) {
    const date = addDays(today, days);
    if (!isDay(when, weekdayOf(date))) continue;
    const instant = instantOf({ ...date, ...parseClock(when.time) }, zone);
    if (instant > after) return instant;
  }
  return null;
}

function isDay(when: Extract<When, { kind: "daily" | "weekdays" | "weekly" }>, weekday: number): boolean {
  if (when.kind === "daily") return true;
  return when.kind === "weekdays" ? weekday <= 5 : when.days.includes(weekday);
}

function nextMonthly({ day, time }: Extract<When, { kind: "monthly" }>, zone: string, after: number): number | null {
  const today = wallTimeAt(after, zone);
  for (let months = -1; months <= MONTHS_AHEAD; months += 1) {
    const first = new Date(Date.UTC(today.year, today.month - 1 + months, 1));
    const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + 1];
    const instant = instantOf({ year, month, day: Math.min(day, daysIn(year, month)), ...parseClock(time) }, zone);
    if (instant > after) return instant;
  }
  return null;
}

/** A time of day as numbers. */
export function parseClock(time: string): Pick<WallTime, "hour" | "minute"> {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return { hour, minute };
}
