/** Whether two facts say the same, or cannot both hold, as far as their words show it, and their meaning where that is known. */

/** Words that say nothing of what a fact is about. */
const SMALL = new Set(
  "a an the is are was were be been am to of and or in on at for with by as from that this it its i my me you your he she they them their his her user person has have had do does did will would".split(
    " ",
  ),
);
const NEGATIONS = new Set([
  "not",
  "no",
  "never",
  "without",
  "neither",
  "nor",
  "none",
  "dont",
  "doesnt",
  "isnt",
  "nicht",
  "kein",
  "keine",
  "nie",
]);

/** Of the words that are no numbers so many must be common, as a share of all of them. */
const SAME = 0.85;
const SAME_SUBJECT = 0.8;
/** Fewer words than this name no subject. */
const SUBJECT_WORDS = 2;

/** Facts whose embeddings are this near say the same where nothing else tells them apart: lower, what is merely of one subject would be lost. */
const NEAR = 0.82;

/** `names` are the words that are written with a capital: nearness alone knows no Mila from a Greta. */
export type Words = { rest: ReadonlySet<string>; numbers: ReadonlySet<string>; names: ReadonlySet<string>; isNegated: boolean };

/** The words of a fact as it is compared. */
export function wordsOf(text: string): Words {
  const plain = text.normalize("NFKC").toLowerCase().replaceAll(/['’]/gu, "");
  const found = (plain.match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? []).flatMap(pieces);
  const words = found.filter((word) => !SMALL.has(word));
  return {
    rest: new Set(words.filter((word) => !isNumber(word) && !NEGATIONS.has(word)).map(stem)),
    numbers: new Set(words.filter(isNumber)),
    names: namesIn(text),
    isNegated: words.some((word) => NEGATIONS.has(word)),
  };
}

/** A first word counts as one too, unless it looks like a verb or says nothing. */
function namesIn(text: string): Set<string> {
  const words = text.normalize("NFKC").match(/[\p{L}\p{M}]+/gu) ?? [];
  const isName = (word: string, at: number) =>
    /^\p{Lu}/u.test(word) && (at > 0 || !(/(?:s|ed|ing)$/u.test(word) || SMALL.has(word.toLowerCase())));
  return new Set(words.filter(isName).map((word) => stem(word.toLowerCase())));
}

/** `same` for a fact that is there already, `contradicts` for one whose place another takes, null for what has nothing to do with it. */
export function compareFacts(before: Words, now: Words): "same" | "contradicts" | null {
  const shared = share(before.rest, now.rest);
  const hasSameNumbers = isEqual(before.numbers, now.numbers);
  if (before.isNegated === now.isNegated) {
    if (hasSameNumbers) return shared >= SAME ? "same" : null;
    const areCounted = before.numbers.size > 0 && now.numbers.size > 0;
    return areCounted && now.rest.size >= SUBJECT_WORDS && shared >= SAME_SUBJECT ? "contradicts" : null;
  }
  return hasSameNumbers && shared >= SAME ? "contradicts" : null;
}

/** As `compareFacts`, of facts whose embeddings are this near: of one meaning, they differ in a number or a negation, or say the same. */
export function compareMeaning(before: Words, now: Words, nearness: number): "same" | "contradicts" | null {
  if (nearness < NEAR || !isEqual(before.names, now.names)) return null;
  const hasSameNumbers = isEqual(before.numbers, now.numbers);
  if (before.isNegated !== now.isNegated) return hasSameNumbers ? "contradicts" : null;
  if (hasSameNumbers) return "same";
  return before.numbers.size > 0 && now.numbers.size > 0 ? "contradicts" : null;
}

/** Scripts that are written without blanks are compared by pairs of characters. */
function pieces(word: string): string[] {
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word)) return [word];
  const characters = Array.from(word);
  return characters.length < 3 ? [word] : characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

function isNumber(word: string): boolean {
  return /^\p{N}/u.test(word);
}

function stem(word: string): string {
  return word.length > 3 ? word.replace(/s$/u, "") : word;
}

function share(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - common;
  return all === 0 ? 1 : common / all;
}

function isEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((word) => b.has(word));
}
