/** A moment as a clock on the wall shows it; the month counts from 1. */
export type WallTime = { year: number; month: number; day: number; hour: number; minute: number };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, format);
  return format;
}

/** What the clocks of a zone (IANA) show at a moment in epoch milliseconds. */
export function wallTimeAt(instant: number, zone: string): WallTime & { second: number } {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return {
    year: part("year"),
    month: part("month"),
    day: part("day"),
    hour: part("hour"),
    minute: part("minute"),
    second: part("second"),
  };
}

/** Milliseconds that a zone's clocks are ahead of UTC at a moment. */
function offsetAt(instant: number, zone: string): number {
  const { year, month, day, hour, minute, second } = wallTimeAt(instant, zone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000;
}

/**
 * The moment at which a zone's clocks show a time, in epoch milliseconds: the first one where they show it twice, and where they skip it
 * the first moment after the gap.
 */
export function instantOf({ year, month, day, hour, minute }: WallTime, zone: string): number {
  const shown = Date.UTC(year, month - 1, day, hour, minute);
  const offsets = [offsetAt(shown - DAY_MS, zone), offsetAt(shown + DAY_MS, zone)];
  const [first = shown, last = shown] = offsets.map((offset) => shown - offset).toSorted((a, b) => a - b);
  const found = [first, last].find((instant) => instant + offsetAt(instant, zone) === shown);
  return found ?? changeBetween(first, last, zone);
}

/** The moment after `from` at which a zone's clocks jump to what they show at `to`. */
function changeBetween(from: number, to: number, zone: string): number {
  const after = offsetAt(to, zone);
  let low = from / 1_000;
  let high = to / 1_000;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * 1_000, zone) === after) high = middle;
    else low = middle;
  }
  return high * 1_000;
}

/** A day of the calendar so many days later. */
export function addDays(
  { year, month, day }: Pick<WallTime, "year" | "month" | "day">,
  days: number,
): Pick<WallTime, "year" | "month" | "day"> {
  const at = new Date(Date.UTC(year, month - 1, day + days));
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
}

/** The day of the week as ISO 8601 counts it, 1 for Monday. */
export function weekdayOf({ year, month, day }: Pick<WallTime, "year" | "month" | "day">): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7;
}

export function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
