import { and, desc, eq, gte, isNull, lt, sql } from "drizzle-orm";
import { DELETED_USER } from "#shared/deleted-user.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { teamMembers, teams } from "#worker/platform/db/schema/teams.ts";
import { usageDays } from "#worker/platform/db/schema/usage.ts";

/** What a person may spend a month in their teams, or in one of them: what is set for them alone goes before what is set for each member. */
export async function selectBudgets(db: Database, userId: string, teamId?: string) {
  return db
    .select({
      team_id: teams.id,
      name: teams.name,
      micros: sql<number | null>`COALESCE(${teamMembers.budget_micros}, ${teams.member_budget_micros})`,
      role: teamMembers.role,
      team_micros: teams.budget_micros,
    })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.team_id))
    .where(and(eq(teamMembers.user_id, userId), isNull(teams.deleted_at), teamId === undefined ? undefined : eq(teams.id, teamId)));
}

/** What each of some teams spent from a day on. */
export async function selectSums(db: Database, teamIds: readonly string[], from: string): Promise<{ team_id: string; micros: number }[]> {
  return db.all(
    sql`SELECT team_id, SUM(cost_micros) AS micros FROM usage_days
          WHERE team_id <> '' AND team_id IN (SELECT value FROM json_each(${JSON.stringify(teamIds)})) AND day >= ${from} GROUP BY team_id`,
  );
}

/** What is set for a team, and for each of its members. */
export async function selectBudget(db: Database, teamId: string) {
  return db.select({ team: teams.budget_micros, each: teams.member_budget_micros }).from(teams).where(eq(teams.id, teamId)).get();
}

/** Sets what a member may spend a month. */
export async function updateMemberBudget(
  db: Database,
  { teamId, userId, micros }: { teamId: string; userId: string; micros: number | null },
): Promise<boolean> {
  const changed = await db
    .update(teamMembers)
    .set({ budget_micros: micros })
    .where(and(eq(teamMembers.team_id, teamId), eq(teamMembers.user_id, userId)))
    .returning({ id: teamMembers.user_id });
  return changed.length > 0;
}

/** Sets what all of a team, and each of its members, may spend a month. */
export async function updateBudgets(
  db: Database,
  teamId: string,
  budgets: Partial<Pick<typeof teams.$inferInsert, "budget_micros" | "member_budget_micros">>,
): Promise<void> {
  await db.update(teams).set(budgets).where(eq(teams.id, teamId));
}

/** Who is in a team and who was, by name, with the budget of their own: a former member under the name they left with. */
export async function selectPeople(db: Database, teamId: string) {
  return db.all<{ user_id: string; name: string; is_former: number; budget_micros: number | null }>(
    sql`SELECT m.user_id, u.display_name AS name, 0 AS is_former, m.budget_micros FROM team_members m JOIN users u ON u.id = m.user_id
          WHERE m.team_id = ${teamId}
        UNION ALL
        SELECT f.user_id, f.name, 1, NULL FROM former_members f WHERE f.team_id = ${teamId}
          AND f.left_at = (SELECT MAX(l.left_at) FROM former_members l WHERE l.team_id = f.team_id AND l.user_id = f.user_id)
          AND NOT EXISTS (SELECT 1 FROM team_members m WHERE m.team_id = f.team_id AND m.user_id = f.user_id)
        ORDER BY 3, name COLLATE NOCASE, 1`,
  );
}

/** When who was in a team; of those whose accounts are deleted no hub knows anything. */
export async function selectTimes(db: Database, teamId: string) {
  return db.all<{ userId: string; from: string; until: string | null }>(
    sql`SELECT user_id AS "userId", created_at AS "from", NULL AS "until" FROM team_members WHERE team_id = ${teamId}
        UNION ALL SELECT user_id, joined_at, left_at FROM former_members WHERE team_id = ${teamId} AND user_id <> ${DELETED_USER.id}`,
  );
}

/** What a team's days from one up to another cost, by member, day and model. */
export async function selectDays(db: Database, teamId: string, { from, until }: { from: string; until: string }) {
  return db
    .select({
      user_id: usageDays.user_id,
      day: usageDays.day,
      model_id: usageDays.model_id,
      calls: usageDays.calls,
      tokens: usageDays.tokens,
      cost_micros: usageDays.cost_micros,
    })
    .from(usageDays)
    .where(and(eq(usageDays.team_id, teamId), gte(usageDays.day, from), lt(usageDays.day, until)))
    .orderBy(desc(usageDays.day), usageDays.user_id, usageDays.model_id);
}
