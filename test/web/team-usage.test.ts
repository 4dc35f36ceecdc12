import { expect, it } from "vitest";
import {
  budgetState,
  dollars,
  monthAfter,
  monthName,
  ownSpendText,
  percentOf,
  warningOf,
} from "#web/features/conversation/team-usage/usage-text.ts";

const usage = (spent: number, budget: number | null) => ({ team_id: "t", name: "Crew", spent, budget, team: null });
const now = new Date("2026-12-31T23:00:00Z");

it("a member's budget warns from 80 % on, and is used up at 100 %", () => {
  expect([0, 7.99, 8, 9.99, 10, 12].map((spent) => budgetState({ spent, budget: 10 }))).toEqual([
    "fine",
    "fine",
    "near",
    "near",
    "over",
    "over",
  ]);
  expect(budgetState({ spent: 12, budget: null })).toBe("none");
  expect(budgetState({ spent: 0, budget: 0 })).toBe("over");
});

it("a member's budget is named with its team, and with the day when it begins anew", () => {
  expect(warningOf(usage(1, 10), now)).toBeNull();
  expect(warningOf(usage(1, null), now)).toBeNull();
  expect(warningOf(usage(8.4, 10), now)).toBe("You have used 84 % of your $10.00 this month in the team \u201cCrew\u201d.");
  expect(warningOf(usage(10, 10), now)).toBe(
    "Your budget of $10.00 a month in the team \u201cCrew\u201d is used up. It begins anew on 1 January.",
  );
});

it("a member's budget of the whole team warns its admins, after their own", () => {
  const team = { spent: 170, budget: 200 };
  expect(warningOf({ ...usage(1, 10), team }, now)).toBe("The team \u201cCrew\u201d has used 85 % of its $200.00 this month.");
  expect(warningOf({ ...usage(8, 10), team }, now)).toContain("You have used 80 %");
  expect(warningOf({ ...usage(1, 10), team: { spent: 100, budget: 200 } }, now)).toBeNull();
});

it("a member's budget says what was spent, and of what", () => {
  expect(ownSpendText(usage(3.2, 20))).toBe("You spent $3.20 of your $20.00 here this month");
  expect(ownSpendText(usage(0.001, null))).toBe("You spent <$0.01 here this month");
});

it("a team's amounts are below 100 % as long as something is left", () => {
  expect([percentOf(9.999, 10), percentOf(10, 10), percentOf(15, 10), percentOf(0, 0)]).toEqual([99, 100, 150, 100]);
  expect([dollars(0), dollars(0.004), dollars(1234.5)]).toEqual(["$0.00", "<$0.01", "$1234.50"]);
});

it("a team's amounts go from month to month over the years", () => {
  expect([monthAfter("2026-12", 1), monthAfter("2026-01", -1)]).toEqual(["2027-01", "2025-12"]);
  expect(monthName("2026-11")).toBe("November 2026");
});
