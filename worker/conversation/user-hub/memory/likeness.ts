/** Whether two facts say the same, or cannot both hold, as far as their words show it, and their meaning where that is known. */
import { isNumber, share, wordsIn } from "./fact-words.ts";
import { type Relation, relationStated } from "./relation.ts";

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
