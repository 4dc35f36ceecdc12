/**
 * The artifacts that a user may read, by words of their titles and texts. What there is the relational database says anew with each
 * burst of searches, so that what was shared or taken back is found or not at once; texts are read as they change.
 */
import type { ArtifactHit } from "#shared/contracts/search.ts";
import { parseSearch } from "#shared/search/search-query.ts";
import { readText, type ReadableArtifact, readableArtifacts } from "#worker/artifacts/reach/readable.ts";
import type { Env } from "#worker/env.ts";
import { log } from "#worker/log.ts";
import { markAll, markSnippet } from "./search-marked.ts";
import { matchAnywhere, soughtIn, withoutShortPrefixes } from "./search-match.ts";
import { ARTIFACT_TABLES } from "./search-schema.ts";
import { composed, wordsOf } from "#worker/search/search-tokens.ts";

/** How long the database's word of what there is counts, in milliseconds: as long as somebody types. */
const LISTED_MS = 1_000;
/** Texts read by one search, and how many at once; an object has six connections. */
const READ_MAX = 60;
const AT_ONCE = 6;

export type ArtifactSearch = {
  /** What is sought, the last changed first; `isComplete` is false while texts are left to be read. */
  find(q: string, limit: number): Promise<{ artifacts: ArtifactHit[]; isComplete: boolean }>;
};

type Deps = { storage: DurableObjectStorage; env: Env; userId: string };

/** The search of one user's artifacts. */
export function createArtifactSearch({ storage, env, userId }: Deps): ArtifactSearch {
  const { sql } = storage;
  let listedAt = 0;
  let unread: ReadableArtifact[] = [];

  async function list(): Promise<void> {
    if (Date.now() - listedAt < LISTED_MS) return;
    const all = await readableArtifacts(env, userId);
    sql.exec(ARTIFACT_TABLES);
    const held = new Map(
      sql
        .exec<{ artifact_id: string; number: number; mark: string }>("SELECT artifact_id, number, mark FROM search_artifacts")
        .toArray()
        .map((row) => [row.artifact_id, row]),
    );
    unread = all.filter((artifact) => held.get(artifact.id)?.mark !== markOf(artifact));
    const there = new Set(all.map(({ id }) => id));
    storage.transactionSync(() => {
      for (const { artifact_id: id, number } of held.values()) if (!there.has(id)) drop(number);
    });
    listedAt = Date.now();
  }

  async function readTexts(): Promise<void> {
    const now = unread.slice(0, READ_MAX);
    for (let next = 0; next < now.length; next += AT_ONCE) await Promise.all(now.slice(next, next + AT_ONCE).map(take));
    unread = unread.slice(now.length);
  }

  async function take(artifact: ReadableArtifact): Promise<void> {
    try {
      const text = composed((await readText(env, artifact)) ?? "");
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
        composed(title),
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
    async find(q, limit) {
      const query = parseSearch(q, { now: Date.now(), offsetMinutes: 0 });
      const sought = soughtIn(query.terms);
      const match = matchAnywhere(sought);
      // Filters are about chats.
      if (match === null || query.in.length + query.is.length + query.from.length > 0) return { artifacts: [], isComplete: true };
      await list();
      await readTexts();
      const rows = sql
        .exec<{ artifact_id: string; at: string; title: string; text: string }>(
          `SELECT a.artifact_id, a.at, a.title, a.text FROM search_artifact_words w JOIN search_artifacts a ON a.number = w.rowid
           WHERE search_artifact_words MATCH ? ORDER BY a.at DESC LIMIT ?`,
          match,
          limit,
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

/** What changes whenever the title or the text does. */
function markOf({ version, title }: ReadableArtifact): string {
  return `${version} ${title}`;
}
