import { createHash } from "node:crypto";

/** Words of grammar: a text's meaning is not in them. */
const SMALL = new Set(
  "a an the is are was were be been to of and or in on at for with by as from that this it its which what who when where how do does did has have had not no nothing else".split(
    " ",
  ),
);

/** Letters of a piece of a word: words of one stem have most of theirs in common. */
const NGRAM_LENGTH = 4;

/** A text's embedding: hashed pieces of its words, so texts near in their words' stems are near in space. Models differ in where a piece goes. */
export function embed(text: string, { dimensions, model }: { dimensions: number; model: string }): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [""];
  const significant = words.filter((word) => !SMALL.has(word));
  for (const word of significant.length === 0 ? words : significant) {
    for (const ngram of ngramsOf(word)) {
      const place = createHash("sha256").update(`${model}\n${ngram}`).digest().readUInt32BE(0) % dimensions;
      vector[place] = (vector[place] ?? 0) + 1;
    }
  }
  // What a text says again and again counts less each time.
  const damped = vector.map((value) => Math.log1p(value));
  const norm = Math.hypot(...damped);
  return damped.map((value) => value / norm);
}

function ngramsOf(word: string): string[] {
  const padded = `^${word}$`;
  if (padded.length <= NGRAM_LENGTH) return [padded];
  return Array.from({ length: padded.length - NGRAM_LENGTH + 1 }, (_, at) => padded.slice(at, at + NGRAM_LENGTH));
}
