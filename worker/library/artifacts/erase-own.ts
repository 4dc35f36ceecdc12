import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { forgetArtifact } from "#worker/library/knowledge-artifacts/knowledge-artifacts.ts";
import { removeArtifact } from "./artifacts.ts";
import { notifyOfArtifact } from "./notify.ts";
import { selectOwnIds } from "./queries.ts";

/** Deletes some of the artifacts of a person whose account is deleted, and notifies those who could read them; true while some may be left. */
export async function eraseOwnArtifacts(env: Env, db: Database, userId: string, limit: number): Promise<boolean> {
  const ids = await selectOwnIds(db, userId, limit);
  for (const artifactId of ids) {
    // The entries of others that hold it no longer find it; the index goes before the row that says who holds it.
    await forgetArtifact(env, db, artifactId);
    const readerIds = await removeArtifact(env, db, userId, artifactId);
    await notifyOfArtifact(
      env,
      readerIds.filter((id) => id !== userId),
      { artifactId, version: null },
    );
  }
  return ids.length === limit;
}
