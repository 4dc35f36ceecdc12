import { and, asc, inArray, lt, sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { uploads } from "#worker/platform/db/schema/uploads.ts";

export type Upload = { id: string; chat_id: string; created_at: string };

/** Notes an upload before its first byte is stored, so whatever is left of it can be found. */
export async function noteUpload(db: Database, upload: Upload): Promise<void> {
  await db.insert(uploads).values(upload).onConflictDoNothing();
}

/** The oldest uploads from before `cutoff` (ISO 8601), at most `limit`; those that come after `last`, where that is given. */
export async function listUploadsBefore(
  db: Database,
  { cutoff, last, limit }: { cutoff: string; last: Upload | undefined; limit: number },
): Promise<Upload[]> {
  const { created_at, id } = uploads;
  return db
    .select()
    .from(uploads)
    .where(and(lt(created_at, cutoff), last && sql`(${created_at}, ${id}) > (${last.created_at}, ${last.id})`))
    .orderBy(asc(created_at), asc(id))
    .limit(limit);
}

/** Forgets uploads, at most 100 in one call (the platform's limit of parameters). */
export async function forgetUploads(db: Database, ids: string[]): Promise<void> {
  await db.delete(uploads).where(inArray(uploads.id, ids));
}
