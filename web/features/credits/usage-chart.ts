const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });

/** The length of a bar in percent of the longest; what cost anything is seen. */
export function shareOf(cost: number, most: number): number {
  if (most <= 0 || cost <= 0) return 0;
  return Math.max(1, Math.round((cost / most) * 100));
}

/** `2026-11-20` as `Fri 20 Nov`. */
export function usageDay(key: string): string {
  const date = new Date(`${key}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? key : day.format(date);
}
