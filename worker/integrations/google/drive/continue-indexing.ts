import type { DriveRun } from "#worker/integrations/google/drive/drive-index/rpc.ts";
import type { Env } from "#worker/platform/env.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

const jobs = loadOnce(() => import("./jobs.ts"));

/** Has a run of a person's index go on in the phase in which it stopped. */
export async function continueIndexing(env: Env, run: DriveRun): Promise<void> {
  await (await jobs()).continueRun(env, run);
}
