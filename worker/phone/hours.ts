import type { CallSettings } from "#shared/entities/outbound/call-settings.ts";

const DAY_MS = 24 * 60 * 60_000;

/** A time of day in a zone, in minutes since its midnight. */
function minuteOfDay(timeZone: string, at: number): number {
  const parts = new Intl.DateTimeFormat("en", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).formatToParts(at);
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value ?? 0);
  return part("hour") * 60 + part("minute");
}

/** Why nobody is called at this time; null where somebody may be. */
export function hoursProblem({ from_hour: from, until_hour: until }: CallSettings, timeZone: string, at: number): string | null {
  const minutes = minuteOfDay(timeZone, at);
  if (minutes >= from * 60 && minutes < until * 60) return null;
  const now = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  return `It is ${now} in ${timeZone}: calls go out from ${from}:00 to ${until}:00. The hours are set in the settings, under Tools.`;
}

/** When the day began in a zone, and when the next one does: epoch milliseconds, to the minute. */
export function dayAround(timeZone: string, at: number): { begins: number; ends: number } {
  const minute = Math.floor(at / 60_000) * 60_000;
  const begins = minute - minuteOfDay(timeZone, at) * 60_000;
  return { begins, ends: begins + DAY_MS };
}
