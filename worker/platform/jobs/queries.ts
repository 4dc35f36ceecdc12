import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { deleteBatch } from "#worker/platform/db/delete-batch.ts";
import { failedJobs } from "#worker/platform/db/schema/failed-jobs.ts";
import { nightSteps } from "#worker/platform/db/schema/night-steps.ts";

export type FailedJob = typeof failedJobs.$inferSelect;
type Failure = Pick<FailedJob, "id" | "queue" | "kind" | "payload" | "attempts" | "error_name" | "error_message" | "failed_at">;

/** Notes a job's last failure; one that was given up before is being tried again. */
export async function noteFailure(db: Database, failure: Failure): Promise<void> {
  const { attempts, error_name, error_message, failed_at } = failure;
  const again = { attempts, error_name, error_message, failed_at, stuck_at: null, retry_at: null };
  await db.insert(failedJobs).values(failure).onConflictDoUpdate({ target: failedJobs.id, set: again });
}

/** Notes that a job was given up, and answers what is known of it; what was noted of its failures stays. */
export async function noteStuck(db: Database, job: Pick<Failure, "id" | "queue" | "kind" | "payload">, now: string): Promise<FailedJob> {
  return db
    .insert(failedJobs)
    .values({ ...job, failed_at: now, stuck_at: now })
    .onConflictDoUpdate({ target: failedJobs.id, set: { stuck_at: now } })
    .returning()
    .get();
}

/** Forgets a job's failures, as it is done or was sent again. */
export async function forgetFailure(db: Database, id: string): Promise<void> {
  await db.delete(failedJobs).where(eq(failedJobs.id, id));
}

/** Jobs that somebody wants sent again. */
export async function listToRetry(db: Database, limit: number): Promise<FailedJob[]> {
  return db
    .select()
    .from(failedJobs)
    .where(isNotNull(failedJobs.retry_at))
    .orderBy(sql`retry_at`)
    .limit(limit);
}

/** Forgets a batch of the failures from before `cutoff` (ISO 8601) of jobs that no queue holds any more; true where there may be more. */
export function forgetOldFailures(db: Database, cutoff: string): Promise<boolean> {
  const where = sql`${failedJobs.stuck_at} IS NULL AND ${failedJobs.failed_at} < ${cutoff}`;
  return deleteBatch(db, { table: failedJobs, key: [failedJobs.id], where });
}

type Claim = { night: string; step: string; page: number };

/**
 * Claims a page of a night's step, of each page for one message: false where it was claimed before. Whoever `mayRepeat` claims it again, unless
 * the page after it was; so does everybody where the claim is from before `lost` (ISO 8601).
 */
export async function claimPage(
  db: Database,
  { night, step, page }: Claim,
  { mayRepeat, now, lost }: { mayRepeat: boolean; now: string; lost: string },
): Promise<boolean> {
  const isNext = sql`${nightSteps.page} = ${page - 1}`;
  const isAgain = mayRepeat ? sql`${nightSteps.page} = ${page}` : sql`${nightSteps.page} = ${page} AND ${nightSteps.taken_at} < ${lost}`;
  const claimed = await db
    .insert(nightSteps)
    .values({ night, step, page, taken_at: now })
    .onConflictDoUpdate({
      target: [nightSteps.night, nightSteps.step],
      set: { page, taken_at: now },
      setWhere: sql`${isNext} OR (${isAgain})`,
    })
    .returning({ page: nightSteps.page });
  return claimed.length > 0;
}

/** Lets a claimed page be claimed again, unless the page after it was. */
export async function releasePage(db: Database, { night, step, page }: Claim): Promise<void> {
  const claimed = and(eq(nightSteps.night, night), eq(nightSteps.step, step), eq(nightSteps.page, page));
  await db.update(nightSteps).set({ taken_at: "" }).where(claimed);
}

/** Forgets a batch of the nights that began before `cutoff` (ISO 8601); true where there may be more. */
export function forgetNights(db: Database, cutoff: string): Promise<boolean> {
  return deleteBatch(db, { table: nightSteps, key: [nightSteps.night, nightSteps.step], where: sql`${nightSteps.night} < ${cutoff}` });
}
