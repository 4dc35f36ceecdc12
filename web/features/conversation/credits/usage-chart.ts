const weekday = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" });
const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const DAY_MS = 24 * 60 * 60_000;

/** Days that the chart by day has, today included. */
export const LAST_DAYS = 30;

type Day = { key: string; cost: number };

/** Each of the last days of UTC with what it cost, the oldest first; those without an entry cost nothing. */
export function lastDays(rows: readonly Day[], now: number): Day[] {
  const costs = new Map(rows.map(({ key, cost }) => [key, cost]));
  return Array.from({ length: LAST_DAYS }, (_, index) => {
    const key = new Date(now - (LAST_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return { key, cost: Math.max(0, costs.get(key) ?? 0) };
  });
}

/** The length of a bar in percent of the longest; what cost anything is seen. */
export function shareOf(cost: number, most: number): number {
  if (most <= 0 || cost <= 0) return 0;
  return Math.max(1, Math.round((cost / most) * 100));
}

/** `2026-11-20` as `Fri 20 Nov`. */
export function usageDay(key: string): string {
  // Composed, as browsers differ in the comma.
  const date = new Date(`${key}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? key : `${weekday.format(date)} ${dayMonth.format(date)}`;
}

/** `2026-11-20` as `20 Nov`. */
export function dayOfMonth(key: string): string {
  const date = new Date(`${key}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? key : dayMonth.format(date);
}
