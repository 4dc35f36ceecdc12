import * as z from "zod/mini";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { reindexArtifact } from "#worker/library/knowledge-artifacts/knowledge-artifacts.ts";
import { log } from "#worker/platform/log.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { readReaderIds } from "./access/access.ts";

/** Hubs asked at once; a Worker has six connections. */
const HUBS_AT_ONCE = 6;
/** Readers that hear of a change at once, and in one job. */
const AT_ONCE = 60;
const PAGE = 500;

/** `version` is null where the artifact is gone, or no longer theirs to read. */
type ArtifactUpdate = { artifactId: string; version: number | null };

/** Notifies these people that an artifact changed. Nobody's change fails for it: lists are read again before long. */
export async function notifyOfArtifact(env: Env, userIds: readonly string[], { artifactId, version }: ArtifactUpdate): Promise<void> {
  for (let next = 0; next < userIds.length; next += HUBS_AT_ONCE) {
    const outcomes = await Promise.allSettled(
      userIds.slice(next, next + HUBS_AT_ONCE).map((userId) => hubOf(env, userId).noteArtifactChanged(artifactId, version)),
    );
    for (const outcome of outcomes)
      if (outcome.status === "rejected") log.warn("a reader was not notified of an artifact", { cause: outcome.reason });
  }
}

/** Notifies all readers of an artifact of a new version: the first ones at once, those of large teams by a job. Knowledge that holds it reads it again. */
export async function notifyReaders(env: Env, db: Database, update: ArtifactUpdate): Promise<void> {
  try {
    const userIds = await readReaderIds(db, update.artifactId, { after: "", limit: AT_ONCE });
    await notifyOfArtifact(env, userIds, update);
    const last = userIds.at(-1);
    if (userIds.length === AT_ONCE && last !== undefined) await enqueue(env, notifyReadersJob, { ...update, after: last });
  } catch (cause) {
    log.warn("readers were not notified of an artifact", { artifactId: update.artifactId, cause });
  }
  try {
    await reindexArtifact(env, db, update.artifactId);
  } catch (cause) {
    log.warn("knowledge was not notified of an artifact", { artifactId: update.artifactId, cause });
  }
}

const NotifyReadersInput = z.object({ artifactId: z.string(), version: z.nullable(z.number()), after: z.string() });

/** Goes on notifying the readers of an artifact, a page a job. */
export const notifyReadersJob = job("artifacts.tell", NotifyReadersInput, async (env, { artifactId, version, after }) => {
  const userIds = await readReaderIds(openDatabase(env.DB), artifactId, { after, limit: PAGE });
  await notifyOfArtifact(env, userIds, { artifactId, version });
  const last = userIds.at(-1);
  if (userIds.length === PAGE && last !== undefined) await enqueue(env, notifyReadersJob, { artifactId, version, after: last });
});
