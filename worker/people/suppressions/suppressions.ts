/** Addresses that the mail service reported: they bounced permanently, or their people complained. */
import type { Database } from "#worker/platform/db/client.ts";
import { insertSuppression, listSuppressed } from "./queries.ts";

export type SuppressionReason = "bounced" | "complained";

/** Those of these addresses, in lower case, that nothing may be sent to. */
export async function suppressedAmong(db: Database, addresses: readonly string[]): Promise<Set<string>> {
  return new Set(addresses.length === 0 ? [] : await listSuppressed(db, addresses));
}

/** Sends nothing more to an address, from any chat. */
export async function suppress(db: Database, address: string, reason: SuppressionReason): Promise<void> {
  await insertSuppression(db, { address, reason, created_at: new Date().toISOString() });
}
