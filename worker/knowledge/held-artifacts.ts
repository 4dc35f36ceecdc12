/** Artifacts of entries: each reader has those of them that they may read themselves, whoever's the entry is. */
import type { KnowledgeArtifact } from "#shared/entities/library/knowledge.ts";
import { reachArtifacts } from "../artifacts/reach/reach.ts";
import type { Database } from "../db/client.ts";
import { selectAllHeld } from "./queries.ts";

/** An artifact of an entry as its reader has it; `isIndexed` where any version of it can be found, `staleSince` as in its row. */
export type HeldArtifact = KnowledgeArtifact & { context_id: string; version: number; isIndexed: boolean; staleSince: string | null };

/** What these entries hold of artifacts: those that a user may read, and the ids of those that they may not, which holds for everybody once one is gone. */
export type HeldArtifacts = { readable: HeldArtifact[]; hidden: { context_id: string; artifact_id: string }[] };

/** The artifacts of these entries, in the order in which they were added. */
export async function readHeld(db: Database, userId: string, contextIds: readonly string[]): Promise<HeldArtifacts> {
  const rows = contextIds.length === 0 ? [] : await selectAllHeld(db, contextIds);
  const reached = await reachArtifacts(db, userId, [...new Set(rows.map(({ artifact_id: id }) => id))]);
  const byId = new Map(reached.map(({ shown }) => [shown.id, shown]));
  const held: HeldArtifacts = { readable: [], hidden: [] };
  for (const { context_id, artifact_id, indexed_version: indexed, stale_since: stale } of rows) {
    const artifact = byId.get(artifact_id);
    if (!artifact) {
      held.hidden.push({ context_id, artifact_id });
      continue;
    }
    held.readable.push({
      context_id,
      artifact_id,
      title: artifact.title,
      content: artifact.content_preview,
      sync_status: stale === null && indexed === artifact.version ? "synced" : "pending",
      version: artifact.version,
      isIndexed: indexed !== null,
      staleSince: stale,
    });
  }
  return held;
}

/** As the API says it. */
export function toHeld({ artifact_id, title, content, sync_status }: HeldArtifact): KnowledgeArtifact {
  return { artifact_id, title, content, sync_status };
}
