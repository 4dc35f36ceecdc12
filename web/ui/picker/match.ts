/** A text as searches compare it: without case and accents. */
export function plainText(text: string): string {
  // Most have no accents, and taking off what is not there costs ten times as much as the rest.
  const bare = isPlain.test(text) ? text : text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  return bare.toLowerCase();
}

const isPlain = /^[\x20-\x7e]*$/;

/** Returns which plain texts match a query: every word of it has to occur, in any order. */
export function matcher(query: string): (text: string) => boolean {
  const words = plainText(query).split(/\s+/).filter(Boolean);
  return (text) => words.every((word) => text.includes(word));
}
