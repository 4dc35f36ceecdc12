import { openDatabase } from "#worker/platform/db/client.ts";
import { DELETED_USER } from "#shared/deleted-user.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue } from "#worker/platform/jobs/job.ts";
import { eraseEntries } from "#worker/library/knowledge/purge-entry.ts";
import { eraseAccountJob } from "./erase-account.ts";
import { selectStalled, selectTeamlessKnowledge, touchDeletion } from "./queries.ts";
import { deleteOrphanedContent } from "./rows.ts";

/** A deletion that nothing was reported of for so long, in milliseconds, lost its job; it rests for ten minutes between its passes. */
const STILL_MS = 30 * 60_000;
const A_RUN = 100;

/** Takes up some of the deletions whose jobs were lost or given up; true where there may be more. */
export async function resumeDeletions(env: Env): Promise<boolean> {
  const db = openDatabase(env.DB);
  const now = Date.now();
  const still = await selectStalled(db, new Date(now - STILL_MS).toISOString(), A_RUN);
  for (const userId of still) {
    await enqueue(env, eraseAccountJob, { userId });
    await touchDeletion(db, userId, new Date(now).toISOString());
  }
  return still.length === A_RUN;
}

/** Deletes a batch of what deleted accounts had left to teams that are gone by now; true where there may be more. */
export async function purgeOrphanedContent(env: Env): Promise<boolean> {
  const db = openDatabase(env.DB);
  const isMore = await deleteOrphanedContent(db);
  const ids = await selectTeamlessKnowledge(db, DELETED_USER.id, A_RUN);
  await eraseEntries(env, db, ids);
  return isMore || ids.length === A_RUN;
}
