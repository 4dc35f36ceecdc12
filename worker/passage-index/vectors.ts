import { nearness, toBytes } from "../passages/vector-bytes.ts";

/** Less near than this a passage has nothing to do with what is asked: models of embeddings put unrelated texts at about 0.1. */
const LEAST = 0.15;

type Near = { vector: readonly number[]; limit: number; documentIds: string[] | undefined };

/** The passages whose embeddings are nearest to a vector, none where nothing is near. All are compared, one at a time, so none stays in memory. */
export function nearest(sql: SqlStorage, { vector, limit, documentIds }: Near): { id: number; measure: number }[] {
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
