/** Whether two facts say the same, or cannot both hold, as far as their words show it, and their meaning where that is known. */
import { isNumber, share, wordsIn } from "./fact-words.ts";

/** Of the words that are no numbers so many must be common, as a share of all of them. */
const SAME = 0.85;
const SAME_SUBJECT = 0.8;
/** Fewer words than this name a subject only where they are the very same. */
const SUBJECT_WORDS = 2;

/** Facts whose embeddings are this near say the same where nothing else distinguishes them: lower, facts merely of one subject would be lost. */
const NEAR = 0.82;

/** What says that the order of words matters, as in `tea rather than coffee`. */
const COMPARISON = /\b(?:prefers?|preferred|rather|instead|better|more|less|over|than|before|after|lieber|statt|als)\b/iu;

/** `names` are the words that are written with a capital: nearness alone knows no Mila from a Greta. */
export type FactWords = {
  /** In their order, each once; neither numbers, nor what says how the person feels about it. */
  rest: readonly string[];
  numbers: ReadonlySet<string>;
  names: ReadonlySet<string>;
  /** Not of what somebody does not like: that is their stance. */
  isNegated: boolean;
  isComparison: boolean;
  stance: Stance;
  relation: Relation | null;
};

/** What one fact is to an earlier one: it says nothing new, it takes the other's place, or it has nothing to do with it. */
export type Likeness = "same" | "replaces" | null;

/** The words of a fact as it is compared. */
export function factWordsOf(text: string): FactWords {
  const { words, isNegated } = wordsIn(text);
  const { stance, rest } = stanceIn(
    words.filter((word) => !isNumber(word)),
    isNegated,
  );
  return {
    rest: [...new Set(rest)],
    numbers: new Set(words.filter(isNumber)),
    names: namesIn(text),
    isNegated: stance === null && isNegated,
    isComparison: COMPARISON.test(text),
    stance,
    relation: isNegated ? null : relationStated(text),
  };
}

/** A first word counts as one too, unless it looks like a verb or says nothing. */
function namesIn(text: string): Set<string> {
  const found = text.normalize("NFKC").match(/[\p{L}\p{M}]+/gu) ?? [];
  const isName = (word: string, at: number) =>
    /^\p{Lu}/u.test(word) && (at > 0 || !(/(?:s|ed|ing)$/u.test(word) || wordsIn(word).words.length === 0));
  return new Set(found.filter(isName).flatMap((word) => wordsIn(word).words));
}

/** By the words alone. Of facts that differ in a word neither is the other: at most the newer takes the older's place. */
export function compareFacts(before: FactWords, now: FactWords): Likeness {
  const byRelation = compareRelations(before.relation, now.relation);
  if (byRelation !== null) return byRelation;
  if (isContrast(before, now)) return null;
  const shared = share(before.rest, now.rest);
  const [isOfOneSubject, hasSameNumbers] = [shared >= SAME_SUBJECT, isEqual(before.numbers, now.numbers)];
  if (areOpposed(before, now)) return hasSameNumbers && isOfOneSubject ? "replaces" : null;
  if (hasSameNumbers) return shared >= SAME ? compareWording(before, now) : null;
  const areCounted = before.numbers.size > 0 && now.numbers.size > 0 && isOfOneSubject;
  return areCounted && (now.rest.length >= SUBJECT_WORDS || shared === 1) ? "replaces" : null;
}

/** As `compareFacts`, of facts whose embeddings are this near: of one meaning, they differ in a number or a negation, or say the same. */
export function compareMeaning(before: FactWords, now: FactWords, nearness: number): Likeness {
  if (nearness < NEAR || !isEqual(before.names, now.names) || isContrast(before, now)) return null;
  const hasSameNumbers = isEqual(before.numbers, now.numbers);
  if (areOpposed(before, now)) return hasSameNumbers ? "replaces" : null;
  if (hasSameNumbers) return compareWording(before, now);
  return before.numbers.size > 0 && now.numbers.size > 0 ? "replaces" : null;
}

/** Of what a person has only one, such as where they live, the newer holds; null where the two are not about that. */
function compareRelations(before: Relation | null, now: Relation | null): Likeness {
  if (!before || !now || before.of !== now.of) return null;
  return now.value.every((word) => before.value.includes(word)) ? "same" : "replaces";
}

/** Of facts that are alike: one that says less is there already, one that says more takes its place. */
function compareWording(before: FactWords, now: FactWords): Likeness {
  const [older, newer] = differing(before, now);
  if (newer.length > 0) return older.length > 0 ? "same" : "replaces";
  const isTurned = older.length === 0 && now.isComparison && before.isComparison && before.rest.join(" ") !== now.rest.join(" ");
  return isTurned ? "replaces" : "same";
}

/** True where a word or two may be what matters, as in `drinks tea` and `drinks coffee`: both stay. */
function isContrast(before: FactWords, now: FactWords): boolean {
  // What one likes may also be what one has, and a home is no place of work.
  if ((before.stance === null) !== (now.stance === null) || (before.relation && now.relation)) return true;
  const [older, newer] = differing(before, now);
  const least = Math.min(older.length, newer.length);
  return least === 1 || (least > 1 && share(before.rest, now.rest) >= SAME_SUBJECT);
}

/** The words that only one of two facts has; a word's other form is the same word. */
function differing(before: FactWords, now: FactWords): [string[], string[]] {
  const only = (some: readonly string[], others: readonly string[]) =>
    some.filter((word) => !others.includes(word) && !others.some((other) => isOtherForm(word, other)));
  return [only(before.rest, now.rest), only(now.rest, before.rest)];
}

const STEM_LENGTH = 4;
const ENDING = /^(?:e?d|e?s|ing|e|y|ies|ied|en?|ly|t)?$/u;

function isOtherForm(word: string, other: string): boolean {
  let common = 0;
  while (common < word.length && word[common] === other[common]) common += 1;
  return common >= STEM_LENGTH && ENDING.test(word.slice(common)) && ENDING.test(other.slice(common));
}

/** True where the one denies what the other says. */
function areOpposed(before: FactWords, now: FactWords): boolean {
  return before.stance !== now.stance || before.isNegated !== now.isNegated;
}

function isEqual(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((word) => b.has(word));
}

/** Whether a fact says that somebody likes something or the opposite, null where it says neither or both. */
type Stance = "for" | "against" | null;

/** As `wordsIn` leaves them. */
const FOR = new Set("like love enjoy adore fond mag liebt liebe aime adore gusta".split(" "));
const AGAINST = new Set("hate dislike detest loathe avoid hasst verabscheut deteste odia".split(" "));

/** How the person of a fact feels about what it says, and the words that are left then. */
function stanceIn(words: readonly string[], isNegated: boolean): { stance: Stance; rest: readonly string[] } {
  const [likes, dislikes] = [words.some((word) => FOR.has(word)), words.some((word) => AGAINST.has(word))];
  if (likes === dislikes) return { stance: null, rest: words };
  return { stance: likes === isNegated ? "against" : "for", rest: words.filter((word) => !FOR.has(word) && !AGAINST.has(word)) };
}

/** What a person has one alone of, as a home or a name: another one takes its place. `of` says what it is, `value` what it is now. */
type Relation = { of: string; value: readonly string[] };

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
function relationStated(text: string): Relation | null {
  if (NOT_ALONE.test(text)) return null;
  for (const { kind, pattern, isNamed } of KINDS) {
    const found = pattern.exec(text);
    if (!found) continue;
    // Of sisters, dogs or friends there may be two.
    if (wordsIn(text.slice(0, found.index).replace(/\b(?:recently|just|currently|now)\b/giu, "")).words.length > 0) return null;
    const rest = text.slice(found.index + found[0].length);
    if (isNamed && !isNameAlone(found[0], rest)) return null;
    const { words: value } = wordsIn(rest);
    const which = wordsIn(found.groups?.["which"] ?? "").words;
    return value.length === 0 ? null : { of: [kind, ...numbersIn(value), "of", ...which].join(" "), value };
  }
  return null;
}

/** True where names or numbers alone follow these words: any other, as in `Berlin with her sister`, says more. Where each word has a capital, capitals mean nothing. */
function isNameAlone(words: string, rest: string): boolean {
  if (/ \p{Lu}/u.test(words) || SENTENCE_END.test(rest)) return false;
  const parts = rest.split(/[\s,./!]+/u).filter((part) => part !== "" && !WITHIN_NAMES.test(part));
  return parts.length > 0 && parts.every((part) => (NAME.test(part) || NUMBER.test(part)) && !NO_NAME.test(part));
}

/** A day of birth is neither a place nor a year of it, and a house's number no town. */
function numbersIn(value: readonly string[]): string[] {
  return [...new Set(value.filter(isNumber).map((number) => (number.length > 3 ? "by year" : "by number")))].toSorted();
}
