import { and, asc, desc, eq, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { auditEntry, type Audited } from "#worker/platform/db/audit.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { inviteResets, invites, inviteUses } from "#worker/platform/db/schema/invites.ts";
import { teams } from "#worker/platform/db/schema/teams.ts";
import { users } from "#worker/platform/db/schema/users.ts";

export type InviteRow = typeof invites.$inferSelect;
export type InviteUseRow = typeof inviteUses.$inferSelect;
export type NamedInvite = { invite: InviteRow; teamName: string | null };

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
): Promise<(NamedInvite & { use: InviteUseRow | null }) | undefined> {
  return db
    .select({ invite: invites, use: inviteUses, teamName: teams.name })
    .from(invites)
    .leftJoin(inviteUses, eq(inviteUses.invite_id, invites.id))
    .leftJoin(teams, eq(teams.id, invites.team_id))
    .where("id" in by ? eq(invites.id, by.id) : eq(invites.code, by.code))
    .get();
}

/** A person's unused invites, newest first. */
export async function selectUnused(db: Database, userId: string): Promise<NamedInvite[]> {
  return unusedOf(db, userId).orderBy(desc(invites.created_at), desc(invites.id));
}

export async function selectUnusedInvite(db: Database, { id, userId }: { id: string; userId: string }): Promise<NamedInvite | undefined> {
  return unusedOf(db, userId, id).get();
}

function unusedOf(db: Database, userId: string, id?: string) {
  return db
    .select({ invite: invites, teamName: teams.name })
    .from(invites)
    .leftJoin(inviteUses, eq(inviteUses.invite_id, invites.id))
    .leftJoin(teams, eq(teams.id, invites.team_id))
    .where(and(eq(invites.created_by, userId), isNull(inviteUses.invite_id), id === undefined ? undefined : eq(invites.id, id)));
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

/** True for an account whose plan came by an invite; one that waits or was refused is none. */
export async function hasInvitedPlan(db: Database, userId: string): Promise<boolean> {
  const found = await db
    .select({ id: inviteUses.invite_id })
    .from(inviteUses)
    .innerJoin(invites, eq(invites.id, inviteUses.invite_id))
    .where(
      and(eq(inviteUses.user_id, userId), isNotNull(inviteUses.activated_at), or(eq(invites.team_plan, true), eq(invites.solo_plan, true))),
    )
    .get();
  return found !== undefined;
}

const isWaiting = and(isNull(inviteUses.activated_at), isNull(inviteUses.refused_at));

/** The plan that a person is to get once an administrator approves it, the greater one of several; null where none waits. */
export async function selectOwnWaiting(db: Database, userId: string): Promise<"team" | "solo" | null> {
  const found = await db
    .select({ isTeam: invites.team_plan })
    .from(inviteUses)
    .innerJoin(invites, eq(invites.id, inviteUses.invite_id))
    .where(and(eq(inviteUses.user_id, userId), isWaiting, or(eq(invites.team_plan, true), eq(invites.solo_plan, true))))
    .orderBy(desc(invites.team_plan))
    .get();
  return found ? (found.isTeam ? "team" : "solo") : null;
}

/**
 * Stores an invite; undefined where its month's limit is reached. Counting and storing are one statement, so two at once cannot both pass.
 * An administrator has no limit, and an entry in the audit log instead.
 */
export async function insertInvite(db: Database, invite: InviteRow, bound: number | Audited): Promise<InviteRow | undefined> {
  const { created_by, month } = invite;
  if (typeof bound === "number") {
    const made = await insertWhere(
      db,
      invite,
      sql`(SELECT count(*) FROM invites WHERE created_by = ${created_by} AND month = ${month}) < ${bound}`,
    );
    return made[0];
  }
  const [made] = await db.batch([insertWhere(db, invite, sql`1`), creationEntry(db, invite, bound)]);
  return made[0];
}

function creationEntry(db: Database, { id, code, sent_to: sentTo }: InviteRow, audited: Audited) {
  const after = sql`json_object(
    'plan', CASE WHEN i.team_plan THEN 'team' WHEN i.solo_plan THEN 'solo' ELSE 'none' END, 'credits', i.initial_credits_micros / 1000000.0,
    'team', t.name, 'active at once', json(CASE WHEN i.auto_activate THEN 'true' ELSE 'false' END)
  )`;
  return auditEntry(db, "invite.create", {
    audited,
    subject: sql`SELECT 'invite' AS kind, i.id, ${sentTo ?? code} AS name, NULL AS email, NULL AS before, ${after} AS after
      FROM invites i LEFT JOIN teams t ON t.id = i.team_id WHERE i.id = ${id}`,
  });
}

function insertWhere(db: Database, invite: InviteRow, isLeft: SQL) {
  const { id, code, created_by, created_at, month, sent_to, auto_activate, team_plan, solo_plan, team_id, initial_credits_micros } = invite;
  return db
    .insert(invites)
    .select(
      sql`SELECT ${id}, ${code}, ${created_by}, ${created_at}, ${month}, ${sent_to}, ${Number(auto_activate)}, ${Number(team_plan)},
            ${Number(solo_plan)}, ${team_id}, ${initial_credits_micros} WHERE ${isLeft}`,
    )
    .returning();
}

const isUnused = sql`NOT EXISTS (SELECT 1 FROM invite_uses u WHERE u.invite_id = ${invites.id})`;

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
  const deleted = await db
    .delete(invites)
    .where(and(eq(invites.id, id), eq(invites.created_by, userId), isUnused))
    .returning({ id: invites.id });
  return deleted.length > 0;
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

/** The plan that waits longest first, after the given one. */
export async function selectWaiting(
  db: Database,
  { after, limit }: { after: { used_at: string; invite_id: string } | null; limit: number },
) {
  const maker = alias(users, "maker");
  return db
    .select({
      invite_id: inviteUses.invite_id,
      user_id: users.id,
      display_name: users.display_name,
      email: users.email,
      team_plan: invites.team_plan,
      solo_plan: invites.solo_plan,
      creditsMicros: invites.initial_credits_micros,
      used_at: inviteUses.used_at,
      invited_by: maker.display_name,
    })
    .from(inviteUses)
    .innerJoin(invites, eq(invites.id, inviteUses.invite_id))
    .innerJoin(users, eq(users.id, inviteUses.user_id))
    .innerJoin(maker, eq(maker.id, invites.created_by))
    .where(
      and(isWaiting, after ? sql`(${inviteUses.used_at}, ${inviteUses.invite_id}) > (${after.used_at}, ${after.invite_id})` : undefined),
    )
    .orderBy(asc(inviteUses.used_at), asc(inviteUses.invite_id))
    .limit(limit);
}

/** Gives a person the plans that wait for them, in one transaction; false where none does. */
export async function activateWaiting(db: Database, userId: string, audited: Audited): Promise<boolean> {
  const waits = (plan: "team_plan" | "solo_plan") =>
    sql<boolean>`(${users[plan]} OR EXISTS (SELECT 1 FROM invite_uses u JOIN invites i ON i.id = u.invite_id
      WHERE u.user_id = ${userId} AND u.activated_at IS NULL AND u.refused_at IS NULL AND i.${sql.identifier(plan)}))`;
  const [entries] = await db.batch([
    decisionEntry(db, userId, { action: "plan.approve", audited }),
    db
      .update(users)
      .set({ team_plan: waits("team_plan"), solo_plan: waits("solo_plan") })
      .where(eq(users.id, userId)),
    db
      .update(inviteUses)
      .set({ activated_at: audited.at })
      .where(and(eq(inviteUses.user_id, userId), isWaiting)),
  ]);
  return entries.length > 0;
}

/** Refuses the plans that wait for a person; false where none does. */
export async function refuseWaiting(db: Database, userId: string, audited: Audited): Promise<boolean> {
  const [entries] = await db.batch([
    decisionEntry(db, userId, { action: "plan.refuse", audited }),
    db
      .update(inviteUses)
      .set({ refused_at: audited.at })
      .where(and(eq(inviteUses.user_id, userId), isWaiting)),
  ]);
  return entries.length > 0;
}

/** What the audit log says of a decision on the plans that wait for a person; nothing where none does. */
function decisionEntry(db: Database, userId: string, { action, audited }: { action: "plan.approve" | "plan.refuse"; audited: Audited }) {
  const waits = sql`SELECT max(i.team_plan) AS team, max(i.solo_plan) AS solo FROM invite_uses w JOIN invites i ON i.id = w.invite_id
    WHERE w.user_id = ${userId} AND w.activated_at IS NULL AND w.refused_at IS NULL`;
  const plan = (team: SQL, solo: SQL) => sql`CASE WHEN ${team} THEN 'team' WHEN ${solo} THEN 'solo' ELSE 'none' END`;
  const currentPlan = plan(sql`u.team_plan`, sql`u.solo_plan`);
  const given = action === "plan.approve" ? plan(sql`u.team_plan OR w.team`, sql`u.solo_plan OR w.solo`) : currentPlan;
  return auditEntry(db, action, {
    audited,
    subject: sql`SELECT 'user' AS kind, u.id, u.display_name AS name, u.email,
      json_object('plan', ${currentPlan}, 'waiting', ${plan(sql`w.team`, sql`w.solo`)}) AS before, json_object('plan', ${given}) AS after
      FROM users u JOIN (${waits}) w ON w.team IS NOT NULL WHERE u.id = ${userId}`,
  });
}

type Maker = { userId: string; made: number };

/** Who made invites that count in a month, and how many, in the order of their ids: an index's range, never all users. */
export async function selectMakers(
  db: Database,
  { month, after, limit }: { month: string; after: string; limit: number },
): Promise<Maker[]> {
  return db
    .select({ userId: invites.created_by, made: sql<number>`count(*)` })
    .from(invites)
    .where(and(eq(invites.month, month), gt(invites.created_by, after)))
    .groupBy(invites.created_by)
    .orderBy(asc(invites.created_by))
    .limit(limit);
}

/** Records that a month began for these people, once for each. */
export async function recordResets(
  db: Database,
  { month, at, makers }: { month: string; at: string; makers: readonly Maker[] },
): Promise<void> {
  const rows = sql`SELECT u.id, ${month}, ${at}, m.value ->> 'made' FROM json_each(${JSON.stringify(makers)}) m JOIN users u ON u.id = m.value ->> 'userId'`;
  await db
    .insert(inviteResets)
    .select(sql`${rows} WHERE true`)
    .onConflictDoNothing();
}

const UNUSED = sql`NOT EXISTS (SELECT 1 FROM invite_uses u WHERE u.invite_id = invites.id)`;

/** Takes anybody's unused invite back; false where there is none. */
export async function deleteAnyInvite(db: Database, id: string, audited: Audited): Promise<boolean> {
  const before = sql`json_object(
    'code', code, 'made by', (SELECT COALESCE(email, display_name) FROM users WHERE id = created_by), 'for', sent_to,
    'plan', CASE WHEN team_plan THEN 'team' WHEN solo_plan THEN 'solo' ELSE 'none' END, 'credits', initial_credits_micros / 1000000.0
  )`;
  const [entries] = await db.batch([
    auditEntry(db, "invite.return", {
      audited,
      subject: sql`SELECT 'invite' AS kind, id, COALESCE(sent_to, code) AS name, NULL AS email, ${before} AS before, NULL AS after
        FROM invites WHERE id = ${id} AND ${UNUSED}`,
    }),
    db.delete(invites).where(and(eq(invites.id, id), UNUSED)),
  ]);
  return entries.length > 0;
}
