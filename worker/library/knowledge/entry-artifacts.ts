/** Artifacts of entries: each reader has those of them that they may read themselves, whoever's the entry is. */
import type { KnowledgeArtifact } from "#shared/entities/library/knowledge.ts";
import { findBody } from "#worker/library/artifacts/bodies.ts";
import { findAccessibleArtifacts } from "#worker/library/artifacts/access/access.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { selectEntryArtifacts } from "./queries.ts";

/** Bytes of text that an entry's artifacts are shown with: they are in memory at once. */
const TEXTS_BYTES = 10_000_000;

/**
 * An artifact of an entry as its reader has it: `body` names its text, of `size` bytes; `isIndexed` where any version of it can be found,
 * `staleSince` as in its row.
 */
export type EntryArtifact = Omit<KnowledgeArtifact, "content" | "is_complete"> & {
  context_id: string;
  version: number;
  body: string;
  size: number;
  isIndexed: boolean;
  staleSince: string | null;
};

/** What these entries hold of artifacts: those that a user may read, and the ids of those that they may not, which holds for everybody once one is gone. */
export type EntryArtifacts = { readable: EntryArtifact[]; hidden: { context_id: string; artifact_id: string }[] };

/** The artifacts of these entries, in the order in which they were added. */
export async function readEntryArtifacts(db: Database, userId: string, entryIds: readonly string[]): Promise<EntryArtifacts> {
  const rows = entryIds.length === 0 ? [] : await selectEntryArtifacts(db, entryIds);
  const accessible = await findAccessibleArtifacts(db, userId, [...new Set(rows.map(({ artifact_id: id }) => id))]);
  const byId = new Map(accessible.map(({ row }) => [row.id, row]));
  const found: EntryArtifacts = { readable: [], hidden: [] };
  for (const { context_id, artifact_id, indexed_version: indexed, stale_since: stale } of rows) {
    const artifact = byId.get(artifact_id);
    if (!artifact) {
      found.hidden.push({ context_id, artifact_id });
      continue;
    }
    found.readable.push({
      context_id,
      artifact_id,
      title: artifact.title,
      preview: artifact.preview,
      sync_status: stale === null && indexed === artifact.version ? "synced" : "pending",
      version: artifact.version,
      body: artifact.body,
      size: artifact.size,
      isIndexed: indexed !== null,
      staleSince: stale,
    });
  }
  return found;
}

/** As the API says it, with their texts. */
export function withTexts(env: Env, held: readonly EntryArtifact[]): Promise<KnowledgeArtifact[]> {
  let left = TEXTS_BYTES;
  return Promise.all(
    held.map(async ({ artifact_id, title, preview, sync_status, body, size }) => {
      left -= size;
      // A text that a later save has tidied away is the next answer's.
      const text = left < 0 ? null : await findBody(env, artifact_id, body);
      return { artifact_id, title, content: text ?? preview, is_complete: text !== null, preview, sync_status };
    }),
  );
}
