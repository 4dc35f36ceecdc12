import { and, desc, eq, gte, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { auditEntry, type Audited } from "#worker/platform/db/audit.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { failedJobs } from "#worker/platform/db/schema/failed-jobs.ts";
import { feedback } from "#worker/platform/db/schema/feedback.ts";
import { invites, inviteUses } from "#worker/platform/db/schema/invites.ts";
import { teams } from "#worker/platform/db/schema/teams.ts";
import { spendDays, type usageDays } from "#worker/platform/db/schema/usage.ts";
import { users } from "#worker/platform/db/schema/users.ts";

/** A page of a list that goes from the newest down: what it begins below, and how much it holds. */
export type Page = { after: { at: string; id: string } | null; limit: number };

function below(at: SQLiteColumn, id: SQLiteColumn, after: Page["after"]): SQL | undefined {
  return after ? sql`(${at}, ${id}) < (${after.at}, ${after.id})` : undefined;
}

const maker = alias(users, "maker");
const user = alias(users, "user");
const MAKER = { id: maker.id, display_name: maker.display_name, email: maker.email };
const USER = { id: user.id, display_name: user.display_name, email: user.email };
const SENDER = { id: users.id, display_name: users.display_name, email: users.email };

/** Everybody's invites, newest first. */
export async function selectInvites(db: Database, { after, limit }: Page) {
  return db
    .select({ invite: invites, teamName: teams.name, usedAt: inviteUses.used_at, maker: MAKER, user: USER })
    .from(invites)
    .leftJoin(maker, eq(maker.id, invites.created_by))
    .leftJoin(inviteUses, eq(inviteUses.invite_id, invites.id))
    .leftJoin(user, eq(user.id, inviteUses.user_id))
    .leftJoin(teams, eq(teams.id, invites.team_id))
    .where(below(invites.created_at, invites.id, after))
    .orderBy(desc(invites.created_at), desc(invites.id))
    .limit(limit);
}

/** What people wrote to the operator, newest first. */
export async function selectFeedback(db: Database, { isDone, after, limit }: Page & { isDone: boolean }) {
  return db
    .select({ id: feedback.id, message: feedback.message, created_at: feedback.created_at, done_at: feedback.done_at, from: SENDER })
    .from(feedback)
    .leftJoin(users, eq(users.id, feedback.user_id))
    .where(and(isDone ? sql`done_at IS NOT NULL` : sql`done_at IS NULL`, below(feedback.created_at, feedback.id, after)))
    .orderBy(desc(feedback.created_at), desc(feedback.id))
    .limit(limit);
}

/** Marks feedback as done, or open again; false where it is so already. */
export async function updateFeedback(
  db: Database,
  id: string,
  { isDone, audited }: { isDone: boolean; audited: Audited },
): Promise<boolean> {
  const differs = isDone ? sql`done_at IS NULL` : sql`done_at IS NOT NULL`;
  const state = (done: boolean) => sql`json_object('done', json(${String(done)}))`;
  const [entries] = await db.batch([
    auditEntry(db, isDone ? "feedback.done" : "feedback.reopen", {
      audited,
      subject: sql`SELECT 'feedback' AS kind, f.id, COALESCE(u.display_name, 'Somebody who left') AS name, u.email,
        ${state(!isDone)} AS before, ${state(isDone)} AS after
        FROM feedback f LEFT JOIN users u ON u.id = f.user_id WHERE f.id = ${id} AND ${differs}`,
    }),
    db
      .update(feedback)
      .set({ done_at: isDone ? audited.at : null })
      .where(and(eq(feedback.id, id), differs)),
  ]);
  return entries.length > 0;
}

export async function hasFeedback(db: Database, id: string): Promise<boolean> {
  return (await db.$count(feedback, eq(feedback.id, id))) > 0;
}

/** What everybody spent between two days (`2026-11-01`), the second one not counted, a row for each day and model. */
export async function selectSpend(db: Database, { from, until }: { from: string; until: string }) {
  return db
    .select()
    .from(spendDays)
    .where(and(gte(spendDays.day, from), lt(spendDays.day, until)));
}

/** The columns of `usage_days_by_day`, which ends with the table's own key: pages go down that index. */
const PLACE = sql`d.day, d.model_id, d.cost_micros, d.calls, d.tokens, d.user_id, d.team_id`;

export type LedgerLine = typeof usageDays.$inferSelect & { name: string | null; email: string | null; team: string | null };
type LedgerPage = { from: string; until: string; after: LedgerLine | null; limit: number };

/** What each person spent on closed days by team and model, the newest day first, below the given line. */
export async function selectLedger(db: Database, { from, until, after, limit }: LedgerPage): Promise<LedgerLine[]> {
  const last =
    after &&
    sql`(${after.day}, ${after.model_id}, ${after.cost_micros}, ${after.calls}, ${after.tokens}, ${after.user_id}, ${after.team_id})`;
  return db.all(
    sql`SELECT d.*, u.display_name AS name, u.email, t.name AS team FROM usage_days d INDEXED BY usage_days_by_day
          LEFT JOIN users u ON u.id = d.user_id LEFT JOIN teams t ON t.id = d.team_id
        WHERE d.day >= ${from} AND d.day < ${until} ${last ? sql`AND (${PLACE}) < ${last}` : sql``}
        ORDER BY d.day DESC, d.model_id DESC, d.cost_micros DESC, d.calls DESC, d.tokens DESC, d.user_id DESC, d.team_id DESC
        LIMIT ${limit}`,
  );
}

/** Failed jobs, last failed first. */
export async function selectJobs(db: Database, { isStuck, after, limit }: Page & { isStuck: boolean }) {
  return db
    .select()
    .from(failedJobs)
    .where(and(isStuck ? isNotNull(failedJobs.stuck_at) : isNull(failedJobs.stuck_at), below(failedJobs.failed_at, failedJobs.id, after)))
    .orderBy(desc(failedJobs.failed_at), desc(failedJobs.id))
    .limit(limit);
}

/** How each kind of job fares that has failures. */
export async function selectJobKinds(db: Database) {
  return db
    .select({
      queue: failedJobs.queue,
      kind: failedJobs.kind,
      stuck: sql<number>`count(${failedJobs.stuck_at})`,
      trying: sql<number>`count(*) - count(${failedJobs.stuck_at})`,
      oldest_at: sql<string>`min(${failedJobs.failed_at})`,
    })
    .from(failedJobs)
    .groupBy(failedJobs.queue, failedJobs.kind);
}

/** Asks for a stuck job to be sent again; false where none is stuck. */
export async function markForRetry(db: Database, id: string, audited: Audited): Promise<boolean> {
  const isStuck = sql`stuck_at IS NOT NULL AND retry_at IS NULL`;
  const [entries] = await db.batch([
    auditEntry(db, "job.retry", {
      audited,
      subject: sql`SELECT 'job' AS kind, id, kind AS name, NULL AS email,
        json_object('failed', failed_at, 'attempts', attempts, 'cause', error_name) AS before, NULL AS after
        FROM failed_jobs WHERE id = ${id} AND ${isStuck}`,
    }),
    db
      .update(failedJobs)
      .set({ retry_at: audited.at })
      .where(and(eq(failedJobs.id, id), isStuck)),
  ]);
  return entries.length > 0;
}

/** How much of several things there is, each counted up to `most` and no further. */
export async function countUpTo(db: Database, { today, most }: { today: string; most: number }) {
  const upTo = (rows: SQL) => sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${most}))`;
  const [counts] = await db
    .select({
      accounts: upTo(sql`users INDEXED BY users_by_name WHERE anonymous = 0`).as("accounts"),
      today: upTo(sql`users WHERE last_seen_at >= ${today}`).as("today"),
      stuckJobs: upTo(sql`failed_jobs WHERE stuck_at IS NOT NULL`).as("stuck_jobs"),
      waitingPlans: upTo(sql`invite_uses WHERE activated_at IS NULL AND refused_at IS NULL`).as("waiting_plans"),
      openFeedback: upTo(sql`feedback WHERE done_at IS NULL`).as("open_feedback"),
    })
    .from(sql`(SELECT 1)`);
  return counts ?? { accounts: 0, today: 0, stuckJobs: 0, waitingPlans: 0, openFeedback: 0 };
}
