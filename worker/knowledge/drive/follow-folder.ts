/** Folders of Drive that knowledge follows: what is put into them comes, and what is taken out goes. */
import * as z from "zod/mini";
import { DriveError, type DriveFile, type DriveFileName, findFile, listFiles } from "../../clients/google/drive.ts";
import { type Database, openDatabase } from "../../db/client.ts";
import { FOLDER, SHORTCUT } from "../../drive/plan.ts";
import { type AskDrive, DriveNotConnected, openDrive } from "../../drive/with-drive.ts";
import { KNOWLEDGE_FILES } from "#shared/limits.ts";
import type { Env } from "../../env.ts";
import { enqueue, type Job, job } from "../../jobs/job.ts";
import { log } from "../../log.ts";
import { countFiles } from "../count-files.ts";
import { forgetDocument } from "../index-sources.ts";
import { deleteObject } from "../keys.ts";
import { noteChanged } from "../note-changed.ts";
import { deleteFileRow, type FileRow, selectEntry } from "../file-rows.ts";
import { addDriveFile } from "./add-drive-file.ts";
import { fetchSoon } from "./fetch-file.ts";
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
export async function followSoon(env: Env, { contextId, folderId }: FolderName): Promise<void> {
  await enqueue(env, followFolderJob, { contextId, folderId, tries: 0 });
}

/** Brings an entry up to what is in a folder, and in those within it. */
export const followFolderJob: Job<z.infer<typeof Name>> = job(
  "knowledge.folder",
  Name,
  async (env, { contextId, folderId, tries }) => {
    const db = openDatabase(env.DB);
    const [folder, entry] = await Promise.all([selectFolder(db, { contextId, folderId }), selectEntry(db, contextId)]);
    if (!folder || !entry) return;
    const drive = openDrive(env, folder.user_id);
    try {
      const tree = await listTree(env, drive, { id: folderId, resourceKey: folder.resource_key });
      await bring({ env, db, drive }, { contextId, folderId, userId: folder.user_id, tree });
    } catch (cause) {
      if (cause instanceof DriveError && cause.isPassing && tries < TRIES) {
        const delaySeconds = Math.ceil(Math.max((cause.retryAfterMs ?? 0) / 1_000, AGAIN_SECONDS * 2 ** tries));
        return enqueue(env, followFolderJob, { contextId, folderId, tries: tries + 1 }, { delaySeconds });
      }
      if (!(cause instanceof DriveError) && !(cause instanceof DriveNotConnected)) throw cause;
      // The next night looks again; what is here stays.
      log.warn("a folder of Drive could not be followed", { cause });
      return;
    }
    await countFiles(env, db, entry.user_id);
    await noteChanged(env, entry.user_id);
  },
  "READS",
);

/** Files that were found; `isWhole` is false where there may be more. */
type Found = { files: DriveFile[]; isWhole: boolean };

/** The files of a folder and of those within it. */
async function listTree(env: Env, drive: AskDrive, root: DriveFileName): Promise<Found> {
  const files: DriveFile[] = [];
  const folders: DriveFileName[] = [root];
  let isWhole = true;
  for (let at = 0; at < folders.length; at += 1) {
    const folder = folders[at];
    if (!folder || at >= FOLDERS || files.length >= LISTED) return { files, isWhole: false };
    const children = await listChildren(env, drive, folder);
    isWhole &&= children.isWhole;
    for (const file of children.files) {
      if (file.mimeType === FOLDER) folders.push({ id: file.id, resourceKey: file.resourceKey ?? null });
      else if (file.mimeType !== SHORTCUT) files.push(file);
    }
  }
  return { files, isWhole };
}

async function listChildren(env: Env, drive: AskDrive, folder: DriveFileName): Promise<Found> {
  const files: DriveFile[] = [];
  let isWhole = true;
  let from: string | null = null;
  for (;;) {
    const pageToken: string | null = from;
    const page: Awaited<ReturnType<typeof listFiles>> = await drive((token) => listFiles(env, token, { pageToken, folder }));
    files.push(...page.files);
    isWhole &&= page.isWhole;
    if (page.next === null) return { files, isWhole };
    if (files.length >= LISTED) return { files, isWhole: false };
    from = page.next;
  }
}

type Place = { env: Env; db: Database; drive: AskDrive };
type Tree = { contextId: string; folderId: string; userId: string; tree: Found };

async function bring({ env, db, drive }: Place, { contextId, folderId, userId, tree: { files, isWhole } }: Tree): Promise<void> {
  const held = await selectDriveFiles(db, contextId);
  const listed = new Map(files.map((file) => [file.id, file]));
  const missing = held.filter(
    ({ google_drive_file_id: id, google_drive_folder_id: from }) => from === folderId && id !== null && !listed.has(id),
  );
  const gone = isWhole ? missing : await selectGone(env, drive, missing);
  for (const row of gone) {
    await Promise.all([deleteObject(env.FILES, row.object_key), forgetDocument(env, contextId, row.id)]);
    await deleteFileRow(db, row.id);
  }
  for (const row of held) {
    const file = listed.get(row.google_drive_file_id ?? "");
    if (file && file.modifiedTime !== row.google_drive_modified_time && row.sync_status !== "pending") await fetchSoon(env, row);
  }
  const known = new Set(held.map((row) => row.google_drive_file_id));
  const added = files.filter(({ id }) => !known.has(id)).slice(0, KNOWLEDGE_FILES);
  for (const file of added) await addDriveFile(env, db, { contextId, userId, folderId, file });
}

/** Those of these files that are not in Drive any more: what no listing named may stand where the listing did not come to. */
async function selectGone(env: Env, drive: AskDrive, rows: readonly FileRow[]): Promise<FileRow[]> {
  const gone: FileRow[] = [];
  for (const row of rows) {
    const name = { id: row.google_drive_file_id ?? "", resourceKey: row.google_drive_resource_key };
    try {
      const { trashed } = await drive((token) => findFile(env, token, name));
      if (trashed === true) gone.push(row);
    } catch (cause) {
      if (!(cause instanceof DriveError) || cause.isPassing || cause.kind === "access") throw cause;
      if (cause.kind === "gone") gone.push(row);
    }
  }
  return gone;
}
