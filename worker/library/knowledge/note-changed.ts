import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { hubOf } from "#worker/people/hub/stub.ts";

/** Notifies a user's tabs that their knowledge changed. Never throws: a tab that was missed reads again before long. */
export async function notifyKnowledgeChanged(env: Env, userId: string): Promise<void> {
  try {
    await hubOf(env, userId).noteContentChanged("knowledge");
  } catch (cause) {
    log.warn("tabs were not notified of knowledge", { cause });
  }
}
