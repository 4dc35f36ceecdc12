import type { DriveRun } from "../drive-index/rpc.ts";
import type { Env } from "../env.ts";
import { loadOnce } from "../load-once.ts";

const jobs = loadOnce(() => import("./jobs.ts"));

/** Has a run of a person's index go on in the phase in which it stopped. */
export async function goOn(env: Env, run: DriveRun): Promise<void> {
  await (await jobs()).continueRun(env, run);
}
