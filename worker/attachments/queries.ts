import { asc, inArray, lt } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { uploads } from "../db/schema/uploads.ts";

export type Upload = { id: string; chat_id: string };

/** Notes an upload before its first byte is stored, so that whatever is left of it can be found. */
export async function noteUpload(db: Database, upload: Upload & { created_at: string }): Promise<void> {
  await db.insert(uploads).values(upload).onConflictDoNothing();
}

/** The oldest uploads from before `cutoff` (ISO 8601), at most `limit`. */
export async function listUploadsBefore(db: Database, { cutoff, limit }: { cutoff: string; limit: number }): Promise<Upload[]> {
  return db
    .select({ id: uploads.id, chat_id: uploads.chat_id })
    .from(uploads)
    .where(lt(uploads.created_at, cutoff))
    .orderBy(asc(uploads.created_at))
    .limit(limit);
}

/** Forgets uploads, at most 100 in one call (the platform's limit of parameters). */
export async function forgetUploads(db: Database, ids: string[]): Promise<void> {
  await db.delete(uploads).where(inArray(uploads.id, ids));
}
