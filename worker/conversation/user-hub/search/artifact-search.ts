/**
 * The artifacts that a user may read, by words of their titles and texts. What there is the relational database says again with each
 * burst of searches, so what was shared or taken back is found or not at once; texts are read as they change.
 */
import type { ArtifactHit } from "#shared/contracts/search.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import { parseSearch } from "#shared/search/search-query.ts";
import { readText, type ReadableArtifact, readableArtifacts } from "#worker/library/artifacts/access/readable.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { markAll, markSnippet } from "./search-marked.ts";
import { matchAnywhere, toSoughtTerms, withoutShortPrefixes } from "./search-match.ts";
import { ARTIFACT_TABLES } from "./search-schema.ts";
import { withComposedAccents, wordsOf } from "#worker/platform/db/search-tokens.ts";

/** How long the database's word of what there is counts, in milliseconds: as long as somebody types. */
const LISTED_MS = 1_000;
/** Texts read by one search, and how many at once; an object has six connections. */
const READ_MAX = 60;
const AT_ONCE = 6;

export type ArtifactSearch = {
  /** What is sought in a workspace, the last changed first; `isComplete` is false while texts are left to be read. */
  find(q: string, input: { workspace: WorkspaceId; limit: number }): Promise<{ artifacts: ArtifactHit[]; isComplete: boolean }>;
  /** An artifact changed: the database is asked again by the next search. */
  noteChange(): void;
};

type Deps = { storage: DurableObjectStorage; env: Env; userId: string };

/** The search of one user's artifacts. */
export function createArtifactSearch({ storage, env, userId }: Deps): ArtifactSearch {
  const { sql } = storage;
  let listedAt = 0;
  let changes = 0;
  let unread: ReadableArtifact[] = [];
  /** Of each artifact, those of its reader's teams that it is shared with. */
  let teamsOf = new Map<string, readonly string[]>();

  async function list(): Promise<void> {
    sql.exec(ARTIFACT_TABLES);
    if (Date.now() - listedAt < LISTED_MS) return;
    const known = changes;
    const all = await readableArtifacts(env, userId);
    const indexed = new Map(
      sql
        .exec<{ artifact_id: string; number: number; mark: string }>("SELECT artifact_id, number, mark FROM search_artifacts")
        .toArray()
        .map((row) => [row.artifact_id, row]),
    );
    unread = all.filter((artifact) => indexed.get(artifact.id)?.mark !== markOf(artifact));
    teamsOf = new Map(all.map(({ id, teamIds }) => [id, teamIds]));
    storage.transactionSync(() => {
      for (const { artifact_id: id, number } of indexed.values()) if (!teamsOf.has(id)) drop(number);
    });
    if (changes === known) listedAt = Date.now();
  }

  async function readTexts(): Promise<void> {
    const now = unread.slice(0, READ_MAX);
    for (let next = 0; next < now.length; next += AT_ONCE) await Promise.all(now.slice(next, next + AT_ONCE).map(take));
    // Another search may have listed them again meanwhile.
    unread = unread.filter((artifact) => !now.includes(artifact));
  }

  async function take(artifact: ReadableArtifact): Promise<void> {
    try {
      const text = withComposedAccents((await readText(env, artifact)) ?? "");
      storage.transactionSync(() => put(artifact, text));
    } catch (cause) {
      log.warn("an artifact's text was not read for search", { artifactId: artifact.id, cause });
    }
  }

  function put(artifact: ReadableArtifact, text: string): void {
    const { id, title, updated_at: at } = artifact;
    const before = sql.exec<{ number: number }>("SELECT number FROM search_artifacts WHERE artifact_id = ?", id).toArray()[0];
    if (before) drop(before.number);
    const { number } = sql
      .exec<{ number: number }>(
        "INSERT INTO search_artifacts (artifact_id, mark, at, title, text) VALUES (?, ?, ?, ?, ?) RETURNING number",
        id,
        markOf(artifact),
        at,
        withComposedAccents(title),
        text,
      )
      .one();
    const words = [wordsOf(title).join(" "), wordsOf(text).join(" ")];
    sql.exec("INSERT INTO search_artifact_words (rowid, title, text) VALUES (?, ?, ?)", number, ...words);
  }

  function drop(number: number): void {
    sql.exec("DELETE FROM search_artifact_words WHERE rowid = ?", number);
    sql.exec("DELETE FROM search_artifacts WHERE number = ?", number);
  }

  return {
    noteChange() {
      changes += 1;
      listedAt = 0;
    },
    async find(q, { workspace, limit }) {
      const query = parseSearch(q, { now: Date.now(), offsetMinutes: 0 });
      const sought = toSoughtTerms(query.terms);
      const match = matchAnywhere(sought);
      // Filters are about chats.
      if (match === null || query.in.length + query.tag.length + query.is.length + query.from.length > 0)
        return { artifacts: [], isComplete: true };
      await list();
      await readTexts();
      const places = sql.exec<{ number: number; artifact_id: string }>(
        `SELECT a.number, a.artifact_id FROM search_artifact_words w JOIN search_artifacts a ON a.number = w.rowid
         WHERE search_artifact_words MATCH ? ORDER BY a.at DESC`,
        match,
      );
      const numbers: number[] = [];
      for (const { number, artifact_id: id } of places) {
        // What was lost since its text was asked for is in no list.
        const teamIds = teamsOf.get(id);
        if (teamIds && isIn(workspace, teamIds)) numbers.push(number);
        if (numbers.length === limit) break;
      }
      const rows = sql
        .exec<{ artifact_id: string; at: string; title: string; text: string }>(
          `SELECT artifact_id, at, title, text FROM search_artifacts
           WHERE number IN (SELECT value FROM json_each(?)) ORDER BY at DESC`,
          JSON.stringify(numbers),
        )
        .toArray();
      const artifacts = rows.map(({ artifact_id: id, at, title, text }) => ({
        id,
        time: at,
        title: markAll(title, sought),
        snippet: markSnippet(text, withoutShortPrefixes(sought)),
      }));
      return { artifacts, isComplete: unread.length === 0 };
    },
  };
}

/** The workspace of one's own is what none of one's teams shares, as in the lists. */
function isIn(workspace: WorkspaceId, teamIds: readonly string[]): boolean {
  if (workspace === "all") return true;
  return workspace === "personal" ? teamIds.length === 0 : teamIds.includes(workspace);
}

/** What changes whenever the title or the text does. */
function markOf({ version, title }: ReadableArtifact): string {
  return `${version} ${title}`;
}
