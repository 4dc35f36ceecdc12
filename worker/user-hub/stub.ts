import type { Env } from "../env.ts";
import type { UserHub } from "./user-hub.ts";

/** The hub of a user. */
export function hubOf(env: Env, userId: string): DurableObjectStub<UserHub> {
  return env.USER_HUB.getByName(userId);
}
