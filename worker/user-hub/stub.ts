import type { Env } from "../env.ts";
import { log } from "../log.ts";
import type { UserHubRpc } from "./rpc.ts";

/** The hub of a user. */
export function hubOf(env: Env, userId: string): DurableObjectStub<UserHubRpc> {
  return env.USER_HUB.getByName(userId);
}

/** Once something is set that a person's messages go by: what read it before then is not relied on. */
export async function noteSettingsChange(env: Env, userId: string): Promise<void> {
  try {
    await hubOf(env, userId).noteSettingsChange();
  } catch (cause) {
    // Messages go by what was set before for some minutes; the change itself is made.
    log.error("a hub did not hear that settings may have changed", { userId, cause });
  }
}
