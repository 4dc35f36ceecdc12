import { and, eq, isNull, sql } from "drizzle-orm";
import type { ShareLevel } from "#shared/entities/share.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { artifacts, artifactShares, artifactTeamShares } from "#worker/platform/db/schema/artifacts.ts";
import { chats } from "#worker/platform/db/schema/chats.ts";
import { teams } from "#worker/platform/db/schema/teams.ts";
import { users } from "#worker/platform/db/schema/users.ts";

/** An artifact's shares with people and addresses, oldest first. */
export async function selectUserShares(db: Database, artifactId: string) {
  return db
    .select({
      id: artifactShares.id,
      userId: artifactShares.user_id,
      userDisplayName: users.display_name,
      userEmail: artifactShares.email,
      permissionLevel: artifactShares.permission_level,
      sharedAt: artifactShares.created_at,
    })
    .from(artifactShares)
    .leftJoin(users, eq(users.id, artifactShares.user_id))
    .where(eq(artifactShares.artifact_id, artifactId))
    .orderBy(artifactShares.created_at, artifactShares.id);
}

/** An artifact's shares with teams, oldest first. */
export async function selectTeamShares(db: Database, artifactId: string) {
  return db
    .select({
      id: artifactTeamShares.id,
      teamId: artifactTeamShares.team_id,
      teamName: teams.name,
      permissionLevel: artifactTeamShares.permission_level,
      sharedAt: artifactTeamShares.created_at,
    })
    .from(artifactTeamShares)
    .innerJoin(teams, eq(teams.id, artifactTeamShares.team_id))
    .where(and(eq(artifactTeamShares.artifact_id, artifactId), isNull(teams.deleted_at)))
    .orderBy(artifactTeamShares.created_at, artifactTeamShares.id);
}

type NewShare = { artifactId: string; level: ShareLevel; sharedBy: string };

const timeOf = (artifactId: string) => sql`(SELECT a.updated_at FROM artifacts a WHERE a.id = ${artifactId})`;

/** Shares an artifact with an address, or changes the level of that share; it is a person's where they are known. */
export async function upsertUserShare(db: Database, share: NewShare & { email: string; userId: string | null }): Promise<void> {
  const { artifactId, level, sharedBy, email, userId } = share;
  // Who signed up since they were looked for takes no invitation any more.
  const person = userId === null ? sql<string | null>`(SELECT id FROM users WHERE email = ${email})` : sql<string | null>`${userId}`;
  const row = {
    id: crypto.randomUUID(),
    artifact_id: artifactId,
    user_id: person,
    email,
    permission_level: level,
    shared_by: sharedBy,
    created_at: new Date().toISOString(),
    updated_at: timeOf(artifactId),
  };
  const set = { permission_level: level, ...(userId !== null && { user_id: userId }) };
  const { artifact_id, user_id } = artifactShares;
  // A person has one share, by whichever of their addresses: one of this address that is not theirs gives way to it.
  const hasAnother = sql`EXISTS (SELECT 1 FROM artifact_shares o WHERE o.artifact_id = ${artifactId} AND o.user_id = ${person} AND o.email <> ${email})`;
  await db.batch([
    db.delete(artifactShares).where(and(eq(artifact_id, artifactId), eq(artifactShares.email, email), hasAnother)),
    db
      .insert(artifactShares)
      .values(row)
      .onConflictDoUpdate({ target: [artifact_id, artifactShares.email], set })
      .onConflictDoUpdate({ target: [artifact_id, user_id], targetWhere: sql`user_id IS NOT NULL`, set: { permission_level: level } }),
  ]);
}

/** True where this address has a share of the artifact, invited ones too. */
export async function hasUserShare(db: Database, artifactId: string, email: string): Promise<boolean> {
  const isOf = and(eq(artifactShares.artifact_id, artifactId), eq(artifactShares.email, email));
  return (await db.select({ id: artifactShares.id }).from(artifactShares).where(isOf).get()) !== undefined;
}

/** True where this team has a share of the artifact. */
export async function hasTeamShare(db: Database, artifactId: string, teamId: string): Promise<boolean> {
  const isOf = and(eq(artifactTeamShares.artifact_id, artifactId), eq(artifactTeamShares.team_id, teamId));
  return (await db.select({ id: artifactTeamShares.id }).from(artifactTeamShares).where(isOf).get()) !== undefined;
}

/** Shares an artifact with a team, or changes the level of that share. */
export async function upsertTeamShare(db: Database, { artifactId, level, sharedBy, teamId }: NewShare & { teamId: string }): Promise<void> {
  const row = {
    id: crypto.randomUUID(),
    artifact_id: artifactId,
    team_id: teamId,
    permission_level: level,
    shared_by: sharedBy,
    created_at: new Date().toISOString(),
    updated_at: timeOf(artifactId),
  };
  await db
    .insert(artifactTeamShares)
    .values(row)
    .onConflictDoUpdate({ target: [artifactTeamShares.artifact_id, artifactTeamShares.team_id], set: { permission_level: level } });
}

/** A share with a person or an address; undefined where the artifact has none of this id. */
export async function selectUserShare(db: Database, artifactId: string, id: string) {
  return db
    .select({ userId: artifactShares.user_id })
    .from(artifactShares)
    .where(and(eq(artifactShares.artifact_id, artifactId), eq(artifactShares.id, id)))
    .get();
}

/** Takes a share with a person or an address back. */
export async function deleteUserShare(db: Database, artifactId: string, id: string): Promise<void> {
  await db.delete(artifactShares).where(and(eq(artifactShares.artifact_id, artifactId), eq(artifactShares.id, id)));
}

/** Takes a share with a team back; its id, or undefined where the artifact has no such share. */
export async function deleteTeamShare(db: Database, artifactId: string, id: string): Promise<string | undefined> {
  const [gone] = await db
    .delete(artifactTeamShares)
    .where(and(eq(artifactTeamShares.artifact_id, artifactId), eq(artifactTeamShares.id, id)))
    .returning({ teamId: artifactTeamShares.team_id });
  return gone?.teamId;
}

/** Gives a person the artifacts that their proven address is invited to; one who has a share already keeps that. Answers which. */
export async function acceptInvited(db: Database, { email, userId }: { email: string; userId: string }): Promise<string[]> {
  const isInvited = and(eq(artifactShares.email, email), isNull(artifactShares.user_id));
  const isNew = sql`NOT EXISTS (SELECT 1 FROM artifact_shares o WHERE o.artifact_id = ${artifactShares.artifact_id} AND o.user_id = ${userId})
    AND NOT EXISTS (SELECT 1 FROM ${artifacts} a WHERE a.id = ${artifactShares.artifact_id} AND a.user_id = ${userId})`;
  const [taken] = await db.batch([
    db.update(artifactShares).set({ user_id: userId }).where(and(isInvited, isNew)).returning({ id: artifactShares.artifact_id }),
    db.delete(artifactShares).where(isInvited),
  ]);
  return taken.map(({ id }) => id);
}

/** The team in whose workspace a chat was begun; null for none. */
export async function selectChatTeam(db: Database, chatId: string): Promise<string | null> {
  return (await db.select({ teamId: chats.team_id }).from(chats).where(eq(chats.id, chatId)).get())?.teamId ?? null;
}
