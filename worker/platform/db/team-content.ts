import { and, eq, or, sql } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import { teamMembers, teams } from "./schema/teams.ts";

/** What belongs to its creator, and may be given to a team. */
type TeamContent = { user_id: AnySQLiteColumn; team_id: AnySQLiteColumn };

/** True for what a user may use: their own, and what is of their teams. */
export function isUsable({ user_id: ownerId, team_id: teamId }: TeamContent, userId: string) {
  // Both halves have an index; what a join finds has none, and would be looked for among everybody's.
  return or(eq(ownerId, userId), sql`${teamId} IN (SELECT m.team_id FROM team_members m WHERE m.user_id = ${userId})`);
}

/** Joins a user's place in the team of what is read. */
export function isMembership({ team_id: teamId }: TeamContent, userId: string) {
  return and(eq(teamMembers.team_id, teamId), eq(teamMembers.user_id, userId));
}

/** What is read of that place; null for none. */
export const membershipColumns = { role: teamMembers.role, contentAdminOnly: teams.content_admin_only };

export type MembershipRow = { role: "admin" | "member" | null; contentAdminOnly: boolean | null };
