import { toPlainText } from "#shared/markdown/plain-text.ts";

/** Browsers break off what they read in one piece for too long; a piece has about this many characters. */
const CHUNK_LENGTH = 200;

const FENCE = /^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))/gm;

/** An answer as pieces to be read aloud: plain text in sentences, without blocks of code and marks of citations. */
export function toSpeechChunks(markdown: string): string[] {
  const paragraphs = markdown
    .replaceAll(FENCE, "\n\n")
    .replaceAll(/\[\d{1,3}\](?!\()/g, "")
    .split(/\n{2,}/)
    .filter(isSpeakable)
    .map((paragraph) => toPlainText(paragraph, Number.MAX_SAFE_INTEGER))
    .filter(isSpeakable);
  return paragraphs.flatMap(toChunks);
}

function isSpeakable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function toChunks(text: string): string[] {
  const chunks: string[] = [];
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text)) {
    const last = chunks.at(-1);
    if (last !== undefined && last.length + segment.length <= CHUNK_LENGTH) chunks[chunks.length - 1] = last + segment;
    else chunks.push(segment);
  }
  return chunks.map((piece) => piece.trim());
}

/** Scripts that one language is mostly written in; kana come before the characters that they stand among. */
const SCRIPTS: [RegExp, string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, "ja"],
  [/\p{Script=Hangul}/u, "ko"],
  [/\p{Script=Han}/u, "zh"],
  [/\p{Script=Cyrillic}/u, "ru"],
  [/\p{Script=Greek}/u, "el"],
  [/\p{Script=Arabic}/u, "ar"],
  [/\p{Script=Hebrew}/u, "he"],
  [/\p{Script=Thai}/u, "th"],
  [/\p{Script=Devanagari}/u, "hi"],
];

/** Short words that distinguish languages of the Latin script. */
const COMMON_WORDS: Record<string, RegExp> = {
  en: /\b(the|and|of|to|is|that|with|for)\b/giu,
  de: /\b(der|die|das|und|ist|nicht|mit|ein|zu)\b/giu,
  fr: /\b(le|les|des|et|est|une|pas|dans|que)\b/giu,
  es: /\b(el|los|las|y|es|una|que|por|con)\b/giu,
  it: /\b(il|gli|che|di|della|una|non|per|con)\b/giu,
  pt: /\b(os|as|do|da|uma|que|por|com|para)\b/giu,
  nl: /\b(de|het|een|en|van|niet|met|voor|zijn)\b/giu,
};

/** The language a text is most likely in, as a tag; `fallback` where nothing shows it. */
export function guessLanguage(text: string, fallback: string): string {
  const sample = text.slice(0, 2_000);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  for (const [script, language] of SCRIPTS) {
    const found = sample.match(new RegExp(script, "gu"))?.length ?? 0;
    if (found * 5 > letters) return language;
  }
  const counts = Object.entries(COMMON_WORDS).map(([language, words]) => ({ language, found: sample.match(words)?.length ?? 0 }));
  const best = counts.reduce((most, next) => (next.found > most.found ? next : most));
  return best.found > 0 ? best.language : fallback;
}
