import * as z from "zod/mini";
import { type Database, openDatabase } from "../db/client.ts";
import type { Env } from "../env.ts";
import { enqueue, job } from "../jobs/job.ts";
import { log } from "../log.ts";
import { dropBodies } from "./bodies.ts";
import { deleteVersions, selectForThinning } from "./queries.ts";
import { versionsToDrop } from "./thin-versions.ts";

/** Later than the texts that a sitting's saves replaced are kept for saves begun from them, in seconds. */
const AFTER_SITTING_SECONDS = 2 * 60 * 60;

/** Forgets the versions of an artifact that are not kept, and their texts. Never throws: what it follows is saved, and the next time tries again. */
export async function tidy(env: Env, db: Database, id: string): Promise<void> {
  try {
    const gone = versionsToDrop(await selectForThinning(db, id), Date.now());
    if (gone.length === 0) return;
    const [versions, bodies] = [gone.map(({ version }) => version), gone.map(({ body }) => body)];
    await deleteVersions(db, id, versions);
    await dropBodies(env, id, bodies);
  } catch (cause) {
    log.warn("an artifact's old versions were not tidied away", { artifactId: id, cause });
  }
}

/** Has an artifact tidied up once a sitting is over for long: no further save may come to do it. Never throws, as what it follows is saved. */
export async function tidyAfterSitting(env: Env, artifactId: string): Promise<void> {
  try {
    await enqueue(env, tidyArtifactJob, { artifactId }, { delaySeconds: AFTER_SITTING_SECONDS });
  } catch (cause) {
    log.warn("an artifact is not tidied up after its sitting", { artifactId, cause });
  }
}

/** Tidies up after a sitting; a repeat finds nothing to do. */
export const tidyArtifactJob = job("artifacts.tidy", z.object({ artifactId: z.string() }), (env, { artifactId }) =>
  tidy(env, openDatabase(env.DB), artifactId),
);
