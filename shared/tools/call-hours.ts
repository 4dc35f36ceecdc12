import { clockTime } from "#shared/clock-time.ts";
import type { CallSettings } from "#shared/entities/outbound/call-settings.ts";

type Hours = Pick<CallSettings, "from_hour" | "until_hour">;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** A time of day in a zone, in minutes since its midnight; without one in this device's. */
export function minuteOfDay(timeZone: string | undefined, at: number): number {
  const parts = new Intl.DateTimeFormat("en", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).formatToParts(at);
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value ?? 0);
  return part("hour") * 60 + part("minute");
}

/** The same as it is written: `9:05`. */
export function clockTimeIn(timeZone: string | undefined, at: number): string {
  const minutes = minuteOfDay(timeZone, at);
  return clockTime({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
}

/** When calls may go out again, in epoch milliseconds; null where they may now. */
export function nextOpening(hours: Hours, timeZone: string, at: number): number | null {
  const isOpen = (time: number) => {
    const minutes = minuteOfDay(timeZone, time);
    return minutes >= hours.from_hour * 60 && minutes < hours.until_hour * 60;
  };
  if (isOpen(at)) return null;
  const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const from = hours.from_hour * 60;
  const usual = minute + ((from - minuteOfDay(timeZone, at) + DAY_MINUTES) % DAY_MINUTES) * MINUTE_MS;
  // In a night in which the clock is changed it comes an hour sooner or later.
  const off = ((from - minuteOfDay(timeZone, usual) + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2;
  return [usual + off * MINUTE_MS, usual].find((time) => time > at && isOpen(time)) ?? usual;
}
