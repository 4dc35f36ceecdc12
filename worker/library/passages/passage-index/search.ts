import { wordsOf } from "#worker/platform/db/search-tokens.ts";
import { fuseRanks } from "#worker/library/passages/fuse-ranks.ts";
import { passagesById } from "./documents.ts";
import type { PassageHit } from "./rpc.ts";
import { nearness, toBytes } from "#worker/library/passages/vector-bytes.ts";

/** Less near than this a passage has nothing to do with what is asked: models of embeddings put unrelated texts at about 0.1. */
const LEAST = 0.15;

type Near = { vector: readonly number[]; limit: number; documentIds: string[] | undefined };

/** The passages whose embeddings are nearest to a vector, none where nothing is near. All are compared, one at a time, so none stays in memory. */
function nearest(sql: SqlStorage, { vector, limit, documentIds }: Near): { id: number; measure: number }[] {
  const asked = new Int8Array(toBytes(vector).buffer);
  const rows =
    documentIds === undefined
      ? sql.exec<{ passage: number; vector: ArrayBuffer }>("SELECT passage, vector FROM vectors WHERE vector IS NOT NULL")
      : sql.exec<{ passage: number; vector: ArrayBuffer }>(
          `SELECT v.passage, v.vector FROM vectors v JOIN passages p ON p.id = v.passage JOIN documents d ON d.number = p.document
           WHERE v.vector IS NOT NULL AND d.id IN (SELECT value FROM json_each(?))`,
          JSON.stringify(documentIds),
        );
  const best: { passage: number; score: number }[] = [];
  for (const row of rows) {
    const score = nearness(asked, new Int8Array(row.vector));
    const worst = best.at(-1);
    if (score < LEAST || (worst && best.length >= limit && score <= worst.score)) continue;
    const at = best.findIndex((other) => other.score < score);
    best.splice(at === -1 ? best.length : at, 0, { passage: row.passage, score });
    if (best.length > limit) best.pop();
  }
  return best.map(({ passage, score }) => ({ id: passage, measure: score }));
}

/** Of each way of searching so many passages take part; more change nothing of the first ones. */
const CANDIDATES = 60;
/** Words of a query that count. */
const TERMS_MAX = 40;
/** What a word in a passage's text, above it, and in its document's name weighs. */
const WEIGHTS = "1.0, 0.7, 0.4";

/** Words that stand in nearly every text of their language and say nothing of what is asked. */
const STOP_WORDS = new Set(
  (
    "a about an and are as at be but by can could did do does for from had has have how i if in into is it its me my of on or our should so " +
    "tell than that the their them then there these they this those to was we were what when where which who why will with would you your " +
    "aber als am an auch auf aus bei bin bis das dass dem den der des die ein eine einem einen einer es für hat ich ihr im in ist kann mit " +
    "nach nicht noch oder sich sie sind so über um und uns von vor war was wer wie wir wird wo zu zum zur " +
    "au aux avec ce ces dans de des du elle est et il je la le les leur mais ne nous ou où par pas pour qu que qui sa se ses son sur un une vous " +
    "al con del el en es las lo los más no para por que se su sus un una y"
  ).split(" "),
);

type Search = { query: string; vector: readonly number[] | null; limit: number; documentIds: string[] | undefined };

/** The passages nearest to a query by their words, and by their meaning where that is known, fused by rank. */
export function searchPassages(sql: SqlStorage, { query, vector, limit, documentIds }: Search): PassageHit[] {
  const byWords = matchWords(sql, query, documentIds);
  const byMeaning = vector ? nearest(sql, { vector, limit: CANDIDATES, documentIds }) : [];
  const scores = fuseRanks([byWords, byMeaning].map((ranked) => ranked.map(({ id }) => id)));
  const best = [...scores].toSorted(([, one], [, other]) => other - one).slice(0, limit);
  const found = passagesById(
    sql,
    best.map(([id]) => id),
  );
  const [words, meaning] = [byWords, byMeaning].map((ranked) => new Map(ranked.map(({ id, measure }) => [id, measure])));
  return found.map((passage, at) => {
    const [id = -1, score = 0] = best[at] ?? [];
    return { ...passage, score, words: words?.get(id) ?? null, meaning: meaning?.get(id) ?? null };
  });
}

function matchWords(sql: SqlStorage, query: string, documentIds: string[] | undefined): { id: number; measure: number }[] {
  const match = toMatchQuery(query);
  if (match === null) return [];
  // FTS5 gives the better match the lower number.
  return sql
    .exec<{ id: number; measure: number }>(
      `SELECT w.rowid AS id, -bm25(passage_words, ${WEIGHTS}) AS measure
       FROM passage_words w JOIN passages p ON p.id = w.rowid JOIN documents d ON d.number = p.document
       WHERE passage_words MATCH ?1 AND d.id IS NOT NULL AND (?2 IS NULL OR d.id IN (SELECT value FROM json_each(?2)))
       ORDER BY bm25(passage_words, ${WEIGHTS}) LIMIT ${CANDIDATES}`,
      match,
      documentIds ? JSON.stringify(documentIds) : null,
    )
    .toArray();
}

/** What a query asks of FTS5: any of its words, quoted, so nothing typed is syntax. Null where it has none. */
export function toMatchQuery(query: string): string | null {
  const words = wordsOf(query);
  const meaningful = words.filter((word) => !STOP_WORDS.has(word));
  const terms = new Set(meaningful.length === 0 ? words : meaningful);
  // Scripts without spaces come character by character, which say little alone.
  const pairs = words.flatMap((word, at) => {
    const next = words[at + 1];
    return isSingle(word) && next !== undefined && isSingle(next) ? [`${word} ${next}`] : [];
  });
  for (const pair of pairs) for (const part of pair.split(" ")) terms.delete(part);
  const asked = [...terms, ...new Set(pairs)].slice(0, TERMS_MAX);
  return asked.length === 0 ? null : asked.map((term) => `"${term}"`).join(" OR ");
}

function isSingle(word: string): boolean {
  return /^[^\p{ASCII}]\p{M}*$/u.test(word);
}
