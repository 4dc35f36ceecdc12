import { and, asc, desc, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import { DELETED_USER } from "#shared/deleted-user.ts";
import type { Plan } from "#shared/plans.ts";
import { auditEntry, type Audited } from "#worker/platform/db/audit.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { auditLog } from "#worker/platform/db/schema/audit-log.ts";
import { sessions } from "#worker/platform/db/schema/sessions.ts";
import { users } from "#worker/platform/db/schema/users.ts";

export type AuditRow = typeof auditLog.$inferSelect;

const PERSON = {
  id: users.id,
  display_name: users.display_name,
  email: users.email,
  profile_image: users.profile_image,
  anonymous: users.anonymous,
  solo_plan: users.solo_plan,
  team_plan: users.team_plan,
  blocked_at: users.blocked_at,
  created_at: users.created_at,
  last_seen_at: users.last_seen_at,
};

/** Who stands for deleted accounts is nobody's account, and nor is one that is being deleted. */
const IS_SOMEBODY = sql`${users.id} <> ${DELETED_USER.id} AND NOT EXISTS (SELECT 1 FROM account_deletions d WHERE d.user_id = ${users.id})`;

/** A page of everybody, last seen first, below the given one. */
export async function selectUsers(db: Database, { after, limit }: { after: { at: string; id: string } | null; limit: number }) {
  return db
    .select(PERSON)
    .from(users)
    .where(and(IS_SOMEBODY, after ? sql`(${users.last_seen_at}, ${users.id}) < (${after.at}, ${after.id})` : undefined))
    .orderBy(desc(users.last_seen_at), desc(users.id))
    .limit(limit);
}

/** What accounts are searched by: each has an index in this order. */
export type SearchField = "email" | "name" | "laterName";

const FIELDS: Record<SearchField, SQL<string>> = {
  email: sql<string>`${users.email}`,
  name: sql<string>`lower(${users.display_name})`,
  laterName: sql<string>`lower(substr(${users.display_name}, instr(${users.display_name}, ' ') + 1))`,
};

/** Sorts behind whatever begins with the same characters. */
const LAST = "\u{10FFFF}";

type Search = { field: SearchField; prefix: string; after: { key: string; id: string } | null; limit: number };

/** Accounts with a field that begins so, in its order. */
export async function searchUsers(db: Database, { field, prefix, after, limit }: Search) {
  const key = FIELDS[field];
  const further = after && (field === "email" ? sql`${key} > ${after.key}` : sql`(${key}, ${users.id}) > (${after.key}, ${after.id})`);
  const rows = db
    .select({ ...PERSON, key })
    .from(users)
    .where(
      and(
        sql`${key} >= ${prefix}`,
        sql`${key} < ${prefix + LAST}`,
        field === "email" ? undefined : sql`anonymous = 0`,
        further ?? undefined,
        IS_SOMEBODY,
      ),
    );
  return (field === "email" ? rows.orderBy(asc(key)) : rows.orderBy(asc(key), asc(users.id))).limit(limit);
}

export async function selectUser(db: Database, id: string) {
  return db
    .select(PERSON)
    .from(users)
    .where(and(eq(users.id, id), IS_SOMEBODY))
    .get();
}

/** People by their ids, and what each spent on closed days since the first of a month, in micro-dollars. */
export async function selectSpenders(db: Database, { ids, month }: { ids: string[]; month: string }) {
  return db
    .select({
      id: users.id,
      anonymous: users.anonymous,
      spentMicros: sql<number>`COALESCE((SELECT sum(cost_micros) FROM usage_days d WHERE d.user_id = ${users.id} AND d.day >= ${month}), 0)`,
    })
    .from(users)
    .where(inArray(users.id, ids));
}

const ACCOUNT = sql`'user' AS kind, id, display_name AS name, email`;

/** What an entry says of an account before and after; nothing where the condition does not hold. */
function accountSubject(id: string, { before, after, where = sql`1` }: { before: SQL; after: SQL; where?: SQL }): SQL {
  return sql`SELECT ${ACCOUNT}, ${before} AS before, ${after} AS after FROM users WHERE id = ${id} AND anonymous = 0 AND ${where}`;
}

/** The entry that an account which is there is deleted, as a statement of the deletion's own transaction. */
export function deletionEntry(db: Database, id: string, audited: Audited): { sql: string; params: unknown[] } {
  const subject = accountSubject(id, { before: sql`NULL`, after: sql`NULL`, where: sql`email IS NOT NULL` });
  return auditEntry(db, "user.delete", { audited, subject }).toSQL();
}

/** Ends an account's sessions, and notes it where there are any. */
export async function deleteSessionsAudited(db: Database, id: string, audited: Audited): Promise<void> {
  const subject = accountSubject(id, {
    before: sql`json_object('sessions', (SELECT count(*) FROM sessions s WHERE s.user_id = users.id))`,
    after: sql`json_object('sessions', 0)`,
    where: sql`EXISTS (SELECT 1 FROM sessions s WHERE s.user_id = users.id)`,
  });
  await db.batch([auditEntry(db, "user.sign_out", { audited, subject }), db.delete(sessions).where(eq(sessions.user_id, id))]);
}

/** Blocks an account and ends its sessions; false where it is blocked already. */
export async function blockAccount(db: Database, id: string, audited: Audited): Promise<boolean> {
  const subject = accountSubject(id, {
    before: sql`json_object('blocked', json('false'))`,
    after: sql`json_object('blocked', json('true'))`,
    where: sql`blocked_at IS NULL`,
  });
  const [entries] = await db.batch([
    auditEntry(db, "user.block", { audited, subject }),
    db
      .update(users)
      .set({ blocked_at: audited.at })
      .where(and(eq(users.id, id), eq(users.anonymous, false), sql`blocked_at IS NULL`)),
    db.delete(sessions).where(sql`user_id = ${id} AND EXISTS (SELECT 1 FROM users u WHERE u.id = ${id} AND u.blocked_at IS NOT NULL)`),
  ]);
  return entries.length > 0;
}

/** Lets a blocked account be opened again; false where it is not blocked. */
export async function unblockAccount(db: Database, id: string, audited: Audited): Promise<boolean> {
  const subject = accountSubject(id, {
    before: sql`json_object('blocked', json('true'))`,
    after: sql`json_object('blocked', json('false'))`,
    where: sql`blocked_at IS NOT NULL`,
  });
  const [entries] = await db.batch([
    auditEntry(db, "user.unblock", { audited, subject }),
    db.update(users).set({ blocked_at: null }).where(eq(users.id, id)),
  ]);
  return entries.length > 0;
}

/** Gives an account a plan; false where it has that already. */
export async function updatePlan(db: Database, id: string, { plan, audited }: { plan: Plan; audited: Audited }): Promise<boolean> {
  const flags = { team_plan: plan === "team", solo_plan: plan === "solo" };
  const subject = accountSubject(id, {
    before: sql`json_object('plan', CASE WHEN team_plan THEN 'team' WHEN solo_plan THEN 'solo' ELSE 'none' END)`,
    after: sql`json_object('plan', ${plan})`,
    where: sql`(team_plan, solo_plan) <> (${Number(flags.team_plan)}, ${Number(flags.solo_plan)})`,
  });
  const [entries] = await db.batch([
    auditEntry(db, "user.plan", { audited, subject }),
    db
      .update(users)
      .set(flags)
      .where(and(eq(users.id, id), eq(users.anonymous, false))),
  ]);
  return entries.length > 0;
}

/** Notes credits that are about to be given, in US dollars; false where there is no such account. */
export async function noteGift(
  db: Database,
  id: string,
  { credits, amount, audited }: { credits: number; amount: number; audited: Audited },
): Promise<boolean> {
  const subject = accountSubject(id, {
    before: sql`json_object('credits', ${credits})`,
    after: sql`json_object('credits', ${credits + amount}, 'given', ${amount})`,
  });
  const entries = await auditEntry(db, "user.credits", { audited, subject });
  return entries.length > 0;
}

export async function selectAuditEntry(db: Database, id: string): Promise<AuditRow | undefined> {
  return db.select().from(auditLog).where(eq(auditLog.id, id)).get();
}

/** A page of the audit log, newest first. */
export async function selectAudit(
  db: Database,
  { subject, before, limit }: { subject: string | undefined; before: number; limit: number },
): Promise<AuditRow[]> {
  return db
    .select()
    .from(auditLog)
    .where(and(subject === undefined ? undefined : eq(auditLog.subject_id, subject), lt(auditLog.seq, before)))
    .orderBy(desc(auditLog.seq))
    .limit(limit);
}
