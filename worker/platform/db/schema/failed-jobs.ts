import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Jobs that failed: those that the queue still tries (`stuck_at` null), and those that it gave up. */
export const failedJobs = sqliteTable(
  "failed_jobs",
  {
    /** Made of the job itself, as a message has another id in a dead-letter queue. */
    id: text().primaryKey(),
    queue: text({ enum: ["JOBS", "READS", "BULK"] }).notNull(),
    kind: text().notNull(),
    payload: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Null where the Worker ended before it could note any. */
    attempts: integer(),
    error_name: text(),
    error_message: text(),
    failed_at: text().notNull(),
    stuck_at: text(),
    /** Set by `npm run jobs -- retry`; the Worker sends the job again. */
    retry_at: text(),
  },
  (table) => [
    index("failed_jobs_to_retry")
      .on(table.retry_at)
      .where(sql`retry_at IS NOT NULL`),
    index("failed_jobs_by_time").on(table.failed_at, table.id),
  ],
);
