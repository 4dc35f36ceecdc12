import { and, eq, lt, sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { usageDays } from "#worker/platform/db/schema/usage.ts";
import type { DayReport } from "#worker/conversation/hub/rpc.ts";

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
