import * as z from "zod/mini";
import type { Env } from "../env.ts";
import { enqueue, job } from "../jobs/job.ts";
import { log } from "../log.ts";
import type { UserHubRpc } from "./rpc.ts";

/** The hub of a user. */
export function hubOf(env: Env, userId: string): DurableObjectStub<UserHubRpc> {
  return env.USER_HUB.getByName(userId);
}

/** Once something is set that a person's messages go by: what read it before is not relied on, at once or after a job has told their hub. */
export async function noteSettingsChange(env: Env, userId: string): Promise<void> {
  try {
    await hubOf(env, userId).noteSettingsChange();
  } catch (cause) {
    log.error("a hub did not hear that settings may have changed", { userId, cause });
    await enqueue(env, noteSettingsChangeJob, { userId });
  }
}

/** Goes on with telling a hub that could not be reached. */
export const noteSettingsChangeJob = job("settings.changed", z.object({ userId: z.string() }), (env, { userId }) =>
  hubOf(env, userId).noteSettingsChange(),
);
