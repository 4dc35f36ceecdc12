import type { Env } from "../env.ts";
import type { UserHubRpc } from "./rpc.ts";

/** The hub of a user. */
export function hubOf(env: Env, userId: string): DurableObjectStub<UserHubRpc> {
  return env.USER_HUB.getByName(userId);
}
