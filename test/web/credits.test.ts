import { describe, expect, it } from "vitest";
import { splitCredits } from "#web/features/credits/credits-amount.ts";
import { shareOf, usageDay } from "#web/features/credits/usage-chart.ts";

describe("credits", () => {
  it.each([
    [12.4831, "$12.48", "31"],
    [5, "$5.00", ""],
    [4.5, "$4.50", ""],
    [0.00005, "$0.00", "01"],
    [-0.0123, "-$0.01", "23"],
    [1234.5678, "$1234.56", "78"],
  ])("shows %d with two decimals and the next two apart", (dollars, main, extra) => {
    expect(splitCredits(dollars)).toEqual({ main, extra });
  });
});

describe("the usage chart", () => {
  it("shows whatever cost anything, and nothing else", () => {
    expect(shareOf(0.000001, 10)).toBe(1);
    expect(shareOf(5, 10)).toBe(50);
    expect(shareOf(0, 10)).toBe(0);
    expect(shareOf(0, 0)).toBe(0);
  });

  it("names days", () => {
    expect(usageDay("2026-11-20")).toBe("Fri 20 Nov");
    expect(usageDay("someday")).toBe("someday");
  });
});
