import { eq } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { driveIndexes, knowledgeDriveFolders } from "#worker/platform/db/schema/drive.ts";

/** Notes that a person has an index of their Drive. */
export async function insertIndex(db: Database, userId: string): Promise<void> {
  await db.insert(driveIndexes).values({ user_id: userId, created_at: new Date().toISOString() }).onConflictDoNothing();
}

export async function hasDriveIndex(db: Database, userId: string): Promise<boolean> {
  return (await db.$count(driveIndexes, eq(driveIndexes.user_id, userId))) > 0;
}

/** Forgets that a person has an index of their Drive. */
export async function deleteIndex(db: Database, userId: string): Promise<void> {
  await db.delete(driveIndexes).where(eq(driveIndexes.user_id, userId));
}

/** Follows no folder of a person's Drive any more. */
export async function deleteFolders(db: Database, userId: string): Promise<void> {
  await db.delete(knowledgeDriveFolders).where(eq(knowledgeDriveFolders.user_id, userId));
}
