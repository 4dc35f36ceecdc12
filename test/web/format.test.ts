import { describe, expect, test } from "vitest";
import { dayGroup, partOfDay, rowTime } from "#web/lib/format.ts";

const now = new Date(2026, 10, 20, 12, 30);
const at = (year: number, month: number, day: number, hour = 9, minute = 5) => new Date(year, month - 1, day, hour, minute).toISOString();

describe("a row's time", () => {
  test.each([
    [at(2026, 11, 20, 11, 52), "11:52"],
    [at(2026, 11, 20, 0, 0), "0:00"],
    [at(2026, 11, 19, 23, 59), "23:59"],
    [at(2026, 11, 18), "Wed"],
    [at(2026, 11, 14), "Sat"],
    [at(2026, 11, 13), "13 Nov"],
    [at(2026, 3, 12), "12 Mar"],
    [at(2025, 12, 31), "Dec 2025"],
  ])("%s is written as %s", (iso, expected) => {
    expect(rowTime(iso, now)).toBe(expected);
  });
});

describe("a row's heading", () => {
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
  ])("%s stands under %s", (iso, heading) => {
    expect(dayGroup(iso, now)).toBe(heading);
  });
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
