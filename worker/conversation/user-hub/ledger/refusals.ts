import { fromMicros } from "#worker/platform/spending/money.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { Shortfall } from "./funds.ts";
import type { TeamBudget } from "./team-budgets.ts";

/** Why a turn isn't begun for lack of credits, and what to do about it. */
export function refuseForCredits({ availableMicros, amountMicros }: Shortfall): Outcome<never> {
  if (availableMicros <= 0) return { ok: false, code: "INSUFFICIENT_CREDITS" };
  const needed = fromMicros(amountMicros).toFixed(4);
  const left = fromMicros(availableMicros).toFixed(4);
  return {
    ok: false,
    code: "INSUFFICIENT_CREDITS",
    message: `This answer may cost about $${needed}, and $${left} is left. Pick a cheaper model or add credits; your text is kept.`,
  };
}

/** Why a turn isn't begun for lack of budget in its team, whose budget it is, and what to do about it. */
export function refuseForBudget({ name, micros }: TeamBudget, { availableMicros, amountMicros }: Shortfall): Outcome<never> {
  if (availableMicros <= 0) {
    const budget = `Your budget of $${fromMicros(micros).toFixed(2)} a month in the team "${name}" is used up.`;
    const next = `It begins anew on ${firstOfNextMonth()} (UTC); an admin of the team can raise it. Your text is kept.`;
    return { ok: false, code: "TEAM_BUDGET_REACHED", message: `${budget} ${next}` };
  }
  const needed = fromMicros(amountMicros).toFixed(4);
  const left = `$${fromMicros(availableMicros).toFixed(4)} is left of your budget this month in the team "${name}"`;
  return {
    ok: false,
    code: "TEAM_BUDGET_REACHED",
    message: `This answer may cost about $${needed}, and ${left}. Pick a cheaper model or ask an admin of the team; your text is kept.`,
  };
}

/** Why a key's turn isn't begun for lack of its budget, and what to do about it. */
export function refuseForKey({ availableMicros, amountMicros }: Shortfall): Outcome<never> {
  if (availableMicros <= 0) return { ok: false, code: "API_KEY_BUDGET" };
  const needed = fromMicros(amountMicros).toFixed(4);
  const left = `$${fromMicros(availableMicros).toFixed(4)} is left of this key's budget of the month`;
  return {
    ok: false,
    code: "API_KEY_BUDGET",
    message: `This answer may cost about $${needed}, and ${left}. Name a cheaper model, or raise the budget in the settings, under API keys.`,
  };
}

/** Why a turn that nobody typed isn't begun for lack of the day's budget, and what to do about it. */
export function refuseForDay({ availableMicros, amountMicros }: Shortfall): Outcome<never> {
  if (availableMicros <= 0) return { ok: false, code: "TRIGGERED_BUDGET" };
  const needed = fromMicros(amountMicros).toFixed(4);
  const left = `$${fromMicros(availableMicros).toFixed(4)} is left of today's budget for messages that come in by themselves`;
  return {
    ok: false,
    code: "TRIGGERED_BUDGET",
    message: `This answer may cost about $${needed}, and ${left}. Pick a cheaper model for them, or raise the budget in the settings, under General.`,
  };
}

function firstOfNextMonth(): string {
  const now = new Date();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  return first.toLocaleDateString("en", { month: "long", day: "numeric", timeZone: "UTC" });
}
