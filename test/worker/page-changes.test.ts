import { expect, it } from "vitest";
import { comparePages } from "#worker/conversation/schedules/page-change.ts";

it.each([
  ["a train's time", "Ulm 10:15\nBonn 11:00", "Ulm 10:20\nBonn 11:00", "- Ulm 10:15\n+ Ulm 10:20"],
  ["the last train's", "Last train 23:50", "Last train 23:20", "- Last train 23:50\n+ Last train 23:20"],
  ["a meeting's in a sentence", "We meet at 9:30 am.", "We meet at 10:30 am.", "- We meet at 9:30 am.\n+ We meet at 10:30 am."],
])("what changed on a page reports %s", (_, before, after, difference) => {
  expect(comparePages(before, after)).toBe(difference);
});

it.each([
  [
    "when it was updated",
    "Bread\nLast updated: Monday, 23 November 2026 at 12:01 UTC",
    "Bread\nLast updated: Tuesday, 1 December 2026 at 9:10 UTC",
  ],
  ["as of when it stands", "3 € as of 12:01:30", "3 € as of 12:02:30"],
  ["a clock in a line of its own", "Bread\n12:01 pm", "Bread\n12:05 pm"],
  ["a clock with its zone", "Bread\n 12:01 CET |", "Bread\n 14:01 CET |"],
  ["ages and counters", "Seen 12:01, 41 views, 5 minutes ago", "Seen 13:40, 97 views, 2 hours ago"],
])("what changed on a page is not %s", (_, before, after) => {
  expect(comparePages(before, after)).toBeNull();
});

it("what changed on a page is found however far into a long line it stands", () => {
  const line = (price: number) => `${"All of this stays as it was. ".repeat(200)}Bread is ${price} €. And so on.`;
  expect(comparePages(line(3), line(4))).toBe("- Bread is 3 €.\n+ Bread is 4 €.");
  const unbroken = (end: string) => `${"x".repeat(5_000)} ${end}`;
  expect(comparePages(unbroken("before"), unbroken("after"))).toContain("after");
});
