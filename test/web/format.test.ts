import { expect, onTestFinished, test } from "vitest";
import { usageDay } from "#web/features/conversation/credits/usage-chart.ts";
import { dayGroup, fullTime, partOfDay, rowTime, shortMoment, weekdayAndTime } from "#web/lib/format.ts";

const now = new Date(2026, 10, 20, 12, 30);
const at = (year: number, month: number, day: number, hour = 9, minute = 5) => new Date(year, month - 1, day, hour, minute).toISOString();

test.each([
  [at(2026, 11, 20, 11, 52), "11:52"],
  [at(2026, 11, 20, 0, 0), "0:00"],
  [at(2026, 11, 19, 23, 59), "23:59"],
  [at(2026, 11, 18), "Wed"],
  [at(2026, 11, 14), "Sat"],
  [at(2026, 11, 13), "13 Nov"],
  [at(2026, 3, 12), "12 Mar"],
  [at(2025, 12, 31), "Dec 2025"],
])("a row's time: %s is written as %s", (iso, expected) => {
  expect(rowTime(iso, now)).toBe(expected);
});

test("a time is written one way wherever it stands, whatever the browser's own way is", () => {
  const then = at(2026, 11, 28);
  const { prototype } = Intl.DateTimeFormat;
  const own = Object.getOwnPropertyDescriptor(prototype, "format") ?? {};
  onTestFinished(() => void Object.defineProperty(prototype, "format", own));
  // As Firefox and WebKit write what Chromium has as 9:05 and Sat 28 Nov.
  Object.defineProperty(prototype, "format", {
    configurable: true,
    get(this: Intl.DateTimeFormat) {
      const { hour, timeStyle, weekday, day } = this.resolvedOptions();
      if (hour ?? timeStyle) return () => "09:05";
      if (weekday && day) return () => "Sat, 28 Nov";
      return (date: Date) => Array.from(this.formatToParts(date), ({ value }) => value).join("");
    },
  });
  expect(rowTime(then, new Date(2026, 10, 28, 12))).toBe("9:05");
  expect(weekdayAndTime(new Date(then))).toBe("Sat 9:05");
  expect(shortMoment(then)).toBe("28 Nov 2026, 9:05");
  expect(fullTime(then)).toBe("Saturday, 28 November 2026 at 9:05");
  expect(usageDay("2026-11-28")).toBe("Sat 28 Nov");
});

test.each([
  [at(2026, 11, 20, 0, 0), "Today"],
  // Another device's clock may be ahead.
  [at(2026, 11, 20, 23, 59), "Today"],
  [at(2026, 11, 21), "Today"],
  [at(2026, 11, 19, 23, 59), "Yesterday"],
  [at(2026, 11, 18, 23, 59), "Last week"],
  [at(2026, 11, 13, 0, 0), "Last week"],
  [at(2026, 11, 12, 23, 59), "November"],
  [at(2026, 1, 1), "January"],
  [at(2025, 11, 20), "November 2025"],
])("a row's heading: %s stands under %s", (iso, heading) => {
  expect(dayGroup(iso, now)).toBe(heading);
});

test.each([
  [3, "evening"],
  [4, "morning"],
  [11, "morning"],
  [12, "afternoon"],
  [17, "afternoon"],
  [18, "evening"],
])("at %i o'clock it is %s", (hour, part) => {
  expect(partOfDay(new Date(2026, 10, 20, hour))).toBe(part);
});
