import { eq } from "drizzle-orm";
import type { CallSettings } from "#shared/entities/outbound/call-settings.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { callSettings } from "#worker/platform/db/schema/outbound.ts";

/** What a user set about calls; undefined where they set nothing. */
export async function selectCallSettings(db: Database, userId: string): Promise<CallSettings | undefined> {
  const { from_hour, until_hour, calls_per_day } = callSettings;
  return db.select({ from_hour, until_hour, calls_per_day }).from(callSettings).where(eq(callSettings.user_id, userId)).get();
}

export async function upsertCallSettings(db: Database, userId: string, settings: CallSettings): Promise<void> {
  await db
    .insert(callSettings)
    .values({ user_id: userId, ...settings })
    .onConflictDoUpdate({ target: callSettings.user_id, set: settings });
}
