import { expect, it } from "vitest";
import { splitCredits } from "#web/lib/dollars.ts";
import { dayOfMonth, LAST_DAYS, lastDays, shareOf, usageDay } from "#web/features/conversation/credits/usage-chart.ts";

it.each([
  [12.4831, "$12.48", "31"],
  [5, "$5.00", ""],
  [4.5, "$4.50", ""],
  [0.00005, "$0.00", "01"],
  [-0.0123, "-$0.01", "23"],
  [1234.5678, "$1234.56", "78"],
])("credits are shown with two decimals, %d and the next two apart", (dollars, main, extra) => {
  expect(splitCredits(dollars)).toEqual({ main, extra });
});

it("the usage chart shows whatever cost anything, and nothing else", () => {
  expect(shareOf(0.000001, 10)).toBe(1);
  expect(shareOf(5, 10)).toBe(50);
  expect(shareOf(0, 10)).toBe(0);
  expect(shareOf(0, 0)).toBe(0);
});

it("the usage chart has a bar for each of the last thirty days of UTC, over a month's end too, and none for a day before or a gift", () => {
  const rows = [
    { key: "2026-03-02", cost: 0.5 },
    { key: "2026-02-28", cost: -5 },
    { key: "2026-02-01", cost: 0.25 },
    { key: "2026-01-31", cost: 9 },
  ];
  const days = lastDays(rows, Date.parse("2026-03-02T00:10:00Z"));
  expect(days).toHaveLength(LAST_DAYS);
  expect([days[0], days.at(-1)]).toEqual([
    { key: "2026-02-01", cost: 0.25 },
    { key: "2026-03-02", cost: 0.5 },
  ]);
  expect(days.reduce((sum, { cost }) => sum + cost, 0)).toBe(0.75);
  expect(dayOfMonth("2026-02-01")).toBe("1 Feb");
});

it("the usage chart names days", () => {
  expect(usageDay("2026-11-20")).toBe("Fri 20 Nov");
  expect(usageDay("someday")).toBe("someday");
});
