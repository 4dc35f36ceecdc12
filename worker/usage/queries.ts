import { and, eq, lt, sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { usageDays } from "../db/schema/usage.ts";
import type { DayReport } from "../user-hub/rpc.ts";

/** Puts a day's report in the place of an earlier one; one that knows no later entry than what is stored changes nothing. */
export async function replaceDay(db: Database, { userId, day }: { userId: string; day: string }, { seq, usage }: DayReport): Promise<void> {
  const isDay = and(eq(usageDays.user_id, userId), eq(usageDays.day, day));
  await db.batch([
    db.delete(usageDays).where(and(isDay, lt(usageDays.seq, seq))),
    db.insert(usageDays).select(
      sql`SELECT ${userId}, ${day}, value ->> 'teamId', value ->> 'modelId', value ->> 'calls', value ->> 'tokens', value ->> 'costMicros', ${seq}
            FROM json_each(${JSON.stringify(usage)})
            WHERE NOT EXISTS (SELECT 1 FROM usage_days d WHERE d.user_id = ${userId} AND d.day = ${day})`,
    ),
  ]);
}

/** Forgets the days of a user. */
export async function deleteDays(db: Database, userId: string): Promise<void> {
  await db.delete(usageDays).where(eq(usageDays.user_id, userId));
}
