/** What was left lying: readings and copies whose jobs never came, and uploads that never ended. */
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue } from "#worker/platform/jobs/job.ts";
import { copyFileJob } from "./copy-entry.ts";
import { queueFetch } from "./drive-files.ts";
import { queueArtifactIndexing } from "#worker/library/knowledge-artifacts/knowledge-artifacts.ts";
import { forgetDocument } from "./index-sources.ts";
import type { EntryArtifact } from "./entry-artifacts.ts";
import { deleteObject } from "./keys.ts";
import { noteContentChange } from "#worker/people/hub/stub.ts";
import { deleteFileRow, type FileRow, selectMissingUploads, claimFile, claimEntryArtifact } from "./queries.ts";
import { endReading, failed, queueReading, SCAN_FAILED, startReading } from "./read-file.ts";

/** A job that has not ended after so many milliseconds never will: reading a scan takes ten minutes at most, and is tried again. */
const LOST_MS = 40 * 60_000;
/** An upload that has not ended after so many milliseconds never will. */
const UPLOAD_MS = 24 * 60 * 60_000;
/** Uploads that are deleted at a time. */
const PAGE = 100;

type Entry = { entry: { id: string; user_id: string }; files: readonly FileRow[]; artifacts: readonly EntryArtifact[] };

/** Has what of these entries of the user's own lost its job taken up again. Whoever looks at them, or asks a chat that reads them, does so. */
export async function resumeLostReadings(env: Env, db: Database, userId: string, entries: readonly Entry[]): Promise<void> {
  const now = Date.now();
  const span = { at: new Date(now).toISOString(), lost: new Date(now - LOST_MS).toISOString() };
  const isLate = ({ sync_status: status, reading_since: since, created_at: at }: FileRow) =>
    status === "pending" && (since ?? at) < span.lost;
  const own = entries.filter(({ entry }) => entry.user_id === userId);
  for (const file of own.flatMap(({ files }) => files).filter(isLate)) {
    const taken = await claimFile(db, file, span);
    if (taken) await resumeReading(env, db, taken, userId);
  }
  for (const { entry, artifacts } of own) {
    for (const { artifact_id: artifactId, version, sync_status: status, staleSince } of artifacts) {
      if (status === "synced" || (staleSince !== null && staleSince >= span.lost)) continue;
      const name = { entryId: entry.id, artifactId };
      if (await claimEntryArtifact(db, { ...name, version }, span)) await queueArtifactIndexing(env, name);
    }
  }
}

async function resumeReading(env: Env, db: Database, file: FileRow, ownerId: string): Promise<void> {
  const { id, context_id: entryId, is_stored: isStored, copied_from: from, scan_pages: scan } = file;
  if (!isStored && file.file_source === "google_drive") return queueFetch(env, file);
  if (!isStored) return from === null ? undefined : enqueue(env, copyFileJob, { contextId: entryId, id });
  // What costs something begins with a press alone.
  if (scan !== null) return endReading(env, db, { file, ownerId, change: failed(SCAN_FAILED, scan), since: file.reading_since });
  // A job that only waits for its turn still finds its reading; of two, the second finds nothing to do.
  if (file.reading !== null) return queueReading(env, file, file.reading);
  await startReading(env, db, file);
  await noteContentChange(env, ownerId, "knowledge");
}

/** Deletes some of the files whose upload never ended: their rows, and the bytes that came of them. True where there may be more. */
export async function purgeMissingUploads(env: Env): Promise<boolean> {
  const db = openDatabase(env.DB);
  const rows = await selectMissingUploads(db, new Date(Date.now() - UPLOAD_MS).toISOString(), PAGE);
  for (const { id, context_id: entryId, object_key: key } of rows) {
    await Promise.all([deleteObject(env.FILES, key), forgetDocument(env, entryId, id)]);
    await deleteFileRow(db, id, key);
  }
  return rows.length === PAGE;
}
