import { clockTime } from "../clock-time.ts";
import type { When } from "../entities/schedules/when.ts";
import { wallTimeAt, weekdayOf } from "./wall-clock.ts";

export const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;
export const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** When a schedule runs, in words; the local parser reads them again (parse-when.ts). */
export function describeWhen(when: When, zone: string): string {
  switch (when.kind) {
    case "once":
      return `Once on ${dayAndTime(Date.parse(when.at), zone)}`;
    case "daily":
      return `Every day at ${written(when.time)}`;
    case "weekdays":
      return `Every weekday at ${written(when.time)}`;
    case "weekly": {
      const names = when.days.toSorted((a, b) => a - b).map((day) => WEEKDAYS[day - 1] ?? "");
      return `Every ${joined([...new Set(names)])} at ${written(when.time)}`;
    }
    case "monthly":
      return `Every month on ${when.day === 31 ? "the last day" : `the ${ordinal(when.day)}`} at ${written(when.time)}`;
    case "hours":
      return when.every === 1 ? "Every hour" : `Every ${when.every} hours`;
    case "page":
      return `When ${when.url} changes`;
  }
}

/** A moment as a zone's clocks and calendars have it: `24 November 2026 at 9:00`. */
export function dayAndTime(instant: number, zone: string): string {
  const { year, month, day, hour, minute } = wallTimeAt(instant, zone);
  return `${day} ${MONTHS[month - 1] ?? ""} ${year} at ${clockTime({ hour, minute })}`;
}

/** The same in short: `Tue 24 Nov, 9:00`. */
export function shortTime(instant: number, zone: string): string {
  const { year, month, day, hour, minute } = wallTimeAt(instant, zone);
  const weekday = WEEKDAYS[weekdayOf({ year, month, day }) - 1] ?? "";
  return `${weekday.slice(0, 3)} ${day} ${MONTHS[month - 1]?.slice(0, 3) ?? ""}, ${clockTime({ hour, minute })}`;
}

/** `1st`, `2nd`, `3rd`, `11th`. */
export function ordinal(number: number): string {
  const isTeen = number % 100 >= 11 && number % 100 <= 13;
  return `${number}${isTeen ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th")}`;
}

function joined(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** A time on the wall (`08:30`) as it is written in a sentence. */
function written(time: string): string {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return clockTime({ hour, minute });
}
