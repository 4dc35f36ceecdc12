import { and, asc, desc, eq, gt, inArray, isNull, lte, or, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import type { TeamRole } from "#shared/entities/team.ts";
import { TEAM_INVITATIONS_MAX, TEAMS_MADE_MAX } from "#shared/limits.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { chatTeamShares } from "#worker/platform/db/schema/chat-shares.ts";
import { knowledge } from "#worker/platform/db/schema/knowledge.ts";
import { personas } from "#worker/platform/db/schema/personas.ts";
import { prompts } from "#worker/platform/db/schema/prompts.ts";
import { formerMembers, teamInvitations, teamMembers, teams } from "#worker/platform/db/schema/teams.ts";
import { users } from "#worker/platform/db/schema/users.ts";

const memberCount = sql<number>`(SELECT count(*) FROM team_members m WHERE m.team_id = ${teams.id})`;

const TEAM = {
  id: teams.id,
  name: teams.name,
  description: teams.description,
  user_role: teamMembers.role,
  created_by: teams.created_by,
  created_at: teams.created_at,
  memberCount,
  members_restricted: teams.members_restricted,
  content_admin_only: teams.content_admin_only,
};

function teamsOf(db: Database, userId: string, teamId?: string) {
  return db
    .select(TEAM)
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.team_id))
    .where(and(eq(teamMembers.user_id, userId), isNull(teams.deleted_at), teamId === undefined ? undefined : eq(teams.id, teamId)));
}

/** The teams that a person is in, by name. */
export async function selectTeams(db: Database, userId: string) {
  return teamsOf(db, userId).orderBy(sql`${teams.name} COLLATE NOCASE`, teams.id);
}

/** A team that a person is in, as they see it. */
export async function selectTeam(db: Database, teamId: string, userId: string) {
  return teamsOf(db, userId, teamId).get();
}

type NewTeam = { id: string; name: string; description: string | null; created_by: string };

/** Stores a team with its creator as its admin, unless the id is taken, or as many of theirs are there still as one may make. */
export async function insertTeam(db: Database, team: NewTeam, at: string): Promise<"made" | "taken" | "full"> {
  const { id, name, description, created_by: by } = team;
  const made = sql`(SELECT count(*) FROM teams t WHERE t.created_by = ${by} AND t.deleted_at IS NULL)`;
  const [inserted] = await db.batch([
    db
      .insert(teams)
      .select(sql`SELECT ${id}, ${name}, ${description}, ${by}, ${at}, 0, 0, NULL, NULL, NULL WHERE ${made} < ${TEAMS_MADE_MAX}`)
      .onConflictDoNothing()
      .returning({ id: teams.id }),
    // Where the id is another's team, nobody joins it by that.
    db
      .insert(teamMembers)
      .select(
        sql`SELECT id, created_by, 'admin', created_at, ${crypto.randomUUID()}, NULL FROM teams
              WHERE id = ${team.id} AND created_by = ${team.created_by} AND created_at = ${at}`,
      )
      .onConflictDoNothing(),
  ]);
  if (inserted.length > 0) return "made";
  return (await selectDissolved(db, id)) === null ? "full" : "taken";
}

type TeamChange = Partial<Pick<typeof teams.$inferInsert, "name" | "description" | "members_restricted" | "content_admin_only">>;

/** True in the statement itself for a team that a person manages. */
const isManagedBy = (teamId: string, userId: string) =>
  sql`EXISTS (SELECT 1 FROM team_members m WHERE m.team_id = ${teamId} AND m.user_id = ${userId} AND m.role = 'admin')`;

/** Changes a team by one of its admins' word; false where they are none any more. */
export async function updateTeamRow(db: Database, id: string, change: TeamChange, by: string): Promise<boolean> {
  const changed = await db
    .update(teams)
    .set(change)
    .where(and(eq(teams.id, id), isManagedBy(id, by)))
    .returning({ id: teams.id });
  return changed.length > 0;
}

/** Takes everybody out of a team that is about to go, and closes its invitations; its chats' shares stay until their rooms know. */
export async function dissolveTeam(db: Database, id: string, at: string): Promise<void> {
  await db.batch([
    db.update(teams).set({ deleted_at: at }).where(eq(teams.id, id)),
    db.delete(teamMembers).where(eq(teamMembers.team_id, id)),
    db
      .update(teamInvitations)
      .set({ status: "cancelled", decided_at: at })
      .where(and(eq(teamInvitations.team_id, id), eq(teamInvitations.status, "pending"))),
  ]);
}

/** Deletes a dissolved team once none of its chats' shares is left. */
export async function deleteDissolved(db: Database, id: string): Promise<void> {
  await db.run(
    sql`DELETE FROM teams WHERE id = ${id} AND deleted_at IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM chat_team_shares s WHERE s.team_id = ${id})`,
  );
}

/** True for a team that is being deleted, false for one that is there, null for none. */
export async function selectDissolved(db: Database, id: string): Promise<boolean | null> {
  const found = await db.select({ deletedAt: teams.deleted_at }).from(teams).where(eq(teams.id, id)).get();
  return found ? found.deletedAt !== null : null;
}

/** Who is in a team, admins first, then by name. */
export async function selectMembers(db: Database, teamId: string) {
  return db
    .select({
      id: sql<string>`COALESCE(${teamMembers.id}, ${teamMembers.user_id})`,
      user_id: teamMembers.user_id,
      role: teamMembers.role,
      users: { display_name: users.display_name, email: users.email, profile_image: users.profile_image },
    })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.user_id))
    .where(eq(teamMembers.team_id, teamId))
    .orderBy(teamMembers.role, sql`${users.display_name} COLLATE NOCASE`, users.id);
}

export async function selectMemberIds(db: Database, teamId: string): Promise<string[]> {
  const rows = await db.select({ id: teamMembers.user_id }).from(teamMembers).where(eq(teamMembers.team_id, teamId));
  return rows.map(({ id }) => id);
}

/** A person's place in a team; null for none. */
export async function selectTeamRole(db: Database, teamId: string, userId: string): Promise<TeamRole | null> {
  const row = await db
    .select({ role: teamMembers.role })
    .from(teamMembers)
    .where(and(eq(teamMembers.team_id, teamId), eq(teamMembers.user_id, userId)))
    .get();
  return row?.role ?? null;
}

/** When a person was in which team. */
export async function selectTeamTimes(db: Database, userId: string): Promise<{ teamId: string; from: string; until: string | null }[]> {
  return unionAll(
    db
      .select({ teamId: teamMembers.team_id, from: teamMembers.created_at, until: sql<string | null>`NULL` })
      .from(teamMembers)
      .where(eq(teamMembers.user_id, userId)),
    db
      .select({ teamId: formerMembers.team_id, from: formerMembers.joined_at, until: sql<string | null>`${formerMembers.left_at}` })
      .from(formerMembers)
      .where(eq(formerMembers.user_id, userId)),
  );
}

type NewRole = { teamId: string; userId: string; role: TeamRole; by?: string };

/** Gives a member a role, by an admin's word (`by`) or by nobody's; false where that admin is none any more, or the member gone. */
export async function updateRole(db: Database, { teamId, userId, role, by }: NewRole): Promise<boolean> {
  const isAllowed = by === undefined ? undefined : isManagedBy(teamId, by);
  const changed = await db
    .update(teamMembers)
    .set({ role })
    .where(and(eq(teamMembers.team_id, teamId), eq(teamMembers.user_id, userId), isAllowed))
    .returning({ id: teamMembers.user_id });
  return changed.length > 0;
}

export async function updateCreator(db: Database, teamId: string, userId: string): Promise<void> {
  await db.update(teams).set({ created_by: userId }).where(eq(teams.id, teamId));
}

/** Makes a person a member of a team that is there; false where they were in it already. */
export async function insertMember(db: Database, teamId: string, { userId, at }: { userId: string; at: string }): Promise<boolean> {
  const added = await db
    .insert(teamMembers)
    .select(sql`SELECT id, ${userId}, 'member', ${at}, ${crypto.randomUUID()}, NULL FROM teams WHERE id = ${teamId} AND deleted_at IS NULL`)
    .onConflictDoNothing()
    .returning({ id: teamMembers.user_id });
  return added.length > 0;
}

type Departure = { userId: string; at: string; by?: string | undefined };

/**
 * Takes a person out of a team: what they made for it is theirs alone from then on, and neither the invitations of their address nor
 * those they sent let anybody in any more. By an admin's word (`by`) or by nobody's; false where that admin is none any more, or they were
 * not in it.
 */
export async function deleteMember(db: Database, teamId: string, { userId, at, by }: Departure): Promise<boolean> {
  const isAllowed = by === undefined ? sql`1` : isManagedBy(teamId, by);
  const isOpen = and(eq(teamInvitations.team_id, teamId), eq(teamInvitations.status, "pending"), isAllowed);
  const address = db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  const [, gone] = await db.batch([
    db
      .insert(formerMembers)
      .select(
        sql`SELECT m.team_id, m.user_id, u.display_name, m.created_at, ${at} FROM team_members m JOIN users u ON u.id = m.user_id
              WHERE m.team_id = ${teamId} AND m.user_id = ${userId} AND ${isAllowed}`,
      )
      .onConflictDoNothing(),
    db
      .delete(teamMembers)
      .where(and(eq(teamMembers.team_id, teamId), eq(teamMembers.user_id, userId), isAllowed))
      .returning({ id: teamMembers.user_id }),
    db
      .update(personas)
      .set({ team_id: null })
      .where(and(eq(personas.team_id, teamId), eq(personas.user_id, userId), isAllowed)),
    db
      .update(prompts)
      .set({ team_id: null })
      .where(and(eq(prompts.team_id, teamId), eq(prompts.user_id, userId), isAllowed)),
    db
      .update(knowledge)
      .set({ team_id: null })
      .where(and(eq(knowledge.team_id, teamId), eq(knowledge.user_id, userId), isAllowed)),
    db
      .update(teamInvitations)
      .set({ status: "cancelled", decided_at: at })
      .where(and(isOpen, or(eq(teamInvitations.invited_by, userId), inArray(teamInvitations.email, address)))),
  ]);
  return gone.length > 0;
}

export type InvitationRow = typeof teamInvitations.$inferSelect;

const INVITATION = {
  invitation: teamInvitations,
  team: { name: teams.name, description: teams.description, memberCount },
  inviter: { display_name: users.display_name, email: users.email },
};

function invitations(db: Database) {
  return db
    .select(INVITATION)
    .from(teamInvitations)
    .innerJoin(teams, eq(teams.id, teamInvitations.team_id))
    .leftJoin(users, eq(users.id, teamInvitations.invited_by))
    .$dynamic();
}

/** An invitation with its team and who sent it; `inviter` is null where they are gone. */
export type FoundInvitation = NonNullable<Awaited<ReturnType<typeof selectInvitation>>>;

/** An invitation, whatever became of it, as long as its team is there or was deleted just now. */
export async function selectInvitation(db: Database, id: string) {
  return invitations(db).where(eq(teamInvitations.id, id)).get();
}

/** A team's invitations that are pending and not past their date, newest first. */
export async function selectOpenInvitations(db: Database, teamId: string, now: string) {
  return invitations(db)
    .where(and(eq(teamInvitations.team_id, teamId), eq(teamInvitations.status, "pending"), gt(teamInvitations.expires_at, now)))
    .orderBy(desc(teamInvitations.created_at), desc(teamInvitations.id));
}

/** True for an address that is invited to a team which is there, at `now` (ISO 8601). */
export async function hasOpenInvitation(db: Database, email: string, now: string): Promise<boolean> {
  const found = await db
    .select({ id: teamInvitations.id })
    .from(teamInvitations)
    .innerJoin(teams, eq(teams.id, teamInvitations.team_id))
    .where(
      and(
        eq(teamInvitations.email, email),
        eq(teamInvitations.status, "pending"),
        gt(teamInvitations.expires_at, now),
        isNull(teams.deleted_at),
      ),
    )
    .get();
  return found !== undefined;
}

type NewInvitation = { teamId: string; email: string; invitedBy: string; at: string; expiresAt: string };

/**
 * Invites an address, or lets its pending invitation count again; answers its id, null where the team has as many open ones as it may, or
 * who invites is no admin of it any more. An expired one makes way, as its link went out long ago.
 */
export async function upsertInvitation(db: Database, { teamId, email, invitedBy, at, expiresAt }: NewInvitation): Promise<string | null> {
  const isAddress = and(eq(teamInvitations.team_id, teamId), eq(teamInvitations.email, email));
  const pending = sql`FROM team_invitations i WHERE i.team_id = ${teamId} AND i.status = 'pending'`;
  const open = sql`(SELECT count(*) ${pending} AND i.expires_at > ${at})`;
  const isOpenFor = sql`EXISTS (SELECT 1 ${pending} AND i.email = ${email})`;
  const [, made] = await db.batch([
    db.delete(teamInvitations).where(and(isAddress, eq(teamInvitations.status, "pending"), lte(teamInvitations.expires_at, at))),
    db
      .insert(teamInvitations)
      .select(
        sql`SELECT ${crypto.randomUUID()}, ${teamId}, ${email}, 'pending', ${invitedBy}, NULL, ${at}, ${expiresAt}, NULL
              WHERE ${isManagedBy(teamId, invitedBy)} AND (${open} < ${TEAM_INVITATIONS_MAX} OR ${isOpenFor})`,
      )
      .onConflictDoUpdate({
        target: [teamInvitations.team_id, teamInvitations.email],
        targetWhere: sql`status = 'pending'`,
        set: { expires_at: expiresAt, invited_by: invitedBy },
      })
      .returning({ id: teamInvitations.id }),
  ]);
  return made[0]?.id ?? null;
}

/** Cancels a pending invitation by an admin's word; false where it, or they, are none any more. */
export async function cancelInvitationRow(
  db: Database,
  id: string,
  { teamId, by, at }: { teamId: string; by: string; at: string },
): Promise<boolean> {
  const cancelled = await db
    .update(teamInvitations)
    .set({ status: "cancelled", decided_at: at })
    .where(and(eq(teamInvitations.id, id), eq(teamInvitations.status, "pending"), isManagedBy(teamId, by)))
    .returning({ id: teamInvitations.id });
  return cancelled.length > 0;
}

/** Accepts an open invitation and makes the person a member in one transaction; true where it is theirs now, by an earlier call too. */
export async function acceptInvitationRow(db: Database, id: string, { userId, at }: { userId: string; at: string }): Promise<boolean> {
  const [, , accepted] = await db.batch([
    db
      .update(teamInvitations)
      .set({ status: "accepted", accepted_by: userId, decided_at: at })
      .where(and(eq(teamInvitations.id, id), eq(teamInvitations.status, "pending"), gt(teamInvitations.expires_at, at))),
    db
      .insert(teamMembers)
      .select(
        sql`SELECT i.team_id, ${userId}, 'member', ${at}, ${crypto.randomUUID()}, NULL FROM team_invitations i
              JOIN teams t ON t.id = i.team_id AND t.deleted_at IS NULL
              WHERE i.id = ${id} AND i.accepted_by = ${userId} AND i.decided_at = ${at}`,
      )
      .onConflictDoNothing(),
    db
      .select({ id: teamInvitations.id })
      .from(teamInvitations)
      .where(and(eq(teamInvitations.id, id), eq(teamInvitations.accepted_by, userId))),
  ]);
  return accepted.length > 0;
}

/** Chats shared with a team, in the order of their ids: all above `after`, up to `until` where it is given, at most `limit`. */
export async function selectTeamChats(
  db: Database,
  { teamId, after, until, limit }: { teamId: string; after: string; until?: string | undefined; limit: number },
): Promise<string[]> {
  const isIn = and(eq(chatTeamShares.team_id, teamId), gt(chatTeamShares.chat_id, after));
  const rows = await db
    .select({ id: chatTeamShares.chat_id })
    .from(chatTeamShares)
    .where(until === undefined ? isIn : and(isIn, lte(chatTeamShares.chat_id, until)))
    .orderBy(asc(chatTeamShares.chat_id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** The chats that were shared with a team last. */
export async function selectNewestTeamChats(db: Database, teamId: string, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: chatTeamShares.chat_id })
    .from(chatTeamShares)
    .where(eq(chatTeamShares.team_id, teamId))
    .orderBy(desc(chatTeamShares.created_at), asc(chatTeamShares.chat_id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Those of these chats that are shared with a team. */
export async function selectTeamChatsAmong(db: Database, teamId: string, chatIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ id: chatTeamShares.chat_id })
    .from(chatTeamShares)
    .where(and(eq(chatTeamShares.team_id, teamId), isAmong(chatIds)));
  return rows.map(({ id }) => id);
}

export async function deleteTeamShares(db: Database, teamId: string, chatIds: readonly string[]): Promise<void> {
  await db.delete(chatTeamShares).where(and(eq(chatTeamShares.team_id, teamId), isAmong(chatIds)));
}

/** One value whatever their number: a statement takes 100. */
function isAmong(chatIds: readonly string[]) {
  return sql`${chatTeamShares.chat_id} IN (SELECT value FROM json_each(${JSON.stringify(chatIds)}))`;
}
