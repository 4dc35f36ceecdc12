/**
 * The user's budgets in their teams, as the relational database has them: kept here, so a turn asks for no row of it, and read again
 * when the user's teams changed, or after a while, as that event may be lost.
 */
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { readOwnBudget } from "#worker/conversation/team-usage/budgets.ts";

/** How long a budget is taken for right, in milliseconds. */
const BUDGET_CACHE_MS = 10 * 60_000;

/** What the user may spend a month in a team, in micro-dollars. */
export type TeamBudget = { name: string; micros: number };

export type TeamBudgets = {
  /** The user's budget in a team; null for none, and where they are not in it. */
  of(teamId: string): Promise<TeamBudget | null>;
  /** Has all of them read again. */
  forget(): void;
};

/** The budgets of one user. */
export function createTeamBudgets({ env, sql, userId }: { env: Env; sql: SqlStorage; userId: string }): TeamBudgets {
  /** Counts the times that all were forgotten: what was read before is not kept after. */
  let age = 0;

  return {
    async of(teamId) {
      const now = Date.now();
      const cached = sql
        .exec<{ name: string; micros: number | null }>(
          "SELECT name, amount_micros AS micros FROM team_budgets WHERE team_id = ? AND at > ?",
          teamId,
          now - BUDGET_CACHE_MS,
        )
        .toArray()[0];
      if (cached) return cached.micros === null ? null : { name: cached.name, micros: cached.micros };
      const asked = age;
      const budget = await readOwnBudget(openDatabase(env.DB), teamId, userId);
      if (asked === age) {
        sql.exec(
          "INSERT OR REPLACE INTO team_budgets (team_id, name, amount_micros, at) VALUES (?, ?, ?, ?)",
          teamId,
          budget?.name ?? "",
          budget?.micros ?? null,
          now,
        );
      }
      return budget;
    },
    forget() {
      age += 1;
      sql.exec("DELETE FROM team_budgets");
    },
  };
}
