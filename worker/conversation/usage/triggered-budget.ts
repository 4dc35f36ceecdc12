import { AppError } from "#worker/platform/errors/app-error.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import type { Env } from "#worker/platform/env.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";

/** The share of the day's budget from which each turn says so. */
const WARNED_SHARE = 0.8;

type Input = { id: string; replyId: string; person: { id: string; triggered_daily_budget_micros: number } };

/** Counts a turn that nobody typed against its payer's budget of the day; answers a warning where little is left. Throws TRIGGERED_BUDGET. */
export async function admitTriggered(env: Env, { id, replyId, person }: Input): Promise<string | null> {
  const budgetMicros = person.triggered_daily_budget_micros;
  const budget = `$${fromMicros(budgetMicros).toFixed(2)}`;
  const { isAdmitted, spentMicros } = await hubOf(env, person.id).admit({ kind: "triggered", id, replyId, budgetMicros });
  if (!isAdmitted) {
    const message = `The daily budget of ${budget} for messages that come in by themselves is used up. It begins anew at midnight UTC; the budget is set in the settings, under General.`;
    throw new AppError("TRIGGERED_BUDGET", { message });
  }
  if (spentMicros < budgetMicros * WARNED_SHARE) return null;
  return `More than 80 % of the daily budget of ${budget} for messages that come in by themselves is used.`;
}
