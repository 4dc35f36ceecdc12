import * as z from "zod/mini";
import { openDatabase } from "../db/client.ts";
import { driveIndexOf } from "../drive-index/stub.ts";
import type { Env } from "../env.ts";
import { enqueue, job } from "../jobs/job.ts";
import { deleteFolders, deleteIndex } from "./queries.ts";
import { dropShards } from "./shards.ts";

/** After so many seconds what was being read as it was forgotten has come, or never will. */
const SWEEP_SECONDS = 60;

/** Forgets the index of a person's Drive with all that was read into it, and follows no folder of it any more. Files that they took into their knowledge are theirs, and stay. */
export async function forgetDrive({ env, userId }: { env: Env; userId: string }): Promise<void> {
  const db = openDatabase(env.DB);
  await enqueue(env, sweepDriveJob, { userId }, { delaySeconds: SWEEP_SECONDS });
  // Without it nothing of a run that goes on is kept.
  await driveIndexOf(env, userId).drop();
  await dropShards(env, userId);
  await deleteFolders(db, userId);
  await deleteIndex(db, userId);
}

/** Forgets what came to an index after it was forgotten; one that was begun anew is left alone. */
export const sweepDriveJob = job("drive.sweep", z.object({ userId: z.string() }), async (env, { userId }) => {
  if ((await driveIndexOf(env, userId).state()) === null) await dropShards(env, userId);
});
