import type { Env } from "../env.ts";
import { hubOf } from "../user-hub/stub.ts";

/** Makes the hub of a user who is gone forget everything; may run more than once. */
export async function purgeHub(env: Env, userId: string): Promise<void> {
  try {
    await hubOf(env, userId).purge();
  } catch (error) {
    // The hub ends its own life once it is empty, which its caller sees as a broken call.
    if (!(error instanceof Error && error.message.includes("user deleted"))) throw error;
  }
}
