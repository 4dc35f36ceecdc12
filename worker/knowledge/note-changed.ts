import type { Env } from "../env.ts";
import { log } from "../log.ts";
import { hubOf } from "../user-hub/stub.ts";

/** Notifies a user's tabs that their knowledge changed. Never throws: a tab that was missed reads again before long. */
export async function noteChanged(env: Env, userId: string): Promise<void> {
  try {
    await hubOf(env, userId).noteContentChanged("knowledge");
  } catch (cause) {
    log.warn("tabs were not notified of knowledge", { cause });
  }
}
