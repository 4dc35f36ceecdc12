/** The numbers by which answers cite what they rest on: along a path each stands for one source, as a model reads earlier ones again. */
import type { Citation } from "#shared/entities/message.ts";
import { DRIVE_CONTEXT, readKnowledgeAddress } from "#shared/knowledge-citations.ts";
import { citedNumbers } from "#shared/markdown/citation-marks.ts";
import { citationsOf, type PathRow } from "#worker/conversation/turn/path.ts";
import { isImportedChat } from "../chat.ts";

/** Keeps a number from being given again, for a source that is none of the reader's or that the answer does not name. */
const TAKEN: Citation = { url: "", title: null };

/** Marks of citations have three digits; behind so many sources their numbers begin again. */
const NUMBERS_MAX = 900;

type Cited = Pick<PathRow, "citations" | "payer_id">;

/** Whose sources they are, and which knowledge they may use now; null where that is not known yet. */
type Reader = { userId: string; contextIds: readonly string[] | null };

/**
 * What the answers of a path cite, by number; of turns that somebody else asked for, of a file, and of knowledge that is the reader's no more,
 * the numbers alone.
 */
export function sourcesOfPath(sql: SqlStorage, path: readonly Cited[], { userId, contextIds }: Reader): Citation[] {
  const isFromFile = isImportedChat(sql);
  const isTheirs = (citation: Citation) => {
    const place = readKnowledgeAddress(citation.url);
    return place === null || place.entryId === DRIVE_CONTEXT || contextIds === null || contextIds.includes(place.entryId);
  };
  return joinSources(
    path.map((row) => {
      const isOwn = row.payer_id === userId && !isFromFile;
      return citationsOf(row).map((citation) => (isOwn && isTheirs(citation) ? citation : TAKEN));
    }),
  );
}

/** Sources of several answers by number; where two have the same, the first one's. */
export function joinSources(answers: readonly (readonly Citation[])[]): Citation[] {
  const sources: Citation[] = [];
  for (const cited of answers)
    for (const [index, source] of cited.entries()) if ((sources[index] ?? TAKEN).url === "") sources[index] = source;
  return sources.length > NUMBERS_MAX ? [] : sources;
}

/** What the path that ends with this message cites. */
export function sourcesUpTo(sql: SqlStorage, leafId: string, userId: string): Citation[] {
  const path = sql
    .exec<Cited>(
      `WITH RECURSIVE path(seq, parent_id, depth) AS (
         SELECT seq, parent_id, 0 FROM messages WHERE id = ?
         UNION ALL SELECT m.seq, m.parent_id, depth + 1 FROM path CROSS JOIN messages m ON m.id = path.parent_id
       )
       SELECT m.citations, m.payer_id FROM path CROSS JOIN messages m ON m.seq = path.seq WHERE m.citations IS NOT NULL ORDER BY depth DESC`,
      leafId,
    )
    .toArray();
  return sourcesOfPath(sql, path, { userId, contextIds: null });
}

/** An answer's sources, without those of the first `before` that none of these texts refers to. */
export function withoutUnused(citations: readonly Citation[], before: number, texts: readonly string[]): Citation[] {
  const used = new Set(texts.flatMap((text) => citedNumbers(text, citations.length)));
  const kept = citations.map((citation, index) => (index < before && !used.has(index + 1) ? TAKEN : citation));
  return kept.slice(0, kept.findLastIndex(({ url }) => url !== "") + 1);
}
