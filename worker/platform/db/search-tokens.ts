/** How texts become words that can be found: the same for what is indexed, what is asked and what is highlighted. */

/** Scripts that put no spaces between words: each character counts as a word, and a word asked for as a phrase of them. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const WORDS = new RegExp(String.raw`[${UNSPACED}]\p{M}*|\p{So}|[[\p{L}\p{N}\p{M}\p{Co}]--[${UNSPACED}]]+`, "gv");

/** Marks that are left out by who types in haste: accents, and the vowel points of Hebrew and Arabic. */
const MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g;

/** Letters whose stroke or ligature is no mark to take off. */
const LETTERS: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", ı: "i", ς: "σ" };

/** A word of a text: as it is compared, and where it stands in the text, in UTF-16 units. */
export type Token = { word: string; start: number; end: number };

/** The text as it is kept and split: composed, so a character is one. */
export function withComposedAccents(text: string): string {
  return text.normalize("NFC");
}

/** The words of a composed text, one after the other. */
export function* tokensOf(text: string): Generator<Token> {
  for (const match of text.matchAll(WORDS)) {
    const word = foldWord(match[0]);
    if (word !== "") yield { word, start: match.index, end: match.index + match[0].length };
  }
}

/** The words of any text as the index takes them. */
export function wordsOf(text: string): string[] {
  return Array.from(tokensOf(withComposedAccents(text)), ({ word }) => word);
}

function foldWord(word: string): string {
  const lower = word.toLowerCase();
  // Nearly all words are plain ones.
  if (/^[a-z0-9]*$/.test(lower)) return lower;
  return lower
    .normalize("NFD")
    .replaceAll(MARKS, "")
    .normalize("NFC")
    .replaceAll(/[ßæœøđłıς]/g, (letter) => LETTERS[letter] ?? letter);
}
