/** Artifacts as parts of knowledge entries, as far as the artifacts themselves ask for it: how each is read stands in knowledge/. */
import * as z from "zod/mini";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, enqueueAll, type JobKind } from "#worker/platform/jobs/job.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";
import { deleteAttached, markStale, selectHolders } from "./queries.ts";

/** Saves while somebody writes are read together, so many seconds after the first of them. */
const WRITING_SECONDS = 10;
/** A job that has not come after so many milliseconds never will. */
const LOST_MS = 10 * 60_000;
/** Messages of one batch. */
const BATCH = 100;

const Name = z.object({ contextId: z.string(), artifactId: z.string() });

type EntryArtifact = { entryId: string; artifactId: string };

/** Puts an artifact as it is now into an entry's index (knowledge/index-artifact.ts). */
export const INDEX_ARTIFACT: JobKind<z.infer<typeof Name>> = { kind: "knowledge.artifact", queue: "JOBS", payload: Name };

/** Has an artifact that is new in an entry read. */
export async function queueArtifactIndexing(env: Env, { entryId, artifactId }: EntryArtifact): Promise<void> {
  await enqueue(env, INDEX_ARTIFACT, { contextId: entryId, artifactId });
}

/** Has an artifact that changed read again for each entry that holds it. */
export async function reindexArtifact(env: Env, db: Database, artifactId: string): Promise<void> {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const entryIds = await markStale(db, artifactId, { at, lost: new Date(now - LOST_MS).toISOString() });
  for (let next = 0; next < entryIds.length; next += BATCH) {
    const names = entryIds.slice(next, next + BATCH).map((entryId) => ({ contextId: entryId, artifactId }));
    await enqueueAll(env, INDEX_ARTIFACT, names, { delaySeconds: WRITING_SECONDS });
  }
}

/** Takes an artifact out of an entry with all that was read of it; false where it is no part of it. Its row hides what was read of it: it goes last. */
export async function detachArtifact(env: Env, db: Database, name: EntryArtifact): Promise<boolean> {
  await indexOf(env, name.entryId).remove(name.artifactId);
  return deleteAttached(db, name);
}

/** Takes an artifact that was deleted out of all entries. */
export async function forgetArtifact(env: Env, db: Database, artifactId: string): Promise<void> {
  for (const entryId of await selectHolders(db, artifactId)) await detachArtifact(env, db, { entryId, artifactId });
}
