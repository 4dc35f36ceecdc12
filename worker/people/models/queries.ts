import { eq } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import type { ModelSettings } from "#worker/platform/env.ts";
import { users } from "#worker/platform/db/schema/users.ts";

/** Reads both settings in one row; null when there is no such user. */
export async function selectModelSettings(db: Database, userId: string): Promise<ModelSettings | null> {
  const row = await db
    .select({ allowlist: users.model_allowlist, preferred: users.preferred_model })
    .from(users)
    .where(eq(users.id, userId))
    .get();
  return row ?? null;
}

/** Writes the allowlist alone; the preferred model stays what was asked for, and is read through the allowlist. */
export async function updateAllowlist(db: Database, userId: string, allowlist: ModelSettings["allowlist"]): Promise<void> {
  await db.update(users).set({ model_allowlist: allowlist }).where(eq(users.id, userId));
}
