/** What a person has one alone of, as a home or a name: another one takes its place. */
import { isNumber, wordsIn } from "./fact-words.ts";

/** `of` tells whose and what it is, `value` what it is now. */
export type Relation = { of: string; value: readonly string[] };

/** What comes before is whose it is, what follows its value; a group of words names which it is. */
const RELATIONS: readonly (readonly [string, RegExp])[] = [
  [
    "home",
    /\b(?:lives?|living|resides?|residing|based|resident|moved|relocated|settled|home is|lebt|lebe|wohnt|wohne|vit|vive|vivo|habite)(?: now| currently)? (?:in|at|to|of|à|en)\b/iu,
  ],
  ["name", /\b(?:name is|(?:is|am|are) (?:called|named)|goes by|heißt|heiße)\b/iu],
  ["work", /\b(?:works?|working|employed|arbeitet|arbeite)(?: now| currently)? (?:at|for|bei)\b/iu],
  ["profession", /\b(?:works?|working|employed|arbeitet|arbeite)(?: now| currently)? (?:as|als)\b/iu],
  ["birth", /\b(?:birthday is|was born|born)(?: on| in)?\b/iu],
  ["favorite", /\bfavou?rite (?<which>[\p{L} ]{2,40}?) (?:is|are)\b/iu],
  ["partner", /\b(?:married to|engaged to|verheiratet mit)\b/iu],
];

/** What was, what is wished for, and what holds beside another. */
const NOT_ALONE =
  /\b(?:used to|formerly|previously|once|until|since|ago|wants?|would|plans?|hopes?|dreams?|also|too|both|and|second|summers?|winters?|weekends?|during|partly|sometimes|often|usually|früher|auch|und)\b/iu;

/** What of this kind a fact tells; null where it tells nothing such, or leaves room for another. */
export function relationIn(text: string): Relation | null {
  if (NOT_ALONE.test(text)) return null;
  for (const [kind, pattern] of RELATIONS) {
    const found = pattern.exec(text);
    if (!found) continue;
    const { words: whose } = wordsIn(text.slice(0, found.index));
    const { words: value } = wordsIn(text.slice(found.index + found[0].length));
    const which = wordsIn(found.groups?.["which"] ?? "").words;
    // A day of birth is no place of birth, and a house's number no town.
    const what = value.some(isNumber) ? `${kind} by number` : kind;
    return value.length === 0 ? null : { of: [what, ...which, "of", ...whose].join(" "), value };
  }
  return null;
}
