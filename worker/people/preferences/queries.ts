import { eq } from "drizzle-orm";
import type { Preferences } from "#shared/contracts/account/preferences.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { users } from "#worker/platform/db/schema/users.ts";

/** The preferences as they were last written; null when they never were. */
export async function selectPreferences(db: Database, userId: string): Promise<Preferences | null> {
  const row = await db.select({ preferences: users.preferences }).from(users).where(eq(users.id, userId)).get();
  return row?.preferences ?? null;
}

export async function updatePreferences(db: Database, userId: string, preferences: Preferences): Promise<void> {
  await db.update(users).set({ preferences }).where(eq(users.id, userId));
}
