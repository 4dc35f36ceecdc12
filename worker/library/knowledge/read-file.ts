/** Reading files of knowledge: a job of its own for each, and a state in its row that tabs follow. */
import * as z from "zod/mini";
import { FORMATS, formatOfName } from "#shared/attachment-rules.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { type FileRow, selectEntry, selectFile, updateFile } from "./queries.ts";
import { dropIndex, forgetDocument, indexStored } from "./index-sources.ts";
import { noteContentChange } from "#worker/people/hub/stub.ts";

/** A file whose reading ended the Worker so often is left alone. */
const TRIES = 2;
const UNREADABLE = "This file could not be read.";
/** Said of a scan whose reading as pictures failed. */
export const SCAN_FAILED = "The pages could not be read as pictures. You paid nothing for it.";

/** Has a stored file read, from its beginning where that is under way already; answers it as it is then. */
export async function startReading(env: Env, db: Database, file: FileRow): Promise<FileRow> {
  const format = formatOfName(file.file_name);
  if (format !== null && FORMATS[format].kind === "image") {
    const change = { sync_status: "synced", unread: "A picture has no text: its name alone is known." } as const;
    return (await updateFile(db, file.id, { as: { object_key: file.object_key }, change })) ?? file;
  }
  const reading = crypto.randomUUID();
  const change = { sync_status: "pending", unread: null, scan_pages: null, reading, reading_since: new Date().toISOString() } as const;
  const changed = await updateFile(db, file.id, { as: { object_key: file.object_key }, change });
  if (!changed) return file;
  await queueReading(env, file, reading);
  return changed;
}

/** Queues the job of a reading that its row names. */
export function queueReading(env: Env, { id, context_id: entryId }: FileRow, reading: string): Promise<void> {
  return enqueue(env, readKnowledgeJob, { contextId: entryId, id, reading });
}

const Reading = z.object({ contextId: z.string(), id: z.string(), reading: z.string() });

/** Reads a file of an entry and says in its row how that ended; one that was removed, or is being read again, is left alone. */
export const readKnowledgeJob = job(
  "knowledge.read",
  Reading,
  async (env, { contextId: entryId, id, reading }, attempt) => {
    const db = openDatabase(env.DB);
    const [file, entry] = await Promise.all([selectFile(db, { entryId, id }), selectEntry(db, entryId)]);
    if (!file?.is_stored || file.reading !== reading || !entry) return;
    await endReading(env, db, {
      file,
      ownerId: entry.user_id,
      change: attempt > TRIES ? failed(UNREADABLE) : await read(env, file, entry),
    });
  },
  "READS",
);

type End = Pick<FileRow, "sync_status" | "unread" | "pages" | "characters" | "scan_pages">;

/** What a row says of a file that was not read. */
export function failed(unread: string, scanPages: number | null = null): End {
  return { sync_status: "error", unread, pages: null, characters: 0, scan_pages: scanPages };
}

async function read(env: Env, file: FileRow, entry: { user_id: string }): Promise<End> {
  const format = formatOfName(file.file_name);
  if (format === null) return failed(UNREADABLE);
  const end = await indexStored(env, { file, ownerId: entry.user_id, format });
  if (end.ok) {
    const unread = end.isComplete ? null : "Only its beginning was read: there is more in it than is kept of one file.";
    return { sync_status: "synced", unread, pages: end.pages, characters: end.characters, scan_pages: null };
  }
  return failed(end.reason, end.isScan ? end.pages : null);
}

/** Writes down how a reading ended, unless another began since, or it went on after `since`, and notifies the owner's tabs. */
export async function endReading(
  env: Env,
  db: Database,
  { file, ownerId, change, since }: { file: FileRow; ownerId: string; change: End; since?: string | null },
): Promise<void> {
  const { object_key: key, reading } = file;
  const as = { object_key: key, ...(reading !== null && { reading }), ...(typeof since === "string" && { reading_since: since }) };
  const ended = await updateFile(db, file.id, { as, change: { ...change, reading: null, reading_since: null } });
  if (ended) return noteContentChange(env, ownerId, "knowledge");
  // What was read of it after it was removed would be found for ever, as would an index without its entry.
  const { id, context_id: entryId } = file;
  if (!(await selectEntry(db, entryId))) return dropIndex(env, entryId);
  if (!(await selectFile(db, { entryId, id }))) await forgetDocument(env, entryId, id);
}
