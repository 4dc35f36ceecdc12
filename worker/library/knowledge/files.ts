/** Files of knowledge entries: a row from the first byte on, so nothing is stored that no row names. */
import { FORMATS, formatOfName } from "#shared/attachment-rules.ts";
import type { KnowledgeFile } from "#shared/entities/library/knowledge.ts";
import { KNOWLEDGE_PROBLEMS } from "#shared/library/knowledge-problems.ts";
import { ATTACHMENT_BYTES, KNOWLEDGE_FILES } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { receiveFile } from "#worker/library/attachments/receive-file.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { withinStorage } from "#worker/people/hub/storage.ts";
import { countFiles } from "./count-files.ts";
import { deleteFileRow, type FileRow, insertFile, markArrived, selectFile, deleteDriveFolder } from "./queries.ts";
import { deleteObject, fileUrl, newKey } from "./keys.ts";
import { requireEditableEntry } from "./knowledge.ts";
import { startReading } from "./read-file.ts";
import { toFile } from "./to-knowledge.ts";
import { forgetDocument } from "./index-sources.ts";

/** Files one person may add in an hour. */
const UPLOADS_PER_HOUR = 300;

/** Names a file of an entry. */
export type FileName = { entryId: string; id: string };
/** `isImported` for one of an import, which has its own bounds. */
type Input = FileName & { userId: string; name: string; isImported?: boolean };
/** `length` in bytes, null where the request does not say it. */
type Sent = { body: ReadableStream<Uint8Array> | null; length: number | null };

/**
 * Takes a file for an entry that the user may change: streams it to storage and has it read. The same id again answers the same.
 * Throws NOT_FOUND, FORBIDDEN, CONFLICT, FILE_TYPE, FILE_TOO_LARGE, STORAGE_FULL, and INVALID_INPUT where the entry has too many.
 */
export async function addFile(env: Env, db: Database, input: Input, sent: Sent): Promise<KnowledgeFile> {
  const { entryId, id, userId, name, isImported = false } = input;
  const entry = await requireEditableEntry(db, userId, entryId);
  const known = await selectFile(db, { entryId, id });
  if (known?.is_stored) {
    if (known.file_name !== name) throw new AppError("CONFLICT");
    return toFile(known);
  }
  const format = formatOfName(name);
  if (format === null) throw new AppError("FILE_TYPE");
  if (sent.length !== null && sent.length > ATTACHMENT_BYTES) throw new AppError("FILE_TOO_LARGE");
  if (!isImported) await countOrRefuse(env, `uploads:${userId}`, hourly(UPLOADS_PER_HOUR), "RATE_LIMITED");
  const key = newKey(entryId, extensionOf(name));
  const bytes = Math.min(sent.length ?? ATTACHMENT_BYTES, ATTACHMENT_BYTES);
  return withinStorage(env, { ownerId: entry.user_id, userId, id: key, bytes }, async () => {
    const noted = await insertFile(db, {
      id,
      context_id: entryId,
      user_id: userId,
      file_url: fileUrl({ entryId, id }),
      file_name: name,
      file_type: FORMATS[format].type,
      file_size: 0,
      created_at: new Date().toISOString(),
      object_key: key,
      copied_from: null,
    });
    if (!noted) throw await refusal(db, { entryId, id });
    try {
      return toFile(await store(env, db, { file: noted, key, sent }));
    } catch (cause) {
      await Promise.all([deleteFileRow(db, id, key), deleteObject(env.FILES, key)]);
      throw cause;
    } finally {
      await countFiles(env, db, entry.user_id);
    }
  });
}

async function refusal(db: Database, file: FileName): Promise<AppError> {
  const found = await selectFile(db, file);
  // A second upload of the same id came in between; or the id is that of another entry's file.
  if (found) return new AppError("CONFLICT");
  return new AppError("INVALID_INPUT", { message: `A knowledge entry can have ${KNOWLEDGE_FILES} files, each with an id of its own.` });
}

type Arriving = { file: FileRow; key: string; sent: Sent };

async function store(env: Env, db: Database, { file, key, sent }: Arriving): Promise<FileRow> {
  const { id, context_id: entryId, file_name: name } = file;
  const { format, size } = await receiveFile(env.FILES, { key, name, ...sent });
  const stored = await markArrived(db, { id, key }, { file_size: size, file_type: FORMATS[format].type });
  if (stored) return startReading(env, db, stored);
  // Another upload of it was quicker, or it was removed while it came: these bytes are nobody's.
  await deleteObject(env.FILES, key);
  const first = await selectFile(db, { entryId, id });
  if (!first) throw new AppError("NOT_FOUND", { message: KNOWLEDGE_PROBLEMS.noFile });
  return first;
}

function extensionOf(name: string): string {
  return /\.([a-z]+)$/i.exec(name.trim())?.[1]?.toLowerCase() ?? "";
}

/** A file of an entry that the user may change, and whose entry it is. Throws NOT_FOUND, FORBIDDEN. */
export async function requireEditableFile(db: Database, userId: string, name: FileName): Promise<{ file: FileRow; ownerId: string }> {
  const entry = await requireEditableEntry(db, userId, name.entryId);
  const file = await selectFile(db, name);
  if (!file) throw new AppError("NOT_FOUND", { message: KNOWLEDGE_PROBLEMS.noFile });
  return { file, ownerId: entry.user_id };
}

/** Removes a file from an entry that the user may change: its row, its bytes and all that was read of it. Throws NOT_FOUND, FORBIDDEN. */
export async function removeFile(env: Env, db: Database, userId: string, name: FileName): Promise<void> {
  const { file, ownerId } = await requireEditableFile(db, userId, name);
  const { id, context_id: entryId, object_key: key, google_drive_folder_id: folderId } = file;
  // Or the folder would bring it back.
  if (folderId !== null) await deleteDriveFolder(db, { entryId, folderId });
  // Its row goes last: without it nothing would remember what is left to be removed.
  await Promise.all([deleteObject(env.FILES, key), forgetDocument(env, entryId, id)]);
  await deleteFileRow(db, id);
  await countFiles(env, db, ownerId);
}
