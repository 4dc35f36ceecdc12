import * as z from "zod/mini";
import { openDatabase } from "../../db/client.ts";
import { configOf, type Env } from "../../env.ts";
import { enqueueAll, job } from "../../jobs/job.ts";
import { fetchSoon } from "./fetch-file.ts";
import { followSoon } from "./follow-folder.ts";
import { selectDriveFiles, selectFolders, selectHolding } from "./queries.ts";

/** Messages of one batch. */
const BATCH = 100;

/** Looks what changed in Drive of an entry's files and folders. */
export const refreshDriveFilesJob = job("knowledge.refresh", z.object({ contextId: z.string() }), async (env, { contextId }) => {
  const db = openDatabase(env.DB);
  const [files, folders] = await Promise.all([selectDriveFiles(db, contextId), selectFolders(db, contextId)]);
  for (const { folder_id: folderId } of folders) await followSoon(env, { contextId, folderId });
  for (const file of files) if (file.google_drive_folder_id === null && file.sync_status !== "pending") await fetchSoon(env, file);
});

/** Has all entries with files of Drive looked after, as each night does. */
export async function enqueueDriveRefreshes(env: Env): Promise<void> {
  if (!configOf(env).google.features.includes("drive")) return;
  const db = openDatabase(env.DB);
  for (let ids = await selectHolding(db, "", BATCH); ids.length > 0; ids = await selectHolding(db, ids.at(-1) ?? "", BATCH)) {
    await enqueueAll(
      env,
      refreshDriveFilesJob,
      ids.map((contextId) => ({ contextId })),
    );
    if (ids.length < BATCH) return;
  }
}
