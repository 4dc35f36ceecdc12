import { openDatabase } from "../db/client.ts";
import { DELETED_USER } from "#shared/deleted-user.ts";
import type { Env } from "../env.ts";
import { enqueue } from "../jobs/job.ts";
import { eraseEntries } from "../knowledge/purge-entry.ts";
import { eraseAccountJob } from "./erase-account.ts";
import { selectStill, selectUnshared, touchDeletion } from "./queries.ts";
import { dropLeft } from "./rows.ts";

/** A deletion that nothing was heard of for so long, in milliseconds, lost its job; it rests for ten minutes between its passes. */
const STILL_MS = 30 * 60_000;
const A_RUN = 100;

/** Takes up deletions whose jobs were lost or given up. */
export async function resumeDeletions(env: Env): Promise<void> {
  const db = openDatabase(env.DB);
  const now = Date.now();
  for (const userId of await selectStill(db, new Date(now - STILL_MS).toISOString(), A_RUN)) {
    await enqueue(env, eraseAccountJob, { userId });
    await touchDeletion(db, userId, new Date(now).toISOString());
  }
}

/** Deletes what a deleted account had left to a team that is gone by now. */
export async function purgeLeft(env: Env): Promise<void> {
  const db = openDatabase(env.DB);
  await dropLeft(db);
  await eraseEntries(env, db, await selectUnshared(db, DELETED_USER.id, A_RUN));
}
