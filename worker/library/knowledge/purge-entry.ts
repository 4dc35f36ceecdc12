import * as z from "zod/mini";
import { deleteFolder } from "#worker/library/attachments/attachment-keys.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { dropIndex } from "./index-sources.ts";
import { folderOf } from "./keys.ts";
import { deleteKnowledgeRow, selectEntry } from "./queries.ts";

/** After so many seconds what was on its way to an entry as it was deleted has come, or never will. */
const SWEEP_SECONDS = 60;

/** Deletes all that an entry held besides its rows. */
export async function deleteContents(env: Env, entryId: string): Promise<void> {
  await Promise.all([deleteFolder(env.FILES, folderOf(entryId)), dropIndex(env, entryId)]);
}

/** Has what a deleted entry held looked for once more, whatever becomes of the deletion. */
export async function purgeLater(env: Env, entryId: string): Promise<void> {
  await enqueue(env, purgeKnowledgeJob, { contextId: entryId }, { delaySeconds: SWEEP_SECONDS });
}

/** Deletes what is left of a deleted entry; one that is still there is left alone. */
export const purgeKnowledgeJob = job("knowledge.purge", z.object({ contextId: z.string() }), async (env, { contextId: entryId }) => {
  if (!(await selectEntry(openDatabase(env.DB), entryId))) await deleteContents(env, entryId);
});

/** Deletes these entries with all that they hold: their owner's account is deleted. */
export async function eraseEntries(env: Env, db: Database, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await purgeLater(env, id);
    await deleteContents(env, id);
    await deleteKnowledgeRow(db, id);
  }
}
