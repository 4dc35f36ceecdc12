import { and, asc, desc, eq, isNotNull, lte, sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { accountExports } from "#worker/platform/db/schema/account-exports.ts";

export type ExportRow = typeof accountExports.$inferSelect;
/** What a step changes of its row. */
export type StepResult = Partial<Omit<ExportRow, "id" | "user_id" | "step" | "created_at">>;

export async function selectNewest(db: Database, userId: string): Promise<ExportRow | undefined> {
  return db
    .select()
    .from(accountExports)
    .where(eq(accountExports.user_id, userId))
    .orderBy(desc(accountExports.created_at), desc(accountExports.id))
    .limit(1)
    .get();
}

export async function selectExport(db: Database, id: string): Promise<ExportRow | undefined> {
  return db.select().from(accountExports).where(eq(accountExports.id, id)).get();
}

export async function selectExports(db: Database, userId: string): Promise<Pick<ExportRow, "id" | "state">[]> {
  return db.select({ id: accountExports.id, state: accountExports.state }).from(accountExports).where(eq(accountExports.user_id, userId));
}

/** Inserts an export that begins; false where its id is taken, or the user has another one under way. */
export async function insertExport(db: Database, { id, userId, at }: { id: string; userId: string; at: string }): Promise<boolean> {
  const row = { id, user_id: userId, state: "running" as const, created_at: at, updated_at: at };
  const inserted = await db
    .insert(accountExports)
    .values({ ...row, segments: [], directory: [], counts: {}, left_out: [] })
    .onConflictDoNothing()
    .returning({ id: accountExports.id });
  return inserted.length > 0;
}

/** Keeps what a step made, unless another message did it before or the export is no longer being made; false then. */
export async function storeStep(db: Database, { id, step }: { id: string; step: number }, made: StepResult): Promise<boolean> {
  const updated = await db
    .update(accountExports)
    .set({ ...made, step: step + 1 })
    .where(and(eq(accountExports.id, id), eq(accountExports.step, step), eq(accountExports.state, "running")))
    .returning({ id: accountExports.id });
  return updated.length > 0;
}

/** Ends an export that cannot be made and keeps nothing after `over`; false where it is not under way. */
export async function failExport(
  db: Database,
  id: string,
  { problem, at, over }: { problem: string; at: string; over: string },
): Promise<boolean> {
  const failed = await db
    .update(accountExports)
    .set({ state: "failed", problem, updated_at: at, expires_at: over })
    .where(and(eq(accountExports.id, id), eq(accountExports.state, "running")))
    .returning({ id: accountExports.id });
  return failed.length > 0;
}

/** Deletes an export's row; false where there is none of this user. */
export async function deleteExportRow(db: Database, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const deleted = await db
    .delete(accountExports)
    .where(and(eq(accountExports.id, id), eq(accountExports.user_id, userId)))
    .returning({ id: accountExports.id });
  return deleted.length > 0;
}

/** Exports whose time is over at `now`. */
export async function selectExpired(
  db: Database,
  { now, limit }: { now: string; limit: number },
): Promise<Pick<ExportRow, "id" | "user_id">[]> {
  return db
    .select({ id: accountExports.id, user_id: accountExports.user_id })
    .from(accountExports)
    .where(and(isNotNull(accountExports.expires_at), lte(accountExports.expires_at, now)))
    .orderBy(asc(accountExports.expires_at))
    .limit(limit);
}

type Stuck = { before: string; problem: string; at: string; over: string };

/** Ends exports that no message has gone on with since `before`; nothing is left of them after `over`. */
export async function failStuck(db: Database, { before, problem, at, over }: Stuck): Promise<void> {
  await db
    .update(accountExports)
    .set({ state: "failed", problem, updated_at: at, expires_at: over })
    .where(and(eq(accountExports.state, "running"), sql`${accountExports.updated_at} < ${before}`));
}
