import type { OwnTeamUsage } from "#shared/entities/team-usage.ts";

/** From this share of a budget on its user is warned. */
const WARNED_FROM = 0.8;

export type BudgetState = "none" | "fine" | "near" | "over";

/** How a budget of a month stands, in US dollars. */
export function budgetState({ spent, budget }: { spent: number; budget: number | null }): BudgetState {
  if (budget === null) return "none";
  if (spent >= budget) return "over";
  return spent >= budget * WARNED_FROM ? "near" : "fine";
}

/** What is said of one's own budget above the composer, to admins else of the team's; null while there is nothing to warn of. */
export function warningOf(usage: OwnTeamUsage, now: Date = new Date()): string | null {
  return ownWarning(usage, now) ?? teamWarning(usage);
}

function teamWarning({ name, team }: OwnTeamUsage): string | null {
  if (team === null || budgetState(team) === "fine") return null;
  return `The team \u201c${name}\u201d has used ${percentOf(team.spent, team.budget)} % of its ${dollars(team.budget)} this month.`;
}

function ownWarning(usage: OwnTeamUsage, now: Date): string | null {
  const { name, spent, budget } = usage;
  if (budget === null) return null;
  switch (budgetState(usage)) {
    case "over":
      return `Your budget of ${dollars(budget)} a month in the team \u201c${name}\u201d is used up. It begins anew on ${firstOfNextMonth(now)}.`;
    case "near":
      return `You have used ${percentOf(spent, budget)} % of your ${dollars(budget)} this month in the team \u201c${name}\u201d.`;
    default:
      return null;
  }
}

/** What a person spent in a team this month, and of what: '$3.20 of your $20.00 this month'. */
export function ownSpendText({ spent, budget }: Pick<OwnTeamUsage, "spent" | "budget">): string {
  return budget === null
    ? `You spent ${dollars(spent)} here this month`
    : `You spent ${dollars(spent)} of your ${dollars(budget)} here this month`;
}

/** A whole percentage; below 100 as long as something is left. */
export function percentOf(spent: number, budget: number): number {
  if (budget <= 0) return 100;
  return spent >= budget ? Math.round((spent / budget) * 100) : Math.min(99, Math.floor((spent / budget) * 100));
}

/** US dollars with cents; less than a cent says so. */
export function dollars(amount: number): string {
  return amount > 0 && amount < 0.01 ? "<$0.01" : `$${amount.toFixed(2)}`;
}

const longMonth = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
const dayOfMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

function firstOfNextMonth(now: Date): string {
  return dayOfMonth.format(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}

/** The month of UTC of a moment, as `2026-11`. */
export function monthOf(now: Date = new Date()): string {
  return now.toISOString().slice(0, 7);
}

/** The month so many months after another one. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return monthOf(new Date(Date.UTC(year, number - 1 + months, 1)));
}

/** `2026-11` as `November 2026`. */
export function monthName(month: string): string {
  return longMonth.format(new Date(`${month}-01T00:00:00Z`));
}

/** A number of tokens or calls, e.g. `1.2M`. */
export function shortNumber(count: number): string {
  return compact.format(count);
}
