import { eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { deletePiece } from "../db/delete-piece.ts";
import { failedJobs } from "../db/schema/failed-jobs.ts";

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

/** Forgets a piece of the failures from before `cutoff` (ISO 8601) of jobs that no queue holds any more; true where there may be more. */
export function forgetOldFailures(db: Database, cutoff: string): Promise<boolean> {
  const where = sql`${failedJobs.stuck_at} IS NULL AND ${failedJobs.failed_at} < ${cutoff}`;
  return deletePiece(db, { table: failedJobs, key: [failedJobs.id], where });
}
