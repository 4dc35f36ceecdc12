import { eq } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import type { ModelSettings } from "../env.ts";
import { users } from "../db/schema/users.ts";

/** Reads both settings in one row; null when there is no such user. */
export async function selectModelSettings(db: Database, userId: string): Promise<ModelSettings | null> {
  const row = await db
    .select({ allowlist: users.model_allowlist, preferred: users.preferred_model })
    .from(users)
    .where(eq(users.id, userId))
    .get();
  return row ?? null;
}

/** Writes both settings at once, so that a preferred model is never outside its allowlist. */
export async function updateModelSettings(db: Database, userId: string, { allowlist, preferred }: ModelSettings): Promise<void> {
  await db.update(users).set({ model_allowlist: allowlist, preferred_model: preferred }).where(eq(users.id, userId));
}
