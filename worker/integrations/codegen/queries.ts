import { eq } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { codegenConnections } from "#worker/platform/db/schema/outbound.ts";
import { users } from "#worker/platform/db/schema/users.ts";

export async function selectConnection(db: Database, userId: string) {
  return db.select().from(codegenConnections).where(eq(codegenConnections.user_id, userId)).get();
}

/** Stores a connection in the place of the one before; `token` is sealed. */
export async function upsertConnection(db: Database, row: { user_id: string; org_id: string; token: string }): Promise<void> {
  const { org_id, token } = row;
  const created_at = new Date().toISOString();
  await db
    .insert(codegenConnections)
    .values({ ...row, error: null, created_at })
    .onConflictDoUpdate({ target: codegenConnections.user_id, set: { org_id, token, error: null, created_at } });
}

/** Notes why a connection does not work, or with null that it does. */
export async function updateError(db: Database, userId: string, error: string | null): Promise<void> {
  await db.update(codegenConnections).set({ error }).where(eq(codegenConnections.user_id, userId));
}

export async function deleteConnection(db: Database, userId: string): Promise<void> {
  await db.delete(codegenConnections).where(eq(codegenConnections.user_id, userId));
}

/** Whether the user wants the code agent's tools shown, connected or not. */
export async function selectIsEnabled(db: Database, userId: string): Promise<boolean> {
  const row = await db.select({ preferences: users.preferences }).from(users).where(eq(users.id, userId)).get();
  return row?.preferences?.enableCodegen ?? false;
}
