import { and, desc, eq, isNull, or, sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { invites, inviteUses } from "../db/schema/invites.ts";
import { users } from "../db/schema/users.ts";

export type InviteRow = typeof invites.$inferSelect;
export type InviteUseRow = typeof inviteUses.$inferSelect;

/** An unused invite by its code. */
export async function selectOpenInvite(db: Database, code: string): Promise<InviteRow | undefined> {
  const found = await db
    .select({ invite: invites })
    .from(invites)
    .leftJoin(inviteUses, eq(inviteUses.invite_id, invites.id))
    .where(and(eq(invites.code, code), isNull(inviteUses.invite_id)))
    .get();
  return found?.invite;
}

/** An invite with its use, null where nobody used it. */
export async function selectInviteWithUse(
  db: Database,
  by: { id: string } | { code: string },
): Promise<{ invite: InviteRow; use: InviteUseRow | null } | undefined> {
  return db
    .select({ invite: invites, use: inviteUses })
    .from(invites)
    .leftJoin(inviteUses, eq(inviteUses.invite_id, invites.id))
    .where("id" in by ? eq(invites.id, by.id) : eq(invites.code, by.code))
    .get();
}

/** A person's unused invites, newest first. */
export async function selectUnused(db: Database, userId: string): Promise<InviteRow[]> {
  const rows = await db
    .select({ invite: invites })
    .from(invites)
    .leftJoin(inviteUses, eq(inviteUses.invite_id, invites.id))
    .where(and(eq(invites.created_by, userId), isNull(inviteUses.invite_id)))
    .orderBy(desc(invites.created_at), desc(invites.id));
  return rows.map(({ invite }) => invite);
}

/** How many invites a person made since a time (ISO 8601), and how many of those were used. */
export async function countMade(db: Database, userId: string, since: string): Promise<{ made: number; used: number }> {
  const [row] = await db
    .select({ made: sql<number>`count(*)`, used: sql<number>`count(${inviteUses.invite_id})` })
    .from(invites)
    .leftJoin(inviteUses, eq(inviteUses.invite_id, invites.id))
    .where(and(eq(invites.created_by, userId), sql`${invites.created_at} >= ${since}`));
  return row ?? { made: 0, used: 0 };
}

/** True for an account whose plan came by an invite. */
export async function hasInvitedPlan(db: Database, userId: string): Promise<boolean> {
  const found = await db
    .select({ id: inviteUses.invite_id })
    .from(inviteUses)
    .innerJoin(invites, eq(invites.id, inviteUses.invite_id))
    .where(and(eq(inviteUses.user_id, userId), or(eq(invites.team_plan, true), eq(invites.solo_plan, true))))
    .get();
  return found !== undefined;
}

/** Stores an invite; undefined where its month's limit is reached. Counting and storing are one statement, so that no two pass at once. */
export async function insertInvite(db: Database, invite: InviteRow, limit: number | null): Promise<InviteRow | undefined> {
  const { id, code, created_by, created_at, month, sent_to, auto_activate, team_plan, solo_plan, team_id, initial_credits_micros } = invite;
  const isLeft =
    limit === null ? sql`1` : sql`(SELECT count(*) FROM invites WHERE created_by = ${created_by} AND month = ${month}) < ${limit}`;
  const made = await db
    .insert(invites)
    .select(
      sql`SELECT ${id}, ${code}, ${created_by}, ${created_at}, ${month}, ${sent_to}, ${Number(auto_activate)}, ${Number(team_plan)},
            ${Number(solo_plan)}, ${team_id}, ${initial_credits_micros} WHERE ${isLeft}`,
    )
    .returning();
  return made[0];
}

const isUnused = sql`NOT EXISTS (SELECT 1 FROM invite_uses u WHERE u.invite_id = ${invites.id})`;

/** Labels an unused invite of a person. */
export async function updateLabel(
  db: Database,
  { id, userId, sentTo }: { id: string; userId: string; sentTo: string | null },
): Promise<InviteRow | undefined> {
  return db
    .update(invites)
    .set({ sent_to: sentTo })
    .where(and(eq(invites.id, id), eq(invites.created_by, userId), isUnused))
    .returning()
    .get();
}

/** Takes an unused invite of a person back; false where there is none. */
export async function deleteInvite(db: Database, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const gone = await db
    .delete(invites)
    .where(and(eq(invites.id, id), eq(invites.created_by, userId), isUnused))
    .returning({ id: invites.id });
  return gone.length > 0;
}

type Redemption = { inviteId: string; userId: string; at: string; activatedAt: string | null };

/** Uses an invite for an account that exists, and gives it the plan where it holds at once, in one transaction. Throws where it was used. */
export async function insertRedemption(
  db: Database,
  { inviteId, userId, at, activatedAt }: Redemption,
  plan: { team_plan: boolean; solo_plan: boolean },
): Promise<void> {
  const use = db.insert(inviteUses).values({ invite_id: inviteId, user_id: userId, used_at: at, activated_at: activatedAt });
  const gained = { ...(plan.team_plan && { team_plan: true }), ...(plan.solo_plan && { solo_plan: true }) };
  if (activatedAt === null || Object.keys(gained).length === 0) await db.batch([use]);
  else await db.batch([use, db.update(users).set(gained).where(eq(users.id, userId))]);
}
