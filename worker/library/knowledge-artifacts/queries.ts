import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { knowledgeArtifacts } from "#worker/platform/db/schema/knowledge.ts";

/** Takes an artifact out of an entry; false where it is no part of it. */
export async function deleteAttached(db: Database, { entryId, artifactId }: { entryId: string; artifactId: string }): Promise<boolean> {
  const isNamed = and(eq(knowledgeArtifacts.context_id, entryId), eq(knowledgeArtifacts.artifact_id, artifactId));
  const removed = await db.delete(knowledgeArtifacts).where(isNamed).returning({ id: knowledgeArtifacts.artifact_id });
  return removed.length > 0;
}

export async function selectHolders(db: Database, artifactId: string): Promise<string[]> {
  const rows = await db
    .select({ entryId: knowledgeArtifacts.context_id })
    .from(knowledgeArtifacts)
    .where(eq(knowledgeArtifacts.artifact_id, artifactId));
  return rows.map(({ entryId }) => entryId);
}

/** Notes that an artifact changed, and returns the entries that no job is about to read again; one of before `lost` is not. */
export async function markStale(db: Database, artifactId: string, { at, lost }: { at: string; lost: string }): Promise<string[]> {
  const rows = await db
    .update(knowledgeArtifacts)
    .set({ stale_since: at })
    .where(
      and(
        eq(knowledgeArtifacts.artifact_id, artifactId),
        or(isNull(knowledgeArtifacts.stale_since), lt(knowledgeArtifacts.stale_since, lost)),
      ),
    )
    .returning({ entryId: knowledgeArtifacts.context_id });
  return rows.map(({ entryId }) => entryId);
}
