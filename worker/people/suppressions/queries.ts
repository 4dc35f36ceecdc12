import { sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { mailSuppressions } from "#worker/platform/db/schema/mail-suppressions.ts";

/** Those of these addresses that nothing is sent to. */
export async function listSuppressed(db: Database, addresses: readonly string[]): Promise<string[]> {
  const rows = await db
    .select({ address: mailSuppressions.address })
    .from(mailSuppressions)
    .where(sql`${mailSuppressions.address} IN (SELECT value FROM json_each(${JSON.stringify(addresses)}))`);
  return rows.map(({ address }) => address);
}

/** Notes an address that gets no more mail; a complaint stands above a bounce. */
export async function insertSuppression(db: Database, row: typeof mailSuppressions.$inferInsert): Promise<void> {
  await db
    .insert(mailSuppressions)
    .values(row)
    .onConflictDoUpdate({
      target: mailSuppressions.address,
      set: { reason: sql`CASE WHEN ${mailSuppressions.reason} = 'complained' THEN 'complained' ELSE excluded.reason END` },
    });
}
