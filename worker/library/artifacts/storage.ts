/** What artifacts take of their owners' storage: the texts of their histories, and pictures. */
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { refuseStorage } from "#worker/people/hub/storage.ts";
import { ARTIFACT_STORAGE } from "#worker/people/hub/rpc.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { sumStored } from "./queries.ts";

type Added = { ownerId: string; userId: string; bytes: number };

/**
 * Refuses what the owner's storage has no room for. Texts are small beside it: what several savers add at the same moment may pass it by
 * as much, and none of them writes a row to ask; pictures hold their room (`withinStorage`), as do copies. Throws STORAGE_FULL.
 */
export async function refuseBeyondStorage(env: Env, { ownerId, userId, bytes }: Added): Promise<void> {
  if (bytes <= 0) return;
  const used = await hubOf(env, ownerId).storedBytes();
  refuseStorage({ ownerId, userId, used, bytes, of: "this artifact" });
}

/** Says to an owner's hub what their artifacts take. Never throws: the next change says it again. */
export async function reportArtifactStorage(env: Env, db: Database, ownerId: string): Promise<void> {
  try {
    const seq = Date.now();
    await hubOf(env, ownerId).keepStored({ chatId: ARTIFACT_STORAGE, bytes: await sumStored(db, ownerId), seq });
  } catch (cause) {
    log.warn("what artifacts take was not counted", { cause });
  }
}
