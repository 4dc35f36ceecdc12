import fc from "fast-check";
import { expect, it } from "vitest";
import type { When } from "#shared/entities/schedules/when.ts";
import { describeWhen } from "#shared/schedules/describe-when.ts";
import { nextTime, nextTimes } from "#shared/schedules/next-times.ts";
import { parseWhen, splitDraft } from "#shared/schedules/parse-when.ts";
import { addDays, instantOf, wallTimeAt } from "#shared/schedules/wall-clock.ts";

const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "America/Sao_Paulo"];
const zone = fc.constantFrom(...ZONES);
const instant = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) });
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`);
const recurring: fc.Arbitrary<When> = fc.oneof(
  fc.record({ kind: fc.constant("daily" as const), time }),
  fc.record({ kind: fc.constant("weekdays" as const), time }),
  fc.record({
    kind: fc.constant("weekly" as const),
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }).map((days) => days.toSorted((a, b) => a - b)),
    time,
  }),
  fc.record({ kind: fc.constant("monthly" as const), day: fc.integer({ min: 1, max: 31 }), time }),
  fc.record({ kind: fc.constant("hours" as const), every: fc.integer({ min: 1, max: 168 }) }),
);

const utc = (text: string) => Date.parse(`${text}Z`);
const iso = (times: number[]) => times.map((at) => new Date(at).toISOString().slice(0, 16));

function next(when: When, inZone: string, after: string, count = 3): string[] {
  return iso(nextTimes(when, { zone: inZone, anchor: utc(after) }, { after: utc(after), count }));
}

it.each<[string, When, string, string, string[]]>([
  [
    "over the weekend",
    { kind: "weekdays", time: "08:00" },
    "UTC",
    "2026-11-19T09:00",
    ["2026-11-20T08:00", "2026-11-23T08:00", "2026-11-24T08:00"],
  ],
  // Berlin leaves winter time on 29 March 2026 at 02:00 and comes back on 25 October at 03:00.
  [
    "into summer time",
    { kind: "daily", time: "08:00" },
    "Europe/Berlin",
    "2026-03-27T12:00",
    ["2026-03-28T07:00", "2026-03-29T06:00", "2026-03-30T06:00"],
  ],
  [
    "in the gap",
    { kind: "daily", time: "02:30" },
    "Europe/Berlin",
    "2026-03-28T00:00",
    ["2026-03-28T01:30", "2026-03-29T01:00", "2026-03-30T00:30"],
  ],
  [
    "in the overlap, once",
    { kind: "daily", time: "02:30" },
    "Europe/Berlin",
    "2026-10-24T00:00",
    ["2026-10-24T00:30", "2026-10-25T00:30", "2026-10-26T01:30"],
  ],
  [
    "in New York's gap",
    { kind: "daily", time: "02:30" },
    "America/New_York",
    "2026-03-07T12:00",
    ["2026-03-08T07:00", "2026-03-09T06:30", "2026-03-10T06:30"],
  ],
  [
    "in a gap of half an hour",
    { kind: "daily", time: "02:15" },
    "Australia/Lord_Howe",
    "2026-10-03T00:00",
    ["2026-10-03T15:30", "2026-10-04T15:15", "2026-10-05T15:15"],
  ],
  [
    "at the ends of short months",
    { kind: "monthly", day: 31, time: "09:00" },
    "UTC",
    "2027-01-31T10:00",
    ["2027-02-28T09:00", "2027-03-31T09:00", "2027-04-30T09:00"],
  ],
  [
    "on 29 February",
    { kind: "monthly", day: 30, time: "09:00" },
    "UTC",
    "2028-02-01T00:00",
    ["2028-02-29T09:00", "2028-03-30T09:00", "2028-04-30T09:00"],
  ],
  [
    "every few hours, whatever the clocks do",
    { kind: "hours", every: 6 },
    "Europe/Berlin",
    "2026-03-28T20:00",
    ["2026-03-29T02:00", "2026-03-29T08:00", "2026-03-29T14:00"],
  ],
  [
    "on some days",
    { kind: "weekly", days: [1, 4], time: "23:45" },
    "Asia/Kathmandu",
    "2026-11-23T00:00",
    ["2026-11-23T18:00", "2026-11-26T18:00", "2026-11-30T18:00"],
  ],
  ["once", { kind: "once", at: "2026-11-24T08:00:00.000Z" }, "UTC", "2026-11-23T00:00", ["2026-11-24T08:00"]],
  ["once, over", { kind: "once", at: "2026-11-22T08:00:00.000Z" }, "UTC", "2026-11-23T00:00", []],
  // Samoa had no 30 December 2011.
  [
    "on a day that a zone left out",
    { kind: "daily", time: "09:00" },
    "Pacific/Apia",
    "2011-12-29T00:00",
    ["2011-12-29T19:00", "2011-12-30T10:00", "2011-12-30T19:00"],
  ],
])("the next times of a schedule come %s", (_name, when, inZone, after, expected) => {
  expect(next(when, inZone, after, Math.max(1, expected.length))).toEqual(expected);
});

it("the next times of a schedule lie ahead, in order, at the time of day that was asked for or right after a gap", () => {
  fc.assert(
    fc.property(recurring, zone, instant, (when, inZone, after) => {
      const times = nextTimes(when, { zone: inZone, anchor: after - 3_600_000 }, { after, count: 4 });
      expect(times).toHaveLength(4);
      for (const [index, at] of times.entries()) {
        expect(at).toBeGreaterThan(times[index - 1] ?? after);
        // None is left out in between.
        expect(nextTime(when, { zone: inZone, anchor: after - 3_600_000 }, at - 1)).toBe(at);
        if (!("time" in when)) continue;
        const shown = wallTimeAt(at, inZone);
        const asked = when.time.split(":").map(Number);
        const isExact = shown.hour === asked[0] && shown.minute === asked[1];
        const before = wallTimeAt(at - 1, inZone);
        const isAfterGap = shown.hour * 60 + shown.minute - (before.hour * 60 + before.minute) !== 1;
        expect(isExact || isAfterGap).toBe(true);
      }
    }),
    { numRuns: 150 },
  );
});

it("the next times of a schedule are those that a zone's clocks show", () => {
  fc.assert(
    fc.property(instant, zone, (at, inZone) => {
      const minute = Math.floor(at / 60_000) * 60_000;
      const back = instantOf(wallTimeAt(minute, inZone), inZone);
      // A time that is shown twice means the first one.
      expect(minute - back === 0 || minute - back === 3_600_000 || minute - back === 1_800_000).toBe(true);
    }),
    { numRuns: 200 },
  );
});

// A Monday, 10:00 in Berlin.
const NOW = { now: utc("2026-11-23T09:00"), zone: "Europe/Berlin" };
const once = (at: string): When => ({ kind: "once", at: `${at}:00.000Z` });

it.each<[string, When]>([
  ["in 20 minutes", once("2026-11-23T09:20")],
  ["in an hour", once("2026-11-23T10:00")],
  ["in half an hour", once("2026-11-23T09:30")],
  ["In three days", once("2026-11-26T09:00")],
  ["in 2 weeks at 7", once("2026-12-07T06:00")],
  ["tomorrow at 9", once("2026-11-24T08:00")],
  ["tomorrow 9", once("2026-11-24T08:00")],
  ["at 9 tomorrow", once("2026-11-24T08:00")],
  ["Tomorrow evening", once("2026-11-24T17:00")],
  ["tomorrow at 8 in the evening", once("2026-11-24T19:00")],
  ["tonight", once("2026-11-23T19:00")],
  ["at 9", once("2026-11-24T08:00")],
  ["17:30", once("2026-11-23T16:30")],
  ["today at 5pm", once("2026-11-23T16:00")],
  ["at noon", once("2026-11-23T11:00")],
  ["on Friday at 3 pm", once("2026-11-27T14:00")],
  ["next Monday", once("2026-11-30T08:00")],
  ["monday at 8", once("2026-11-30T07:00")],
  ["on 3 December at 9:15", once("2026-12-03T08:15")],
  ["December 3rd, 2027 at 9", once("2027-12-03T08:00")],
  ["on the 20th", once("2026-12-20T08:00")],
  ["2027-07-01 at 12:00", once("2027-07-01T10:00")],
  ["every day at 8:30", { kind: "daily", time: "08:30" }],
  ["daily", { kind: "daily", time: "09:00" }],
  ["every morning at 7", { kind: "daily", time: "07:00" }],
  ["every evening at 8", { kind: "daily", time: "20:00" }],
  ["every weekday at 8", { kind: "weekdays", time: "08:00" }],
  ["weekdays at 8am", { kind: "weekdays", time: "08:00" }],
  ["at 18.15 every working day", { kind: "weekdays", time: "18:15" }],
  ["Mon-Fri 9:00", { kind: "weekdays", time: "09:00" }],
  ["every Monday at 9", { kind: "weekly", days: [1], time: "09:00" }],
  ["mondays and thursdays at 9", { kind: "weekly", days: [1, 4], time: "09:00" }],
  ["every tue, thu and sat at 10pm", { kind: "weekly", days: [2, 4, 6], time: "22:00" }],
  ["weekly on friday", { kind: "weekly", days: [5], time: "09:00" }],
  ["every weekend at 11", { kind: "weekly", days: [6, 7], time: "11:00" }],
  ["every first of the month", { kind: "monthly", day: 1, time: "09:00" }],
  ["on the 15th of every month at 8", { kind: "monthly", day: 15, time: "08:00" }],
  ["monthly on the 31st", { kind: "monthly", day: 31, time: "09:00" }],
  ["every last day of the month at 17:00", { kind: "monthly", day: 31, time: "17:00" }],
  ["every hour", { kind: "hours", every: 1 }],
  ["every 3 hours", { kind: "hours", every: 3 }],
  ["every other hour", { kind: "hours", every: 2 }],
  ["when this page changes https://example.org/prices", { kind: "page", url: "https://example.org/prices" }],
  ["when https://Example.org/A changes", { kind: "page", url: "https://Example.org/A" }],
  ["When the page example.org/b changes", { kind: "page", url: "https://example.org/b" }],
  ["when HTTP://example.org/c changes", { kind: "page", url: "https://example.org/c" }],
])("a time as people write it: %s", (phrase, when) => {
  expect(parseWhen(phrase, NOW)).toEqual(when);
});

it("a time as people write it takes 'this page' for the one that is known", () => {
  for (const page of ["https://example.org/", "http://example.org/"])
    expect(parseWhen("when this page changes", { ...NOW, page })).toEqual({ kind: "page", url: "https://example.org/" });
  expect(parseWhen("when this page changes", NOW)).toBeNull();
});

it.each([
  "",
  "soon",
  "every 20 minutes",
  "every 0 hours",
  "in 0 minutes",
  "at 25",
  "today at 8",
  "on 30 February",
  "every 32nd",
  "tomorrow at 8:75",
  "a monday",
])("a time as people write it does not guess what %j means", (phrase) => {
  expect(parseWhen(phrase, NOW)).toBeNull();
});

it("a time as people write it is read from the words that a schedule is described by", () => {
  fc.assert(
    fc.property(recurring, zone, instant, (when, inZone, now) => {
      expect(parseWhen(describeWhen(when, inZone), { now, zone: inZone })).toEqual(when);
    }),
  );
  const later = once("2027-03-01T08:30");
  expect(describeWhen(later, "Europe/Berlin")).toBe("Once on 1 March 2027 at 9:30");
  expect(parseWhen(describeWhen(later, "Europe/Berlin"), NOW)).toEqual(later);
});

it("a time as people write it may stand at the beginning of a draft", () => {
  expect(splitDraft("Every weekday at 8: sum up\nthe news", NOW)).toEqual({ phrase: "Every weekday at 8", text: "sum up\nthe news" });
  expect(splitDraft("every day at 8:30, say hello", NOW)).toEqual({ phrase: "every day at 8:30", text: "say hello" });
  expect(splitDraft("Note: tomorrow at 9 is late", NOW)).toBeNull();
});

it("a time as people write it never breaks the reader", () => {
  expect(parseWhen("in 20 minutes".padEnd(5_000, " x"), NOW)).toBeNull();
  fc.assert(fc.property(fc.string(), zone, (text, inZone) => void parseWhen(text, { now: NOW.now, zone: inZone })));
  expect(addDays({ year: 2026, month: 12, day: 31 }, 1)).toEqual({ year: 2027, month: 1, day: 1 });
});
