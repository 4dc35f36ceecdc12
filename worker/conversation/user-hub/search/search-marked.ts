/** A found text with the parts that matched, as data: whoever shows it makes no HTML of it. */
import type { MarkedText } from "#shared/contracts/search.ts";
import type { Sought } from "./search-match.ts";
import { type Token, tokensOf } from "#worker/platform/db/search-tokens.ts";

/** Characters of a snippet, and of them before the first match where the text does not begin with it. */
const SNIPPET_LENGTH = 220;
const LEAD_LENGTH = 48;
/** A match this near the start shows the text from its start. */
const NEAR_START = 72;

type Range = MarkedText["ranges"][number];

/** The whole of a text with all its matches. */
export function markAll(text: string, sought: readonly Sought[]): MarkedText {
  return { text, ranges: merge([...matchesIn(text, sought)]) };
}

/** The part of a text around its first match; what follows that part is not looked at. */
export function markSnippet(text: string, sought: readonly Sought[]): MarkedText {
  const matches = matchesIn(text, sought);
  const first = matches.next().value ?? null;
  const start = first?.start ?? 0;
  const from = start <= NEAR_START ? 0 : wordStart(text, start - LEAD_LENGTH);
  const to = from + SNIPPET_LENGTH >= text.length ? text.length : wordEnd(text, from + SNIPPET_LENGTH);
  const found = first === null ? [] : [first];
  for (const match of matches) {
    if (match.start >= to) break;
    found.push(match);
  }
  const lead = from > 0 ? "… " : "";
  const shift = from - lead.length;
  return {
    text: `${lead}${text.slice(from, to)}${to < text.length ? " …" : ""}`,
    ranges: merge(found).flatMap(({ start: begin, end }) => (end <= to ? [{ start: begin - shift, end: end - shift }] : [])),
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

/** The matches in a text, in the order in which they begin. */
function* matchesIn(text: string, sought: readonly Sought[]): Generator<Range, undefined> {
  const most = Math.max(0, ...sought.map(({ words }) => words.length));
  if (most === 0) return;
  /** As many words ahead as the longest phrase has. */
  const ahead: Token[] = [];
  for (const token of tokensOf(text)) {
    ahead.push(token);
    if (ahead.length < most) continue;
    for (const one of sought) if (standsFirst(ahead, one)) yield rangeOf(ahead, one);
    ahead.shift();
  }
  for (; ahead.length > 0; ahead.shift()) for (const one of sought) if (standsFirst(ahead, one)) yield rangeOf(ahead, one);
}

/** True where the tokens begin with the sought words; asked for each word of a text. */
function standsFirst(tokens: readonly Token[], { words, isOpen }: Sought): boolean {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const token = tokens[at];
    if (!token || !(isOpen && at === words.length - 1 ? token.word.startsWith(word) : token.word === word)) return false;
  }
  return true;
}

function rangeOf(tokens: readonly Token[], { words }: Sought): Range {
  return { start: tokens[0]?.start ?? 0, end: tokens[words.length - 1]?.end ?? 0 };
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
