/** Folders of Drive that knowledge follows: what is put into them comes, and what is taken out goes. */
import * as z from "zod/mini";
import { DriveError, type DriveFile, type DriveFileName, findFile, listFiles } from "#worker/platform/clients/google/drive.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import { FOLDER, SHORTCUT } from "#worker/integrations/google/drive/reading-plan.ts";
import { type AskDrive, DriveNotConnected, openDrive } from "#worker/integrations/google/drive/open-drive.ts";
import { KNOWLEDGE_FILES } from "#shared/limits.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, type Job, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { countFiles } from "#worker/library/knowledge/count-files.ts";
import { forgetDocument } from "#worker/library/knowledge/index-sources.ts";
import { deleteObject } from "#worker/library/knowledge/keys.ts";
import { noteContentChange } from "#worker/people/hub/stub.ts";
import { deleteFileRow, type FileRow, selectEntry } from "#worker/library/knowledge/file-rows.ts";
import { addDriveFile } from "./add-drive-file.ts";
import { queueFetch } from "#worker/library/knowledge/drive-files.ts";
import { selectDriveFiles, selectFolder } from "./queries.ts";

/** Folders within a folder are looked into up to so many. */
const FOLDERS = 50;
/** More files of a folder are not listed: far more than an entry can have, so what is here is found among them. */
const LISTED = 1_000;
/** Drive that is busy is asked so often in one night, after so many seconds and each time after twice as many, unless it says when. */
const TRIES = 8;
const AGAIN_SECONDS = 60;

const Name = z.object({ contextId: z.string(), folderId: z.string(), tries: z._default(z.number(), 0) });
type FolderName = Omit<z.infer<typeof Name>, "tries">;

/** Has an entry brought up to what is in a folder that it follows. */
export async function queueFolderSync(env: Env, { contextId: entryId, folderId }: FolderName): Promise<void> {
  await enqueue(env, followFolderJob, { contextId: entryId, folderId, tries: 0 });
}

/** Brings an entry up to what is in a folder, and in those within it. */
export const followFolderJob: Job<z.infer<typeof Name>> = job(
  "knowledge.folder",
  Name,
  async (env, { contextId: entryId, folderId, tries }) => {
    const db = openDatabase(env.DB);
    const [folder, entry] = await Promise.all([selectFolder(db, { entryId, folderId }), selectEntry(db, entryId)]);
    if (!folder || !entry) return;
    const drive = openDrive(env, folder.user_id);
    try {
      const tree = await listTree(env, drive, { id: folderId, resourceKey: folder.resource_key });
      await syncFiles({ env, db, drive }, { entryId, folderId, userId: folder.user_id, tree });
    } catch (cause) {
      if (cause instanceof DriveError && cause.isPassing && tries < TRIES) {
        const delaySeconds = Math.ceil(Math.max((cause.retryAfterMs ?? 0) / 1_000, AGAIN_SECONDS * 2 ** tries));
        return enqueue(env, followFolderJob, { contextId: entryId, folderId, tries: tries + 1 }, { delaySeconds });
      }
      if (!(cause instanceof DriveError) && !(cause instanceof DriveNotConnected)) throw cause;
      // The next night looks again; what is here stays.
      log.warn("a folder of Drive could not be followed", { cause });
      return;
    }
    await countFiles(env, db, entry.user_id);
    await noteContentChange(env, entry.user_id, "knowledge");
  },
  "READS",
);

/** Files that were found; `isComplete` is false where there may be more. */
type Found = { files: DriveFile[]; isComplete: boolean };

/** The files of a folder and of those within it. */
async function listTree(env: Env, drive: AskDrive, root: DriveFileName): Promise<Found> {
  const files: DriveFile[] = [];
  const folders: DriveFileName[] = [root];
  let isComplete = true;
  for (let at = 0; at < folders.length; at += 1) {
    const folder = folders[at];
    if (!folder || at >= FOLDERS || files.length >= LISTED) return { files, isComplete: false };
    const children = await listChildren(env, drive, folder);
    isComplete &&= children.isComplete;
    for (const file of children.files) {
      if (file.mimeType === FOLDER) folders.push({ id: file.id, resourceKey: file.resourceKey ?? null });
      else if (file.mimeType !== SHORTCUT) files.push(file);
    }
  }
  return { files, isComplete };
}

async function listChildren(env: Env, drive: AskDrive, folder: DriveFileName): Promise<Found> {
  const files: DriveFile[] = [];
  let isComplete = true;
  let from: string | null = null;
  for (;;) {
    const pageToken: string | null = from;
    const page: Awaited<ReturnType<typeof listFiles>> = await drive((token) => listFiles(env, token, { pageToken, folder }));
    files.push(...page.files);
    isComplete &&= page.isComplete;
    if (page.next === null) return { files, isComplete };
    if (files.length >= LISTED) return { files, isComplete: false };
    from = page.next;
  }
}

type Place = { env: Env; db: Database; drive: AskDrive };
type Tree = { entryId: string; folderId: string; userId: string; tree: Found };

async function syncFiles({ env, db, drive }: Place, { entryId, folderId, userId, tree: { files, isComplete } }: Tree): Promise<void> {
  const stored = await selectDriveFiles(db, entryId);
  const listed = new Map(files.map((file) => [file.id, file]));
  const missing = stored.filter(
    ({ google_drive_file_id: id, google_drive_folder_id: from }) => from === folderId && id !== null && !listed.has(id),
  );
  const deletedRows = isComplete ? missing : await findDeletedFiles(env, drive, missing);
  for (const row of deletedRows) {
    await Promise.all([deleteObject(env.FILES, row.object_key), forgetDocument(env, entryId, row.id)]);
    await deleteFileRow(db, row.id);
  }
  for (const row of stored) {
    const file = listed.get(row.google_drive_file_id ?? "");
    if (file && file.modifiedTime !== row.google_drive_modified_time && row.sync_status !== "pending") await queueFetch(env, row);
  }
  const known = new Set(stored.map((row) => row.google_drive_file_id));
  const added = files.filter(({ id }) => !known.has(id)).slice(0, KNOWLEDGE_FILES);
  for (const file of added) await addDriveFile(env, db, { entryId, userId, folderId, file });
}

/** Those of these files that are not in Drive any more: what no listing named may stand where the listing did not come to. */
async function findDeletedFiles(env: Env, drive: AskDrive, rows: readonly FileRow[]): Promise<FileRow[]> {
  const deletedRows: FileRow[] = [];
  for (const row of rows) {
    const name = { id: row.google_drive_file_id ?? "", resourceKey: row.google_drive_resource_key };
    try {
      const { trashed } = await drive((token) => findFile(env, token, name));
      if (trashed === true) deletedRows.push(row);
    } catch (cause) {
      if (!(cause instanceof DriveError) || cause.isPassing || cause.kind === "access") throw cause;
      if (cause.kind === "gone") deletedRows.push(row);
    }
  }
  return deletedRows;
}
