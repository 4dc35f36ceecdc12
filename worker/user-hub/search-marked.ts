/** A found text with the parts that matched, as data: whoever shows it makes no HTML of it. */
import type { MarkedText } from "#shared/contracts/search.ts";
import type { Sought } from "./search-match.ts";
import { type Token, tokensOf } from "./search-tokens.ts";

/** Characters of a snippet, and of them before the first match where the text does not begin with it. */
const SNIPPET_LENGTH = 220;
const LEAD_LENGTH = 48;
/** A match this near the start shows the text from its start. */
const NEAR_START = 72;

type Range = MarkedText["ranges"][number];

/** The whole of a text with all its matches. */
export function markAll(text: string, sought: readonly Sought[]): MarkedText {
  return { text, ranges: rangesIn(text, sought) };
}

/** The part of a text around its first match. */
export function markSnippet(text: string, sought: readonly Sought[]): MarkedText {
  const ranges = rangesIn(text, sought);
  const first = ranges[0]?.start ?? 0;
  const from = first <= NEAR_START ? 0 : wordStart(text, first - LEAD_LENGTH);
  const to = from + SNIPPET_LENGTH >= text.length ? text.length : wordEnd(text, from + SNIPPET_LENGTH);
  const lead = from > 0 ? "… " : "";
  const shift = from - lead.length;
  return {
    text: `${lead}${text.slice(from, to)}${to < text.length ? " …" : ""}`,
    ranges: ranges.flatMap(({ start, end }) => (start >= from && end <= to ? [{ start: start - shift, end: end - shift }] : [])),
  };
}

/** The start of the first word at or after a place. */
function wordStart(text: string, from: number): number {
  const space = text.indexOf(" ", from);
  if (space >= 0 && space < from + LEAD_LENGTH) return space + 1;
  return isLowSurrogate(text, from) ? from - 1 : from;
}

/** The end of the last word at or before a place. */
function wordEnd(text: string, to: number): number {
  const space = text.lastIndexOf(" ", to);
  if (space > to - LEAD_LENGTH) return space;
  return isLowSurrogate(text, to) ? to - 1 : to;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

function rangesIn(text: string, sought: readonly Sought[]): Range[] {
  if (sought.length === 0) return [];
  const tokens = [...tokensOf(text)];
  const found: Range[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    for (const one of sought) {
      const end = matchEnd(tokens, at, one);
      if (end !== null) found.push({ start: tokens[at]?.start ?? 0, end });
    }
  }
  return merge(found);
}

/** Where the sought words end in the text, if they stand from the token `at` on. */
function matchEnd(tokens: readonly Token[], at: number, { words, isOpen }: Sought): number | null {
  let end: number | null = null;
  for (const [index, word] of words.entries()) {
    const token = tokens[at + index];
    const isLast = index === words.length - 1;
    if (!token || !(isLast && isOpen ? token.word.startsWith(word) : token.word === word)) return null;
    end = token.end;
  }
  return end;
}

function merge(ranges: Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else merged.push({ ...range });
  }
  return merged;
}
