import * as z from "zod/mini";
import { openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { enqueueAll, job } from "#worker/platform/jobs/job.ts";
import { queueFetch } from "#worker/library/knowledge/drive-files.ts";
import { queueFolderSync } from "./follow-folder.ts";
import { selectDriveFiles, selectFolders, selectHolding } from "./queries.ts";

/** Messages of one batch. */
const BATCH = 100;

/** Looks what changed in Drive of an entry's files and folders. */
export const refreshDriveFilesJob = job("knowledge.refresh", z.object({ contextId: z.string() }), refreshDriveFiles, "BULK");

async function refreshDriveFiles(env: Env, { contextId: entryId }: { contextId: string }): Promise<void> {
  const db = openDatabase(env.DB);
  const [files, folders] = await Promise.all([selectDriveFiles(db, entryId), selectFolders(db, entryId)]);
  for (const { folder_id: folderId } of folders) await queueFolderSync(env, { contextId: entryId, folderId });
  for (const file of files) if (file.google_drive_folder_id === null && file.sync_status !== "pending") await queueFetch(env, file);
}

/** Has a page of the entries with files of Drive looked after, as each night does; answers where to go on, null at their end. */
export async function enqueueDriveRefreshes(env: Env, after: string): Promise<string | null> {
  if (!configOf(env).google.features.includes("drive")) return null;
  const ids = await selectHolding(openDatabase(env.DB), after, BATCH);
  const jobs = ids.map((entryId) => ({ contextId: entryId }));
  if (jobs.length > 0) await enqueueAll(env, refreshDriveFilesJob, jobs);
  return ids.length < BATCH ? null : (ids.at(-1) ?? null);
}
