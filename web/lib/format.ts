import { clockTime } from "#shared/clock-time.ts";

const DAY_MS = 24 * 60 * 60_000;

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** Whole days of the local calendar from `then` to `now`; 0 is today. */
function daysAgo(then: Date, now: Date): number {
  // Rounded, as a day with a change of the clock has 23 or 25 hours.
  return Math.round((startOfDay(now) - startOfDay(then)) / DAY_MS);
}

/** One formatter of each kind, made at its first use: making one costs as much as a hundred uses, and the first screen needs none. */
function formatter(locale: string, options: Intl.DateTimeFormatOptions): (date: Date) => string {
  let made: Intl.DateTimeFormat | null = null;
  return (date) => (made ??= new Intl.DateTimeFormat(locale, options)).format(date);
}

const weekday = formatter("en", { weekday: "short" });
const dayAndMonth = formatter("en-GB", { day: "numeric", month: "short" });
const dayMonthYear = formatter("en-GB", { day: "numeric", month: "short", year: "numeric" });
const monthAndYear = formatter("en-GB", { month: "short", year: "numeric" });
const month = formatter("en", { month: "long" });
const longMonth = formatter("en", { month: "long", year: "numeric" });
const longDay = formatter("en-GB", { dateStyle: "long" });
const dayOfWeek = formatter("en", { weekday: "long" });
const dayOfMonth = formatter("en-GB", { day: "numeric", month: "long" });

/** A time of day: `9:05`. */
export function timeOfDay(date: Date): string {
  return clockTime({ hour: date.getHours(), minute: date.getMinutes() });
}

/** A row's time: `11:52` today and yesterday, `Wed` this week, `12 Mar` this year, else `Mar 2025`. */
export function rowTime(iso: string, now: Date = new Date()): string {
  const then = new Date(iso);
  const days = daysAgo(then, now);
  if (days <= 1) return timeOfDay(then);
  if (days < 7) return weekday(then);
  return then.getFullYear() === now.getFullYear() ? dayAndMonth(then) : monthAndYear(then);
}

/** The heading a row stands under: Today, Yesterday, Last week, then months. */
export function dayGroup(iso: string, now: Date = new Date()): string {
  const then = new Date(iso);
  const days = daysAgo(then, now);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days < 8) return "Last week";
  return then.getFullYear() === now.getFullYear() ? month(then) : longMonth(then);
}

/** A day as in a sentence: `9 November 2026`. */
export function longDate(iso: string): string {
  return longDay(new Date(iso));
}

/** A day without its year: `Thursday, 12 November`. */
export function weekdayAndDate(date: Date): string {
  // Composed, as browsers differ in the comma.
  return `${dayOfWeek(date)}, ${dayOfMonth(date)}`;
}

/** A day of these weeks: `9 November`. */
export function shortDate(iso: string): string {
  return dayOfMonth(new Date(iso));
}

/** Whole days of the local calendar until then; 0 is today, negative what is past. */
export function daysUntil(iso: string, now: Date = new Date()): number {
  // Not -0 for today.
  return 0 - daysAgo(new Date(iso), now);
}

/** A moment of these days: `Sat 9:05`. */
export function weekdayAndTime(date: Date): string {
  return `${weekday(date)} ${timeOfDay(date)}`;
}

/** A moment in short: `28 Nov 2026, 9:05`. */
export function shortMoment(iso: string): string {
  const date = new Date(iso);
  return `${dayMonthYear(date)}, ${timeOfDay(date)}`;
}

/** A moment in full, for titles and screen readers. */
export function fullTime(iso: string): string {
  const date = new Date(iso);
  // Composed, as browsers differ in the comma.
  return `${dayOfWeek(date)}, ${longDay(date)} at ${timeOfDay(date)}`;
}

/** The part of the day in a greeting, by the local clock. */
export function partOfDay(now: Date = new Date()): "morning" | "afternoon" | "evening" {
  const hour = now.getHours();
  if (hour >= 4 && hour < 12) return "morning";
  return hour >= 12 && hour < 18 ? "afternoon" : "evening";
}

/** `1 result`, `5 results`, `1,284 chats`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
