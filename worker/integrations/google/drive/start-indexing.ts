import { openDatabase } from "#worker/platform/db/client.ts";
import { driveIndexOf } from "#worker/integrations/google/drive/drive-index/stub.ts";
import type { Env } from "#worker/platform/env.ts";
import { continueIndexing } from "./continue-indexing.ts";
import { insertIndex } from "./queries.ts";

/** Has a person's Drive indexed, with what changed since the last time; a run that goes on goes on. */
export async function startIndexing(env: Env, owner: { userId: string; isAsked: boolean }): Promise<void> {
  const { userId } = owner;
  await insertIndex(openDatabase(env.DB), userId);
  const { run, isNew } = await driveIndexOf(env, userId).begin(owner);
  if (isNew) await continueIndexing(env, { userId, run, phase: "listing", lanes: [] });
}
