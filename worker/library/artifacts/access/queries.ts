import { and, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#worker/platform/db/client.ts";
import { artifactMarks, artifacts, artifactShares, artifactTeamShares } from "#worker/platform/db/schema/artifacts.ts";
import { teamMembers, teams } from "#worker/platform/db/schema/teams.ts";
import { users } from "#worker/platform/db/schema/users.ts";

export type ArtifactRow = typeof artifacts.$inferSelect;

const sharer = alias(users, "sharer");
const teamSharer = alias(users, "team_sharer");

/** True for an artifact that is there, whoever may read it. */
export async function isArtifact(db: Database, id: string): Promise<boolean> {
  return (await db.select({ id: artifacts.id }).from(artifacts).where(eq(artifacts.id, id)).get()) !== undefined;
}

/** Those of these artifacts that a user may read, with each way in which they do: one row a team. */
export async function selectAccessible(db: Database, userId: string, ids: readonly string[]) {
  const named = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const isShared = sql<number>`EXISTS (SELECT 1 FROM artifact_shares s WHERE s.artifact_id = ${artifacts.id})
    OR EXISTS (SELECT 1 FROM artifact_team_shares t WHERE t.artifact_id = ${artifacts.id})`;
  const isAccessible = or(isNotNull(artifactShares.id), isNotNull(artifactTeamShares.id));
  // What goes with its owner's account is gone for others at once.
  const isOfSomebody = sql`NOT EXISTS (SELECT 1 FROM account_deletions d WHERE d.user_id = ${artifacts.user_id})`;
  return db
    .select({
      artifact: artifacts,
      isShared,
      isPinned: artifactMarks.is_pinned,
      seenVersion: artifactMarks.seen_version,
      reviewedVersion: artifactMarks.reviewed_version,
      level: artifactShares.permission_level,
      sharerName: sharer.display_name,
      sharerEmail: sharer.email,
      teamLevel: artifactTeamShares.permission_level,
      teamRole: teamMembers.role,
      contentAdminOnly: teams.content_admin_only,
      teamSharerName: teamSharer.display_name,
      teamSharerEmail: teamSharer.email,
    })
    .from(artifacts)
    .leftJoin(artifactMarks, and(eq(artifactMarks.artifact_id, artifacts.id), eq(artifactMarks.user_id, userId)))
    .leftJoin(artifactShares, and(eq(artifactShares.artifact_id, artifacts.id), eq(artifactShares.user_id, userId)))
    .leftJoin(sharer, eq(sharer.id, artifactShares.shared_by))
    .leftJoin(
      artifactTeamShares,
      and(
        eq(artifactTeamShares.artifact_id, artifacts.id),
        sql`EXISTS (SELECT 1 FROM team_members m WHERE m.team_id = ${artifactTeamShares.team_id} AND m.user_id = ${userId})`,
      ),
    )
    .leftJoin(teamMembers, and(eq(teamMembers.team_id, artifactTeamShares.team_id), eq(teamMembers.user_id, userId)))
    .leftJoin(teams, eq(teams.id, artifactTeamShares.team_id))
    .leftJoin(teamSharer, eq(teamSharer.id, artifactTeamShares.shared_by))
    .where(and(inArray(artifacts.id, named), or(eq(artifacts.user_id, userId), and(isOfSomebody, isAccessible))));
}

export type AccessRow = Awaited<ReturnType<typeof selectAccessible>>[number];

/** Ids above `after`, in their order, of everybody who may read an artifact, its owner too. */
export async function selectReaderIds(
  db: Database,
  artifactId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    SELECT id FROM (
      SELECT a.user_id AS id FROM artifacts a WHERE a.id = ${artifactId}
      UNION SELECT s.user_id FROM artifact_shares s WHERE s.artifact_id = ${artifactId} AND s.user_id IS NOT NULL
      UNION SELECT m.user_id FROM artifact_team_shares t JOIN team_members m ON m.team_id = t.team_id WHERE t.artifact_id = ${artifactId}
    ) WHERE id > ${after} ORDER BY id LIMIT ${limit}`);
  return rows.map(({ id }) => id);
}

/** More than this many texts no index of a person holds. */
const READABLE_MAX = 12_000;

type ReadableRow = { id: string; version: number; title: string; body: string; updated_at: string; team_ids: string };

/** All artifacts that a user may read, the last changed first; `team_ids` is a JSON array of their teams that each is shared with. */
export async function selectReadable(db: Database, userId: string): Promise<ReadableRow[]> {
  return db.all(sql`SELECT id, version, title, body, updated_at, (
      SELECT json_group_array(t.team_id) FROM artifact_team_shares t JOIN team_members m ON m.team_id = t.team_id AND m.user_id = ${userId}
      WHERE t.artifact_id = artifacts.id) AS team_ids FROM artifacts WHERE id IN (
      SELECT a.id FROM artifacts a WHERE a.user_id = ${userId}
      UNION SELECT s.artifact_id FROM artifact_shares s WHERE s.user_id = ${userId}
      UNION SELECT t.artifact_id FROM team_members m JOIN artifact_team_shares t ON t.team_id = m.team_id WHERE m.user_id = ${userId}
    ) ORDER BY updated_at DESC LIMIT ${READABLE_MAX}`);
}
