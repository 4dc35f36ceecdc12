import { openDatabase, type Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { dropBodies } from "./bodies.ts";
import { deleteVersions, selectForThinning } from "./queries.ts";
import { ARTIFACT_VERSIONS } from "#shared/limits.ts";
import * as z from "zod/mini";

/** Texts that a later save of the same sitting replaced stay so long, in milliseconds, and so many of them, for saves begun from them. */
const REPLACED_MS = 60 * 60_000;
const REPLACED_MAX = 50;

type VersionTimes = { version: number; created_at: string; replaced_at: string | null };

/** Which versions go, of all of an artifact, newest first: a hundred stay whole, of the older ones the last of each day of UTC. */
function versionsToDrop<V extends VersionTimes>(versions: readonly V[], now: number): V[] {
  const latest = versions[0]?.version ?? 0;
  const days = new Set<string>();
  let recent = 0;
  return versions.filter(({ version, created_at: at, replaced_at: replacedAt }) => {
    if (replacedAt !== null) return version < latest - REPLACED_MAX || Date.parse(replacedAt) < now - REPLACED_MS;
    recent += 1;
    if (recent <= ARTIFACT_VERSIONS) return false;
    const day = at.slice(0, 10);
    if (days.has(day)) return true;
    days.add(day);
    return false;
  });
}

/** Later than the texts that a sitting's saves replaced are kept for saves begun from them, in seconds. */
const AFTER_SITTING_SECONDS = 2 * 60 * 60;

/** Forgets the versions of an artifact that are not kept, and their texts. Never throws: what it follows is saved, and the next time tries again. */
export async function thinVersions(env: Env, db: Database, id: string): Promise<void> {
  try {
    const dropped = versionsToDrop(await selectForThinning(db, id), Date.now());
    if (dropped.length === 0) return;
    const [versions, bodies] = [dropped.map(({ version }) => version), dropped.map(({ body }) => body)];
    await deleteVersions(db, id, versions);
    await dropBodies(env, id, bodies);
  } catch (cause) {
    log.warn("an artifact's old versions were not tidied away", { artifactId: id, cause });
  }
}

/** Has an artifact tidied up once a sitting is over for long: no further save may come to do it. Never throws, as what it follows is saved. */
export async function thinVersionsLater(env: Env, artifactId: string): Promise<void> {
  try {
    await enqueue(env, tidyArtifactJob, { artifactId }, { delaySeconds: AFTER_SITTING_SECONDS });
  } catch (cause) {
    log.warn("an artifact is not tidied up after its sitting", { artifactId, cause });
  }
}

/** Tidies up after a sitting; a repeat finds nothing to do. */
export const tidyArtifactJob = job("artifacts.tidy", z.object({ artifactId: z.string() }), (env, { artifactId }) =>
  thinVersions(env, openDatabase(env.DB), artifactId),
);
