/** Folders of Drive that knowledge follows: what is put into them comes, and what is taken out goes. */
import * as z from "zod/mini";
import { DriveError, type DriveFile, type DriveFileName, listFiles } from "../../clients/google/drive.ts";
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
import { deleteFileRow, selectEntry } from "../file-rows.ts";
import { addDriveFile } from "./add-drive-file.ts";
import { fetchSoon } from "./fetch-file.ts";
import { selectDriveFiles, selectFolder } from "./queries.ts";

/** Folders within a folder are looked into up to so many. */
const FOLDERS = 50;
/** Drive that is busy is asked again after so many seconds, unless it says when. */
const AGAIN_SECONDS = 60;

const Name = z.object({ contextId: z.string(), folderId: z.string() });

/** Brings an entry up to what is in a folder, and in those within it. */
export const followFolderJob: Job<z.infer<typeof Name>> = job(
  "knowledge.folder",
  Name,
  async (env, name) => {
    const { contextId, folderId } = name;
    const db = openDatabase(env.DB);
    const [folder, entry] = await Promise.all([selectFolder(db, name), selectEntry(db, contextId)]);
    if (!folder || !entry) return;
    let children: DriveFile[];
    try {
      children = await listTree(env, openDrive(env, folder.user_id), { id: folderId, resourceKey: folder.resource_key });
    } catch (cause) {
      if (cause instanceof DriveError && cause.kind === "busy") {
        const delaySeconds = Math.ceil((cause.retryAfterMs ?? AGAIN_SECONDS * 1_000) / 1_000);
        return enqueue(env, followFolderJob, name, { delaySeconds });
      }
      if (!(cause instanceof DriveError) && !(cause instanceof DriveNotConnected)) throw cause;
      // The next night looks again; what is here stays.
      log.warn("a folder of Drive could not be followed", { cause });
      return;
    }
    await bring({ env, db }, { contextId, folderId, userId: folder.user_id, children });
    await countFiles(env, db, entry.user_id);
    await noteChanged(env, entry.user_id);
  },
  "READS",
);

/** The files of a folder and of those within it, as many as an entry can have. */
async function listTree(env: Env, drive: AskDrive, root: DriveFileName): Promise<DriveFile[]> {
  const files: DriveFile[] = [];
  const folders: DriveFileName[] = [root];
  for (let at = 0; at < folders.length && at < FOLDERS && files.length < KNOWLEDGE_FILES; at += 1) {
    const folder = folders[at];
    if (!folder) break;
    for (const file of await listChildren(env, drive, folder)) {
      if (file.mimeType === FOLDER) folders.push({ id: file.id, resourceKey: file.resourceKey ?? null });
      else if (file.mimeType !== SHORTCUT) files.push(file);
    }
  }
  return files.slice(0, KNOWLEDGE_FILES);
}

async function listChildren(env: Env, drive: AskDrive, folder: DriveFileName, from: string | null = null): Promise<DriveFile[]> {
  const { files, next } = await drive((token) => listFiles(env, token, { pageToken: from, folder }));
  const isEnough = next === null || files.length >= KNOWLEDGE_FILES;
  return isEnough ? files : [...files, ...(await listChildren(env, drive, folder, next))];
}

type Children = { contextId: string; folderId: string; userId: string; children: readonly DriveFile[] };

async function bring({ env, db }: { env: Env; db: Database }, { contextId, folderId, userId, children }: Children): Promise<void> {
  const held = await selectDriveFiles(db, contextId);
  for (const row of held) {
    const child = children.find(({ id }) => id === row.google_drive_file_id);
    if (child) {
      if (child.modifiedTime !== row.google_drive_modified_time && row.sync_status !== "pending") await fetchSoon(env, row);
    } else if (row.google_drive_folder_id === folderId) {
      await Promise.all([deleteObject(env.FILES, row.object_key), forgetDocument(env, contextId, row.id)]);
      await deleteFileRow(db, row.id);
    }
  }
  const known = new Set(held.map((row) => row.google_drive_file_id));
  for (const file of children) if (!known.has(file.id)) await addDriveFile(env, db, { contextId, userId, folderId, file });
}
