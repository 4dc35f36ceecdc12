import type { Team, TeamMember, TeamRole } from "#shared/entities/team.ts";
import { TEAMS_MADE_MAX } from "#shared/limits.ts";
import { PLANS, planOf } from "#shared/plans.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { type Caller, configOf, type Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import type { TeamTime } from "#worker/people/hub/rpc.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { getUserRow } from "#worker/people/users/users.ts";
import {
  deleteMember,
  dissolveTeam,
  insertMember,
  insertTeam,
  selectDissolved,
  selectMemberIds,
  selectMembers,
  selectTeam,
  selectTeamRole,
  selectTeamTimes,
  selectTeams,
  updateRole,
  updateTeamRow,
} from "./queries.ts";
import { changeMembership } from "./refresh-chats.ts";

/** People notified at once; a Worker has six connections. */
const HUBS_AT_ONCE = 6;

/** The teams that a person is in, by name. */
export function readTeams(db: Database, userId: string): Promise<Team[]> {
  return selectTeams(db, userId);
}

/** The teams that a person may share with. */
export async function readTeamsToShareWith(db: Database, userId: string): Promise<Team[]> {
  return (await selectTeams(db, userId)).filter(mayShare);
}

/** True where a person may share things with a team. */
export async function mayShareWithTeam(db: Database, teamId: string, userId: string): Promise<boolean> {
  return (await teamRefusal(db, teamId, userId)) === null;
}

/** Why a person may not share things with a team; null where they may. */
export async function teamRefusal(db: Database, teamId: string, userId: string): Promise<AppError | null> {
  const team = await selectTeam(db, teamId, userId);
  if (team === undefined) return new AppError("TEAM_NOT_FOUND");
  return mayShare(team) ? null : new AppError("TEAM_ADMINS_ONLY");
}

/** Lets a person share things with a team. Throws TEAM_NOT_FOUND, and TEAM_ADMINS_ONLY. */
export async function requireTeam(db: Database, teamId: string, userId: string): Promise<void> {
  const refusal = await teamRefusal(db, teamId, userId);
  if (refusal) throw refusal;
}

type Move = { ownerId: string; userId: string; teamId: string | null };

/** Lets a person who may change an item move it to a team, null for to its owner alone. Throws as `requireTeam`, and FORBIDDEN for another's. */
export async function requireMove(db: Database, { ownerId, userId, teamId }: Move): Promise<void> {
  if (teamId === null) return;
  if (ownerId !== userId) throw new AppError("FORBIDDEN", { message: "Only its creator can give it to another team." });
  await requireTeam(db, teamId, userId);
}

/** True for a team that its reader may share things with. */
function mayShare({ content_admin_only: isForAdmins, user_role: role }: Pick<Team, "content_admin_only" | "user_role">): boolean {
  return role === "admin" || !isForAdmins;
}

/** A team that a person is in. Throws TEAM_NOT_FOUND. */
export async function findTeam(db: Database, teamId: string, userId: string): Promise<Team> {
  const team = await selectTeam(db, teamId, userId);
  if (!team) throw new AppError("TEAM_NOT_FOUND");
  return team;
}

/** A team that a person manages. Throws TEAM_NOT_FOUND, FORBIDDEN. */
export async function findManagedTeam(db: Database, teamId: string, userId: string): Promise<Team> {
  const team = await findTeam(db, teamId, userId);
  if (team.user_role !== "admin") throw notAdmin();
  return team;
}

function notAdmin(): AppError {
  return new AppError("FORBIDDEN", { message: "Only an admin of the team can do that." });
}

type NewTeam = { id?: string | undefined; name: string; description?: string | null | undefined };

/** Makes a team. Throws TEAM_PLAN_REQUIRED, CONFLICT for an id that is taken, INVALID_INPUT at the limit. */
export async function makeTeam(
  env: Env,
  db: Database,
  caller: Caller,
  { id = crypto.randomUUID(), name, description }: NewTeam,
): Promise<Team> {
  // The session's word of the plan may be minutes old.
  const { teams: hasTeams } = PLANS[planOf(await getUserRow(db, caller.userId))];
  if (!hasTeams && !configOf(env).teams.areForAll) throw new AppError("TEAM_PLAN_REQUIRED");
  const team = { id, name, description: description || null, created_by: caller.userId };
  const outcome = await insertTeam(db, team, new Date().toISOString());
  if (outcome === "full") throw new AppError("INVALID_INPUT", { message: `You have made ${TEAMS_MADE_MAX} teams already.` });
  if (outcome === "taken") throw new AppError("CONFLICT", { message: "A team of this id exists already." });
  await notifyMembers(env, [caller.userId]);
  return findTeam(db, id, caller.userId);
}

type Change = {
  name?: string | undefined;
  description?: string | null | undefined;
  members_restricted?: boolean | undefined;
  content_admin_only?: boolean | undefined;
};

const CHANGEABLE = ["name", "description", "members_restricted", "content_admin_only"] as const;

/** Changes a team; nobody is notified where it stays as it is. Throws TEAM_NOT_FOUND, FORBIDDEN. */
export async function changeTeam(
  env: Env,
  db: Database,
  caller: Caller,
  teamId: string,
  { description, ...change }: Change,
): Promise<Team> {
  const before = await findManagedTeam(db, teamId, caller.userId);
  const changes = { ...change, ...(description !== undefined && { description: description || null }) };
  // What stays as it is wakes no member.
  const after = { ...before, ...changes };
  if (CHANGEABLE.every((field) => after[field] === before[field])) return before;
  if (!(await updateTeamRow(db, teamId, changes, caller.userId))) throw notAdmin();
  await notifyMembers(env, await selectMemberIds(db, teamId));
  return findTeam(db, teamId, caller.userId);
}

/** Deletes a team, its creator's. Throws TEAM_NOT_FOUND, FORBIDDEN. */
export async function removeTeam(env: Env, db: Database, caller: Caller, teamId: string): Promise<void> {
  const team = await findTeam(db, teamId, caller.userId);
  if (team.created_by !== caller.userId) throw new AppError("FORBIDDEN", { message: "Only the creator of the team can delete it." });
  const userIds = await selectMemberIds(db, teamId);
  await changeMembership(env, { teamId, userIds }, () => dissolveTeam(db, teamId, new Date().toISOString()));
  await notifyMembers(env, userIds);
}

/** Who is in a team. Throws TEAM_NOT_FOUND, MEMBERS_RESTRICTED. */
export async function readMembers(db: Database, teamId: string, userId: string): Promise<TeamMember[]> {
  const team = await findTeam(db, teamId, userId);
  if (team.members_restricted && team.user_role !== "admin") throw new AppError("MEMBERS_RESTRICTED");
  return selectMembers(db, teamId);
}

/** Gives a member a role. Throws TEAM_NOT_FOUND, FORBIDDEN, NOT_FOUND, INVALID_INPUT for the creator. */
export async function changeRole(
  env: Env,
  db: Database,
  caller: Caller,
  { teamId, userId, role }: { teamId: string; userId: string; role: TeamRole },
): Promise<void> {
  const team = await findManagedTeam(db, teamId, caller.userId);
  const before = await selectTeamRole(db, teamId, userId);
  if (!before) throw new AppError("NOT_FOUND", { message: "This person is not in the team." });
  if (userId === team.created_by && role !== "admin")
    throw new AppError("INVALID_INPUT", { message: "The creator of the team stays an admin." });
  if (before === role) return;
  if (!(await updateRole(db, { teamId, userId, role, by: caller.userId }))) throw notAdmin();
  await notifyMembers(env, await selectMemberIds(db, teamId));
}

/** Makes a person a member of a team by somebody else's word; nothing where the team is gone or they are in it. */
export async function joinTeam(env: Env, db: Database, { teamId, userId }: { teamId: string; userId: string }): Promise<void> {
  if ((await selectTeamRole(db, teamId, userId)) !== null) return;
  const at = new Date().toISOString();
  const isNew = await changeMembership(env, { teamId, userIds: [userId] }, () => insertMember(db, teamId, { userId, at }));
  if (isNew) await notifyMembers(env, await selectMemberIds(db, teamId));
}

export async function isTeam(db: Database, teamId: string): Promise<boolean> {
  return (await selectDissolved(db, teamId)) === false;
}

/** Takes a person out of a team, or lets the caller leave it. Throws TEAM_NOT_FOUND, FORBIDDEN, NOT_FOUND, INVALID_INPUT. */
export async function removeMember(
  env: Env,
  db: Database,
  caller: Caller,
  { teamId, userId }: { teamId: string; userId: string },
): Promise<void> {
  const isLeaving = userId === caller.userId;
  const team = await (isLeaving ? findTeam(db, teamId, caller.userId) : findManagedTeam(db, teamId, caller.userId));
  if (userId === team.created_by)
    throw new AppError("INVALID_INPUT", { message: "The creator of the team cannot be removed. The team can be deleted." });
  if (isLeaving && team.user_role === "admin")
    throw new AppError("INVALID_INPUT", { message: "Become a member first, then leave the team." });
  if ((await selectTeamRole(db, teamId, userId)) === null) throw new AppError("NOT_FOUND", { message: "This person is not in the team." });
  const userIds = await selectMemberIds(db, teamId);
  const departure = { userId, at: new Date().toISOString(), by: isLeaving ? undefined : caller.userId };
  const isRemoved = await changeMembership(env, { teamId, userIds: [userId] }, () => deleteMember(db, teamId, departure));
  if (!isRemoved && !isLeaving) await findManagedTeam(db, teamId, caller.userId);
  await notifyMembers(env, userIds);
}

export function readMemberIds(db: Database, teamId: string): Promise<string[]> {
  return selectMemberIds(db, teamId);
}

/** When a person was in which team, those they left included. */
export function readTeamTimes(db: Database, userId: string): Promise<TeamTime[]> {
  return selectTeamTimes(db, userId);
}

/** Notifies these people's tabs that their teams changed. Nobody's change fails for it: a tab that was not reached reads again before long. */
export async function notifyMembers(env: Env, userIds: readonly string[]): Promise<void> {
  for (let next = 0; next < userIds.length; next += HUBS_AT_ONCE) {
    const outcomes = await Promise.allSettled(
      userIds.slice(next, next + HUBS_AT_ONCE).map((userId) => hubOf(env, userId).noteTeamsChanged()),
    );
    for (const outcome of outcomes)
      if (outcome.status === "rejected") log.warn("a member was not notified of a team", { cause: outcome.reason });
  }
}
