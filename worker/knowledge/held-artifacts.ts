/** Artifacts of entries: each reader has those of them that they may read themselves, whoever's the entry is. */
import type { KnowledgeArtifact } from "#shared/entities/library/knowledge.ts";
import { findBody } from "../artifacts/bodies.ts";
import { reachArtifacts } from "../artifacts/reach/reach.ts";
import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { selectAllHeld } from "./queries.ts";

/** Bytes of text that an entry's artifacts are shown with: they are in memory at once. */
const TEXTS_BYTES = 10_000_000;

/**
 * An artifact of an entry as its reader has it: `body` names its text, of `size` bytes; `isIndexed` where any version of it can be found,
 * `staleSince` as in its row.
 */
export type HeldArtifact = Omit<KnowledgeArtifact, "content" | "is_whole"> & {
  context_id: string;
  version: number;
  body: string;
  size: number;
  isIndexed: boolean;
  staleSince: string | null;
};

/** What these entries hold of artifacts: those that a user may read, and the ids of those that they may not, which holds for everybody once one is gone. */
export type HeldArtifacts = { readable: HeldArtifact[]; hidden: { context_id: string; artifact_id: string }[] };

/** The artifacts of these entries, in the order in which they were added. */
export async function readHeld(db: Database, userId: string, contextIds: readonly string[]): Promise<HeldArtifacts> {
  const rows = contextIds.length === 0 ? [] : await selectAllHeld(db, contextIds);
  const reached = await reachArtifacts(db, userId, [...new Set(rows.map(({ artifact_id: id }) => id))]);
  const byId = new Map(reached.map(({ row }) => [row.id, row]));
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
      preview: artifact.preview,
      sync_status: stale === null && indexed === artifact.version ? "synced" : "pending",
      version: artifact.version,
      body: artifact.body,
      size: artifact.size,
      isIndexed: indexed !== null,
      staleSince: stale,
    });
  }
  return held;
}

/** As the API says it, with their texts. */
export function withTexts(env: Env, held: readonly HeldArtifact[]): Promise<KnowledgeArtifact[]> {
  let left = TEXTS_BYTES;
  return Promise.all(
    held.map(async ({ artifact_id, title, preview, sync_status, body, size }) => {
      left -= size;
      // A text that a later save has tidied away is the next answer's.
      const text = left < 0 ? null : await findBody(env, artifact_id, body);
      return { artifact_id, title, content: text ?? preview, is_whole: text !== null, preview, sync_status };
    }),
  );
}
