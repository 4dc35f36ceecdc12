/** What a search asks of the index, in FTS5's own language. Words go in as the index has them and quoted, so nothing typed is syntax. */
import type { SearchQuery, SearchTerm } from "#shared/search/search-query.ts";
import { filedMark } from "./search-chats.ts";
import { chatScope } from "./search-places.ts";
import { wordsOf } from "#worker/platform/db/search-tokens.ts";

/** Shorter beginnings stand for whole words: they begin too many. */
const PREFIX_LENGTH = 3;
/** Words of one search that count. */
const TERMS_MAX = 16;

/** Words that follow each other; where `isOpen`, the last of them may go on. */
export type Sought = { words: string[]; isOpen: boolean };

/** The terms as words of the index; what has none, e.g. a lone bracket, asks for nothing. */
export function toSoughtTerms(terms: readonly SearchTerm[]): Sought[] {
  return terms
    .map(({ kind, text }) => ({ words: wordsOf(text), isOpen: kind === "prefix" }))
    .filter(({ words }) => words.length > 0)
    .slice(0, TERMS_MAX);
}

/** Beginnings that are too short for texts, as whole words. */
export function withoutShortPrefixes(sought: readonly Sought[]): Sought[] {
  return sought.map((one) => (isShort(one) ? { ...one, isOpen: false } : one));
}

function isShort({ words }: Sought): boolean {
  const last = words.at(-1) ?? "";
  // A character of a script without spaces is a whole word already.
  return words.length === 1 && /^[\p{L}\p{N}]+$/u.test(last) && last.length < PREFIX_LENGTH;
}

function phrase({ words, isOpen }: Sought): string {
  return `"${words.join(" ")}"${isOpen ? " *" : ""}`;
}

function all(column: string, sought: readonly Sought[]): string[] {
  return sought.map((one) => `${column} : ${phrase(one)}`);
}

/** One of several; nothing where none has a word. */
function any(column: string, sought: readonly Sought[]): string[] {
  return sought.length === 0 ? [] : [`${column} : (${sought.map(phrase).join(" OR ")})`];
}

function join(parts: readonly string[]): string | null {
  return parts.length === 0 ? null : parts.map((part) => `(${part})`).join(" AND ");
}

/** Names in filters are taken as what they begin with. */
function toName(text: string): SearchTerm {
  return { kind: "prefix", text };
}

/** What a search asks of a chat besides words of its title: titles and folders, one of them, and marks and tags, all of them. */
export type CardFilters = { titles: readonly string[]; folders: readonly string[]; marks: readonly string[]; tags: readonly string[] };

/** Chats by words of their titles, by their marks and by where they are filed; null where nothing of it is asked for. */
export function matchCards({ titles, folders, marks, tags }: CardFilters, sought: readonly Sought[]): string | null {
  const filed = folders.length === 0 ? [] : [`marks : (${folders.map((id) => `"${filedMark(id)}"`).join(" OR ")})`];
  const places = [...any("title", toSoughtTerms(titles.map(toName))), ...filed];
  const set = [...marks, ...tags.map(filedMark)];
  return join([
    ...all("title", sought),
    ...(places.length === 0 ? [] : [places.map((place) => `(${place})`).join(" OR ")]),
    ...set.map((mark) => `marks : "${mark}"`),
  ]);
}

/** Messages and todos by their words, their authors, and the chats that the other filters left; null where nothing is asked for. */
export function matchWords(
  query: Pick<SearchQuery, "from">,
  { sought, chats, kind }: { sought: readonly Sought[]; chats: readonly number[] | null; kind: string | undefined },
): string | null {
  const names = query.from.filter((name) => !/^(me|you)$/i.test(name));
  const authors = [...any("author", toSoughtTerms(names.map(toName))), ...(names.length < query.from.length ? ['scope : "me"'] : [])];
  const scopes = chats?.map((number) => `"${chatScope(number)}"`);
  return join([
    ...all("text", withoutShortPrefixes(sought)),
    ...(authors.length > 0 ? [authors.join(" OR ")] : []),
    ...(scopes ? [`scope : (${scopes.join(" OR ")})`] : []),
    ...(kind === undefined ? [] : [`scope : "${kind}"`]),
  ]);
}

/** Texts that have all words, in their title or below it; null where nothing is asked for. */
export function matchAnywhere(sought: readonly Sought[]): string | null {
  return join(withoutShortPrefixes(sought).map(phrase));
}
