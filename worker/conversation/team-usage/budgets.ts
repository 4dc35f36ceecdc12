import type { TeamBudgets } from "#shared/entities/team-usage.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { fromMicros, toMicros } from "#worker/platform/spending/money.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { findManagedTeam, readMemberIds, notifyMembers } from "#worker/people/teams/teams.ts";
import { selectBudget, selectBudgets, selectSums, updateBudgets, updateMemberBudget } from "./queries.ts";

/** What a person may spend a month in a team that they are in, in micro-dollars; null for no budget, and for who is not in it. */
export async function readOwnBudget(db: Database, teamId: string, userId: string): Promise<{ name: string; micros: number } | null> {
  const [found] = await selectBudgets(db, userId, teamId);
  return found && found.micros !== null ? { name: found.name, micros: found.micros } : null;
}

type OwnBudget = { team_id: string; name: string; micros: number | null; team: { micros: number; spent: number } | null };

/** What a person may spend a month in each of their teams, in micro-dollars, null for no budget; to a team's admins also how its own stands. */
export async function readOwnBudgets(db: Database, userId: string): Promise<OwnBudget[]> {
  const found = await selectBudgets(db, userId);
  const managed = found.filter(({ role, team_micros: micros }) => role === "admin" && micros !== null).map(({ team_id: id }) => id);
  const sums = managed.length === 0 ? [] : await selectSums(db, managed, `${new Date().toISOString().slice(0, 7)}-01`);
  const spent = new Map(sums.map(({ team_id: id, micros }) => [id, micros]));
  return found.map(({ team_id, name, micros, role, team_micros: whole }) => ({
    team_id,
    name,
    micros,
    team: role === "admin" && whole !== null ? { micros: whole, spent: spent.get(team_id) ?? 0 } : null,
  }));
}

/** A team's budgets of a month. */
export async function readBudgets(db: Database, teamId: string): Promise<TeamBudgets> {
  const found = await selectBudget(db, teamId);
  return { team: toDollars(found?.team ?? null), each: toDollars(found?.each ?? null) };
}

type Change = {
  team?: number | null | undefined;
  each?: number | null | undefined;
  member?: { userId: string; budget: number | null } | undefined;
};

/** Sets a team's budgets; the members concerned are held to theirs once this resolves. Throws TEAM_NOT_FOUND, FORBIDDEN, NOT_FOUND. */
export async function changeBudgets(env: Env, db: Database, caller: Caller, teamId: string, { team, each, member }: Change): Promise<void> {
  await findManagedTeam(db, teamId, caller.userId);
  if (member && !(await updateMemberBudget(db, { teamId, userId: member.userId, micros: toAmount(member.budget) }))) {
    throw new AppError("NOT_FOUND", { message: "This person is not in the team." });
  }
  const changes = {
    ...(team !== undefined && { budget_micros: toAmount(team) }),
    ...(each !== undefined && { member_budget_micros: toAmount(each) }),
  };
  const isForAll = Object.keys(changes).length > 0;
  if (isForAll) await updateBudgets(db, teamId, changes);
  await notifyMembers(env, isForAll ? await readMemberIds(db, teamId) : member ? [member.userId] : []);
}

function toAmount(dollars: number | null): number | null {
  return dollars === null ? null : toMicros(dollars);
}

function toDollars(micros: number | null): number | null {
  return micros === null ? null : fromMicros(micros);
}
