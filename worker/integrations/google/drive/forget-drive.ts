import * as z from "zod/mini";
import { openDatabase } from "#worker/platform/db/client.ts";
import { driveIndexOf } from "#worker/integrations/google/drive/drive-index/stub.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";
import { deleteFolders, deleteIndex } from "./queries.ts";
import { dropShards, shardOf, shardsOf } from "./index-shards.ts";

/** After so many seconds what was being read as it was forgotten has come, or never will. */
const SWEEP_SECONDS = 60;

/** Forgets the index of a person's Drive with all that was read into it, and follows no folder of it any more. Files that they took into their knowledge are theirs, and stay. */
export async function forgetDrive({ env, userId }: { env: Env; userId: string }): Promise<void> {
  await enqueue(env, sweepDriveJob, { userId }, { delaySeconds: SWEEP_SECONDS });
  // Without it nothing of a run that goes on is kept.
  await driveIndexOf(env, userId).drop();
  await deleteIndexContents(env, userId);
}

/** Forgets what was read into a person's index, and that they have one. */
export async function deleteIndexContents(env: Env, userId: string): Promise<void> {
  const db = openDatabase(env.DB);
  await dropShards(env, userId);
  await deleteFolders(db, userId);
  await deleteIndex(db, userId);
}

/** Forgets what was read of these files where the index does not know it as its own: its person disconnected meanwhile, and may have begun anew. */
export async function removeUnowned(env: Env, userId: string, ids: string[]): Promise<void> {
  const index = driveIndexOf(env, userId);
  if ((await index.state()) === null) return dropShards(env, userId);
  const own = new Set(await index.ownAmong(ids));
  for (const id of ids) if (!own.has(id)) await indexOf(env, shardOf(userId, id)).remove(id);
}

/** Forgets what came to an index after it was forgotten, also where it was begun anew. */
export const sweepDriveJob = job("drive.sweep", z.object({ userId: z.string() }), async (env, { userId }) => {
  for (const shard of shardsOf(userId)) {
    const { documents } = await indexOf(env, shard).describe();
    const ids = documents.map(({ id }) => id);
    await removeUnowned(env, userId, ids);
  }
});
