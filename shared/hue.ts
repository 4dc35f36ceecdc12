/** A multiplier under which the ids of the best-known makers get hues far apart: warm for `anthropic`, blue for `google`, green for `openai`. */
const SPREAD = 6_471_417;

/**
 * A hue in degrees from a name: the same name has the same colour everywhere. Steps of 28 keep neighbours apart, and none
 * lies between 5 and 40, which is the error's range.
 */
export function hueOf(name: string): number {
  let hash = 0;
  for (const character of name.toLowerCase()) hash = Math.imul(hash + (character.codePointAt(0) ?? 0), SPREAD);
  return (((hash ^ (hash >>> 15)) >>> 4) % 12) * 28 + 45;
}

/** Up to `count` initials in capitals, of the first and the last word. */
export function initialsOf(name: string, count: 1 | 2): string {
  const words = name
    .trim()
    .split(/[\s._-]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const picked = count === 1 || words.length < 2 ? words.slice(0, 1) : [words[0] ?? "", words.at(-1) ?? ""];
  return picked
    .map((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? "")
    .join("")
    .toUpperCase();
}
