/** Dates as people write them in a search: whole years, months and days, and a few words. */

const DAY_MS = 24 * 60 * 60_000;

const MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

type Clock = {
  /** Epoch milliseconds. */
  now: number;
  /** What the reader's clock is behind UTC, in minutes, as `Date.getTimezoneOffset` returns it. */
  offsetMinutes: number;
};

/**
 * The moment at which a day, month or year begins, in epoch milliseconds; null for what is no date. Takes `2026`, `2026-10`,
 * `2026-10-05`, an ISO time, `today`, `yesterday`, a weekday or month (the latest one that began), and `7d`, `2w`, `3m`, `1y` ago.
 */
export function parseSearchDate(text: string, { now, offsetMinutes }: Clock): number | null {
  const value = text.trim().toLowerCase();
  const shift = offsetMinutes * 60_000;
  // The reader's calendar, read and made by the functions for UTC.
  const local = new Date(now - shift);
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
  const at = (y: number, m: number, d: number) => Date.UTC(y, m, d) + shift;

  if (/^\d{4}-\d{2}-\d{2}t[\d:.]+z$/.test(value)) return orNull(Date.parse(value.toUpperCase()));
  const date = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/.exec(value);
  if (date) return calendarDate(Number(date[1]), Number(date[2] ?? 1), Number(date[3] ?? 1), at);
  if (value === "today") return at(year, month, day);
  if (value === "yesterday") return at(year, month, day - 1);
  const ago = /^(\d{1,3})([dwmy])$/.exec(value);
  if (ago) {
    const count = Number(ago[1]);
    if (ago[2] === "m") return at(year, month - count, day);
    if (ago[2] === "y") return at(year - count, month, day);
    return at(year, month, day) - count * (ago[2] === "w" ? 7 : 1) * DAY_MS;
  }
  const named = MONTHS.findIndex((name) => isShortOf(name, value));
  if (named >= 0) return at(named > month ? year - 1 : year, named, 1);
  const weekday = WEEKDAYS.findIndex((name) => isShortOf(name, value));
  return weekday >= 0 ? at(year, month, day - ((local.getUTCDay() - weekday + 7) % 7)) : null;
}

/** True of a name or its first three letters and more. */
function isShortOf(name: string, value: string): boolean {
  return value.length >= 3 && name.startsWith(value);
}

function calendarDate(year: number, month: number, day: number, at: (y: number, m: number, d: number) => number): number | null {
  const made = new Date(Date.UTC(year, month - 1, day));
  const isReal = year >= 1970 && made.getUTCMonth() === month - 1 && made.getUTCDate() === day;
  return isReal ? at(year, month - 1, day) : null;
}

function orNull(ms: number): number | null {
  return Number.isNaN(ms) ? null : ms;
}
