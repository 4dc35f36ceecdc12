/** What a person has one alone of, as a home or a name: another one takes its place. */
import { isNumber, wordsIn } from "./fact-words.ts";

/** `of` says what it is, `value` what it is now. */
export type Relation = { of: string; value: readonly string[] };

type Kind = { kind: string; pattern: RegExp; isNamed: boolean };

/** What comes before is whose it is, what follows its value; a group of words names which it is. */
const KINDS: readonly Kind[] = [
  {
    kind: "home",
    pattern:
      /\b(?:lives?|living|resides?|residing|based|resident|moved|relocated|settled|home is|lebt|lebe|wohnt|wohne|vit|vive|vivo|habite)(?: now| currently)? (?:in|at|to|of|à|en)\b/iu,
    isNamed: true,
  },
  { kind: "name", pattern: /\b(?:name is|(?:is|am|are) (?:called|named)|heißt|heiße)(?![\p{L}\p{N}])/iu, isNamed: true },
  // Beside a name.
  { kind: "nickname", pattern: /\bgoes by\b/iu, isNamed: true },
  { kind: "work", pattern: /\b(?:works?|working|employed|arbeitet|arbeite)(?: now| currently)? (?:at|for|bei)\b/iu, isNamed: true },
  { kind: "profession", pattern: /\b(?:works?|working|employed|arbeitet|arbeite)(?: now| currently)? (?:as an?|als)\b/iu, isNamed: false },
  { kind: "birth", pattern: /\b(?:birthday is|(?:was )?born)(?: on| in)?\b/iu, isNamed: true },
  { kind: "favorite", pattern: /\bfavou?rite (?<which>[\p{L} ]{2,40}?) is\b/iu, isNamed: false },
  { kind: "partner", pattern: /\b(?:married to|engaged to|verheiratet mit)\b/iu, isNamed: true },
];

/** What was, what is wanted, and what can be true beside another fact. */
const NOT_ALONE =
  /\b(?:used to|formerly|previously|once|until|since|ago|wants?|would|plans?|hopes?|dreams?|also|too|both|and|second|summers?|winters?|weekends?|during|partly|sometimes|often|usually|früher|auch|und)\b/iu;

/** A word that begins with a capital, or of a script without any. */
const NAME = /^[\p{Lu}\p{Lo}][\p{L}\p{M}'’&-]*$/u;
const NUMBER = /^\p{N}[\p{N}-]*(?:st|nd|rd|th)?$/u;
const WITHIN_NAMES = /^(?:the|of|de|la|north|south|east|west|centre|center|outskirts|now|currently)$/u;
/** Written with a capital too, these name neither a place nor an employer; in German any noun has one. */
const NO_NAME =
  /^(?:teams?|departments?|groups?|nights?|home|flat|apartment|house|marketing|sales|engineering|product|finance|support|design|hr|operations|legal|research|linux|windows|macos|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|christmas|easter|nacht|tag|licht|regen|miete|untermiete|armut|angst|frieden|\p{L}{5,}ung|\p{L}+(?:schaft|heit|keit))$/iu;
/** Another sentence, which an abbreviation is not, as in `St. Gallen`. */
const SENTENCE_END = /(?:\p{L}{4}|\p{N}{3})[.!] +\p{Lu}/u;

/** What of this kind a fact says of the person themself; null where it says none, leaves room for another, or may mean something else. */
export function relationStated(text: string): Relation | null {
  if (NOT_ALONE.test(text)) return null;
  for (const { kind, pattern, isNamed } of KINDS) {
    const found = pattern.exec(text);
    if (!found) continue;
    // Of sisters, dogs or friends there may be two.
    if (wordsIn(text.slice(0, found.index).replace(/\b(?:recently|just|currently|now)\b/giu, "")).words.length > 0) return null;
    const rest = text.slice(found.index + found[0].length);
    if (isNamed && !isName(found[0], rest)) return null;
    const { words: value } = wordsIn(rest);
    const which = wordsIn(found.groups?.["which"] ?? "").words;
    return value.length === 0 ? null : { of: [kind, ...numbersIn(value), "of", ...which].join(" "), value };
  }
  return null;
}

/** True where names or numbers alone follow these words: any other, as in `Berlin with her sister`, says more. Where each word has a capital, capitals mean nothing. */
function isName(words: string, rest: string): boolean {
  if (/ \p{Lu}/u.test(words) || SENTENCE_END.test(rest)) return false;
  const parts = rest.split(/[\s,./!]+/u).filter((part) => part !== "" && !WITHIN_NAMES.test(part));
  return parts.length > 0 && parts.every((part) => (NAME.test(part) || NUMBER.test(part)) && !NO_NAME.test(part));
}

/** A day of birth is neither a place nor a year of it, and a house's number no town. */
function numbersIn(value: readonly string[]): string[] {
  return [...new Set(value.filter(isNumber).map((number) => (number.length > 3 ? "by year" : "by number")))].toSorted();
}
