import { gte, lt, sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { securityDays } from "#worker/platform/db/schema/security-days.ts";

export async function addCounts(db: Database, day: string, counts: ReadonlyMap<string, number>): Promise<void> {
  await db
    .insert(securityDays)
    .values([...counts].map(([kind, events]) => ({ day, kind, events })))
    .onConflictDoUpdate({ target: [securityDays.day, securityDays.kind], set: { events: sql`${securityDays.events} + excluded.events` } });
}

/** The counts of the days since one. */
export async function selectCounts(db: Database, since: string) {
  return db.select().from(securityDays).where(gte(securityDays.day, since));
}

/** Removes the counts of the days before one. */
export async function deleteCounts(db: Database, before: string): Promise<void> {
  await db.delete(securityDays).where(lt(securityDays.day, before));
}
