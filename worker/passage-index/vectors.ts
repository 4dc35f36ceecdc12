/** Embeddings as bytes: each number of a vector as one of 255 steps between its largest and that below zero, which changes no neighbour that matters. */

const STEPS = 127;

/** A vector as it is stored: its numbers as signed bytes. */
export function toBytes(vector: readonly number[]): Uint8Array {
  const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  const scale = largest === 0 ? 0 : STEPS / largest;
  const bytes = new Int8Array(vector.length);
  for (let at = 0; at < vector.length; at += 1) bytes[at] = Math.round((vector[at] ?? 0) * scale);
  return new Uint8Array(bytes.buffer);
}

/** How near two stored vectors are: the cosine of their angle, 0 where they are not of one length. */
export function nearness(one: Int8Array, other: Int8Array): number {
  if (one.length !== other.length) return 0;
  let product = 0;
  let oneNorm = 0;
  let otherNorm = 0;
  for (let at = 0; at < one.length; at += 1) {
    const a = one[at] ?? 0;
    const b = other[at] ?? 0;
    product += a * b;
    oneNorm += a * a;
    otherNorm += b * b;
  }
  return oneNorm === 0 || otherNorm === 0 ? 0 : product / Math.sqrt(oneNorm * otherNorm);
}

type Near = { vector: readonly number[]; limit: number; documentIds: string[] | undefined };

/** The ids of the passages whose embeddings are nearest to a vector. All are compared, one at a time, so that none has to stay in memory. */
export function nearest(sql: SqlStorage, { vector, limit, documentIds }: Near): number[] {
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
    if (score <= 0 || (worst && best.length >= limit && score <= worst.score)) continue;
    const at = best.findIndex((other) => other.score < score);
    best.splice(at === -1 ? best.length : at, 0, { passage: row.passage, score });
    if (best.length > limit) best.pop();
  }
  return best.map(({ passage }) => passage);
}
