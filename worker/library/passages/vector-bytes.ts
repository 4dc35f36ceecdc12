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
