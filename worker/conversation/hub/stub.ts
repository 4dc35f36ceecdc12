import type { Env } from "#worker/platform/env.ts";
import { stubOf } from "#worker/platform/durable-objects.ts";
import type { UserHubRpc } from "./rpc.ts";

/** The hub of a user. */
export function hubOf(env: Env, userId: string): DurableObjectStub<UserHubRpc> {
  return stubOf<UserHubRpc>(env.USER_HUB, userId);
}
