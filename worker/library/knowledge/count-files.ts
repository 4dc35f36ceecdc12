import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { KNOWLEDGE_FILES } from "#worker/people/hub/rpc.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { sumFiles } from "./queries.ts";

/** Says to a user's hub what the files of their knowledge take. Never throws: the next change says it again. */
export async function countFiles(env: Env, db: Database, userId: string): Promise<void> {
  try {
    const seq = Date.now();
    await hubOf(env, userId).keepStored({ chatId: KNOWLEDGE_FILES, bytes: await sumFiles(db, userId), seq });
  } catch (cause) {
    log.warn("files of knowledge were not counted", { cause });
  }
}
