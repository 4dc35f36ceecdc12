/** Fetching files of Drive into knowledge, again where they changed. */
import { ERRORS } from "#shared/errors.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { type ReceivedFile, receiveFile } from "#worker/library/attachments/receive-file.ts";
import { DriveError, type DriveFile, type DriveFileName, findFile, openFile } from "#worker/platform/clients/google/drive.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import { FORMATS } from "#shared/attachment-rules.ts";
import { downloadBrokenOff, fetchBytes } from "#worker/integrations/google/drive/fetch-bytes.ts";
import { withoutPictureData } from "#worker/integrations/google/drive/strip-pictures.ts";
import { DRIVE_BYTES, planOf, type ReadingPlan, TOO_LARGE } from "#worker/integrations/google/drive/reading-plan.ts";
import { type AskDrive, DriveNotConnected, openDrive } from "#worker/integrations/google/drive/open-drive.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, jobOfKind } from "#worker/platform/jobs/job.ts";
import { release } from "#worker/platform/clients/read-all-bytes.ts";
import { withinStorage } from "#worker/people/hub/storage.ts";
import { countFiles } from "#worker/library/knowledge/count-files.ts";
import { deleteObject, newKey } from "#worker/library/knowledge/keys.ts";
import { noteContentChange } from "#worker/people/hub/stub.ts";
import { type FileRow, selectEntry, selectFile, updateFile } from "#worker/library/knowledge/file-rows.ts";
import { startReading } from "#worker/library/knowledge/read-file.ts";
import { FETCH_DRIVE_FILE } from "#worker/library/knowledge/drive-files.ts";
import { fileName } from "./file-name.ts";

/** Drive is asked so often for one file, each time after a longer while. */
const TRIES = 8;
const AGAIN_SECONDS = 4;

/** Fetches a file of Drive, or leaves it where it is here as it is there, and has it read. */
export const fetchDriveFileJob = jobOfKind(FETCH_DRIVE_FILE, async (env, { contextId: entryId, id, tries }) => {
  const db = openDatabase(env.DB);
  const [file, entry] = await Promise.all([selectFile(db, { entryId, id }), selectEntry(db, entryId)]);
  if (file?.file_source !== "google_drive" || file.google_drive_file_id === null || !entry) return;
  const drive = openDrive(env, file.user_id);
  try {
    await fetchFile({ env, db, drive }, file, entry.user_id);
  } catch (cause) {
    if (cause instanceof DriveError && cause.isPassing && tries < TRIES) {
      const delaySeconds = Math.ceil(Math.max((cause.retryAfterMs ?? 0) / 1_000, AGAIN_SECONDS * 2 ** tries));
      return enqueue(env, FETCH_DRIVE_FILE, { contextId: entryId, id, tries: tries + 1 }, { delaySeconds });
    }
    await noteFailure(db, file, reasonOf(cause));
  }
  await noteContentChange(env, entry.user_id, "knowledge");
});

type Place = { env: Env; db: Database; drive: AskDrive };

async function fetchFile({ env, db, drive }: Place, file: FileRow, ownerId: string): Promise<void> {
  const name = { id: file.google_drive_file_id ?? "", resourceKey: file.google_drive_resource_key };
  const found = await drive((token) => findFile(env, token, name));
  const plan = planOf(found);
  const isSame = file.is_stored && file.google_drive_modified_time === found.modifiedTime;
  if (isSame || found.trashed === true) return found.trashed === true && !file.is_stored ? noteFailure(db, file, NOT_IN_DRIVE) : undefined;
  if (plan === null) return noteFailure(db, file, ERRORS.FILE_TYPE.message);
  if ((found.size ?? 0) > DRIVE_BYTES) return noteFailure(db, file, TOO_LARGE);
  const as = fileName(file.file_name, plan);
  const key = newKey(file.context_id, endingOf(as));
  const bytes = found.size ?? DRIVE_BYTES;
  const received = await withinStorage(env, { ownerId, userId: ownerId, id: key, bytes }, () =>
    receive({ env, drive }, { name, plan }, { key, name: as }),
  );
  if (received === null) return noteFailure(db, file, TOO_LARGE);
  await keep({ env, db }, { file, key, found, name: as, size: received.size, type: FORMATS[received.format].type, ownerId });
}

type Wanted = { name: DriveFileName; plan: ReadingPlan };

/** Stores a file's bytes, or what Google makes of it without the pictures in its text; null where they are too many. */
async function receive(
  { env, drive }: Pick<Place, "env" | "drive">,
  { name, plan }: Wanted,
  to: { key: string; name: string },
): Promise<ReceivedFile | null> {
  if (plan.type === null)
    return drive(async (token) => {
      const { body } = await openFile(env, token, { file: name, type: null });
      try {
        return await receiveFile(env.FILES, { ...to, body });
      } catch (cause) {
        throw cause instanceof AppError && cause.code === "UPLOAD_BROKEN" ? downloadBrokenOff(cause) : cause;
      }
    });
  const bytes = await fetchBytes(env, drive, { file: name, plan });
  if (bytes === null) return null;
  try {
    const content = plan.format === "markdown" ? withoutPictureData(new TextDecoder().decode(bytes)) : bytes;
    return await receiveFile(env.FILES, { ...to, body: new Response(content).body });
  } finally {
    release(bytes);
  }
}

type Received = { file: FileRow; key: string; found: DriveFile; name: string; size: number; type: string; ownerId: string };

async function keep({ env, db }: Pick<Place, "env" | "db">, { file, key, found, name, size, type, ownerId }: Received): Promise<void> {
  const change = {
    object_key: key,
    is_stored: true,
    file_name: name,
    file_size: size,
    file_type: type,
    google_drive_mime_type: found.mimeType,
    google_drive_modified_time: found.modifiedTime ?? null,
  };
  const stored = await updateFile(db, file.id, { as: { object_key: file.object_key }, change });
  // It was removed, or fetched by another meanwhile.
  if (!stored) return deleteObject(env.FILES, key);
  if (file.is_stored) await deleteObject(env.FILES, file.object_key);
  await countFiles(env, db, ownerId);
  await startReading(env, db, stored);
}

function endingOf(name: string): string {
  return /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "txt";
}

const NOT_IN_DRIVE = "The file is not in Google Drive any more.";

function reasonOf(cause: unknown): string {
  if (cause instanceof DriveNotConnected) return "Connect Google to continue";
  if (cause instanceof DriveError || cause instanceof AppError) return cause.message;
  throw cause;
}

/** What is here already stays, and can be found: only what was never here has failed. */
async function noteFailure(db: Database, file: FileRow, unread: string): Promise<void> {
  if (file.is_stored) return;
  await updateFile(db, file.id, { as: { object_key: file.object_key }, change: { sync_status: "error", unread } });
}
