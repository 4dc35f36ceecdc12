import type { LiveEvent } from "#shared/live-events.ts";
import type { Charge } from "#worker/platform/spending/holds.ts";
import { chargeForGuests } from "#worker/conversation/credits/guest-spending.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import type { Env } from "#worker/platform/env.ts";
import { signUpCredits } from "#worker/people/users/users.ts";
import { currentCursor } from "../list/chat-list.ts";
import { broadcast } from "../live/live.ts";
import type { DayReports } from "./day-reports.ts";
import { balanceOf, grantSignUp, hasGrant, settle, teamsSpent } from "./ledger.ts";
import { createTeamBudgets, type TeamBudget } from "./team-budgets.ts";

/** The user's money as it comes and goes, reported to their tabs. */
export type Account = {
  /** What signing up gave is entered when the ledger is first asked; it is read where whoever asks does not know it. */
  ensureGrant(known?: number): Promise<void>;
  /** Enters charges, each call once. */
  enter(charges: Charge[]): Promise<void>;
  /** The user's budget in a team; null for none. */
  budgetIn(teamId: string | null | undefined): Promise<TeamBudget | null>;
  /** Has the budgets read again. */
  forgetBudgets(): void;
  /** The balance as a tab gets it. */
  creditsEvent(): LiveEvent;
  notifyCredits(): void;
};

type Deps = { ctx: DurableObjectState; env: Env; userId: string; days: () => Pick<DayReports, "note"> };

/** The account of one user. */
export function createAccount({ ctx, env, userId, days }: Deps): Account {
  const { sql } = ctx.storage;
  const budgets = createTeamBudgets({ env, sql, userId });

  function creditsEvent(): LiveEvent {
    return { type: "credits.changed", cursor: String(currentCursor(sql)), credits: fromMicros(balanceOf(sql)) };
  }

  function notifyCredits(): void {
    broadcast(ctx, [creditsEvent()]);
  }

  async function notifyBudgets(teamIds: Iterable<string>): Promise<void> {
    for (const teamId of teamIds) {
      const budget = await budgets.of(teamId);
      if (!budget) continue;
      const amounts = { spent: fromMicros(teamsSpent(sql)[teamId] ?? 0), budget: fromMicros(budget.micros) };
      broadcast(ctx, [{ type: "budget.changed", cursor: String(currentCursor(sql)), team_id: teamId, name: budget.name, ...amounts }]);
    }
  }

  return {
    async ensureGrant(known) {
      if (hasGrant(sql)) return;
      const granted = known ?? (await signUpCredits(env, userId));
      if (granted === null) return;
      grantSignUp(sql, granted);
    },
    async enter(charges) {
      if (charges.length === 0) return;
      // First, as a report whose taking failed comes again.
      const ofHouse = charges.filter(({ isHouse }) => isHouse);
      if (ofHouse.length > 0) await chargeForGuests(env, ofHouse);
      if (settle(sql, charges)) notifyCredits();
      const teamIds = charges.flatMap(({ teamId, isHouse }) => (teamId == null || isHouse ? [] : [teamId]));
      if (teamIds.length > 0 && ctx.getWebSockets().length > 0) ctx.waitUntil(notifyBudgets(new Set(teamIds)));
      await days().note();
    },
    async budgetIn(teamId) {
      return teamId == null ? null : budgets.of(teamId);
    },
    forgetBudgets: () => budgets.forget(),
    creditsEvent,
    notifyCredits,
  };
}
