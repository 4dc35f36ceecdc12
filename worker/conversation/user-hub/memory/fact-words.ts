/** The significant words of facts. */

/** Words that say nothing of what a fact is about. */
const SMALL = new Set(
  "a an the is are was were be been am to of and or in on at for with by as from that this it its i my me you your he she they them his her user users person has have had do does did will would".split(
    " ",
  ),
);
const NEGATIONS = new Set(
  "not no never without neither nor none dont doesnt didnt isnt arent wont cant cannot nicht kein keine keinen nie".split(" "),
);
/** Counts that are written out are numbers too. */
const COUNTS = new Map(
  "one two three four five six seven eight nine ten eleven twelve".split(" ").map((word, at) => [word, String(at + 1)] as const),
);

/** The significant words of a text in their order, and whether one of them denies what it says. */
export function wordsIn(text: string): { words: string[]; isNegated: boolean } {
  const plain = text.normalize("NFKC").toLowerCase().replaceAll(/['’]/gu, "");
  const found = (plain.match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? []).flatMap(splitUnspaced);
  const meaningful = found.filter((word) => !SMALL.has(word));
  const words = meaningful.filter((word) => !NEGATIONS.has(word)).map((word) => COUNTS.get(word) ?? stem(word));
  return { words, isNegated: words.length < meaningful.length };
}

/** True for a word that is a number. */
export function isNumber(word: string): boolean {
  return /^\p{N}/u.test(word);
}

/** How much two sets of words have in common, from 0 to 1. */
export function share(a: readonly string[], b: readonly string[]): number {
  const common = a.filter((word) => b.includes(word)).length;
  const all = a.length + b.length - common;
  return all === 0 ? 1 : common / all;
}

/** Scripts that are written without blanks are compared by pairs of characters. */
function splitUnspaced(word: string): string[] {
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word)) return [word];
  const characters = Array.from(word);
  return characters.length < 3 ? [word] : characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

function stem(word: string): string {
  return word.length > 3 ? word.replace(/s$/u, "") : word;
}
