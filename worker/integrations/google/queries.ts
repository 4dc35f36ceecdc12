import { and, eq } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { googleConnections, googlePickerTokens } from "#worker/platform/db/schema/google-connections.ts";

export type GoogleRow = typeof googleConnections.$inferSelect;
type PickerRow = typeof googlePickerTokens.$inferSelect;

/** A user's connection to Google, whether its grant holds or not. */
export async function selectConnection(db: Database, userId: string): Promise<GoogleRow | undefined> {
  return db.select().from(googleConnections).where(eq(googleConnections.user_id, userId)).get();
}

/** Stores a connection in the place of the one before. */
export async function upsertConnection(db: Database, row: GoogleRow): Promise<void> {
  const { user_id: _, ...set } = row;
  await db.insert(googleConnections).values(row).onConflictDoUpdate({ target: googleConnections.user_id, set });
}

/** Changes a connection that is still the one that was read, its tokens with it; false where it is not. */
export async function updateAsRead(
  db: Database,
  { user_id, tokens }: GoogleRow,
  change: Partial<Pick<GoogleRow, "tokens" | "expires_at" | "scopes" | "error">>,
): Promise<boolean> {
  const changed = await db
    .update(googleConnections)
    .set(change)
    .where(and(eq(googleConnections.user_id, user_id), eq(googleConnections.tokens, tokens)))
    .returning({ id: googleConnections.user_id });
  return changed.length > 0;
}

/** Forgets a connection that is still the one that was read, renewed or not; one that was made meanwhile stays. */
export async function deleteAsRead(db: Database, { user_id, subject, connected_at }: GoogleRow): Promise<void> {
  const { user_id: id, subject: account, connected_at: at } = googleConnections;
  await db.delete(googleConnections).where(and(eq(id, user_id), eq(account, subject), eq(at, connected_at)));
}

/** What a user's Drive was last opened to the Picker with. */
export async function selectPickerToken(db: Database, userId: string): Promise<PickerRow | undefined> {
  return db.select().from(googlePickerTokens).where(eq(googlePickerTokens.user_id, userId)).get();
}

/** Stores what opens a user's Drive to the Picker in the place of the one before. */
export async function upsertPickerToken(db: Database, row: PickerRow): Promise<void> {
  const { user_id: _, ...set } = row;
  await db.insert(googlePickerTokens).values(row).onConflictDoUpdate({ target: googlePickerTokens.user_id, set });
}

/** Forgets what opens a user's Drive to the Picker. */
export async function deletePickerToken(db: Database, userId: string): Promise<void> {
  await db.delete(googlePickerTokens).where(eq(googlePickerTokens.user_id, userId));
}

/** Whether anybody's connection is to this account of Google's. */
export async function isConnected(db: Database, subject: string): Promise<boolean> {
  const { user_id: id, subject: account } = googleConnections;
  return (await db.select({ id }).from(googleConnections).where(eq(account, subject)).limit(1).get()) !== undefined;
}
