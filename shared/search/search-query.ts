import { parseSearchDate } from "./search-dates.ts";

/** Marks of a chat that `is:` asks for; `public` are one's own that are published. */
export const SEARCH_MARKS = ["unread", "pinned", "shared", "public", "archived"] as const;
export type SearchMark = (typeof SEARCH_MARKS)[number];

/** What `in:` asks for besides folders and chats by their titles: one kind of places. In quotes these are words of a name too. */
type Kind = "chat" | "message" | "todo" | "email";

/** A word, the beginning of one, or words that follow each other. */
export type SearchTerm = { kind: "word" | "prefix" | "phrase"; text: string };

/** A filter as it was written, with the part of the text that it took, as [start, end); `kind` where `in:` names one. */
export type SearchFilter = {
  name: "in" | "tag" | "from" | "is" | "before" | "after";
  value: string;
  kind?: Kind;
  start: number;
  end: number;
};

export type SearchQuery = {
  /** All of them have to match. */
  terms: SearchTerm[];
  /** Folders' names or titles of chats; one has to match. */
  in: string[];
  /** Names of tags; a chat has to have all. */
  tag: string[];
  /** Names of people and models; one has to match; `me` is who asks. */
  from: string[];
  is: SearchMark[];
  /** All kinds where it is null. */
  kind: Kind | null;
  /** Epoch milliseconds: at or after the one, before the other. */
  after: number | null;
  before: number | null;
  filters: SearchFilter[];
};

/** Typographic quotes stand for plain ones: keyboards of phones write them by themselves. */
const TERM = /(\p{L}+):(?=\s|$)|(?:(\p{L}+):)?(?:["“”„]([^"“”„]*)["“”„]?|([^\s"“”„]+))/gu;

/**
 * Reads what was typed into a search. Nothing is refused: what is no filter is a word, a filter without a sound value says nothing.
 * The last word stands for all that begin with it.
 */
export function parseSearch(text: string, clock: { now: number; offsetMinutes: number } = { now: 0, offsetMinutes: 0 }): SearchQuery {
  const query: SearchQuery = { terms: [], in: [], tag: [], from: [], is: [], kind: null, after: null, before: null, filters: [] };
  for (const term of text.matchAll(TERM)) {
    const [whole, bare, named, quoted, plain] = term;
    const value = (quoted ?? plain ?? "").trim();
    const name = (bare ?? named)?.toLowerCase();
    if (name === undefined) addTerm(query, quoted === undefined ? "word" : "phrase", value);
    else if (!takeFilter(query, { name, value, isQuoted: quoted !== undefined, start: term.index, whole }, clock)) {
      addTerm(query, "word", whole.replaceAll(/["“”„]/g, ""));
    }
  }
  const last = query.terms.at(-1);
  if (last?.kind === "word") last.kind = "prefix";
  return query;
}

function addTerm(query: SearchQuery, kind: SearchTerm["kind"], text: string): void {
  if (text !== "") query.terms.push({ kind, text });
}

/** True where the piece is one of the filters, with or without a sound value. */
function takeFilter(
  query: SearchQuery,
  { name, value, isQuoted, start, whole }: { name: string; value: string; isQuoted: boolean; start: number; whole: string },
  clock: { now: number; offsetMinutes: number },
): boolean {
  const kind = name === "in" && !isQuoted ? kindOf(value) : null;
  const note = (known: SearchFilter["name"]) =>
    query.filters.push({ name: known, value, ...(kind && { kind }), start, end: start + whole.length });
  if (kind !== null) {
    query.kind = kind;
    note("in");
    return true;
  }
  if (name === "in" || name === "tag" || name === "from") {
    if (value !== "") {
      query[name].push(value);
      note(name);
    }
    return true;
  }
  if (name === "is") {
    const mark = SEARCH_MARKS.find((known) => known === value.toLowerCase());
    if (mark) {
      if (!query.is.includes(mark)) query.is.push(mark);
      note("is");
    }
    return mark !== undefined || value === "";
  }
  if (name !== "before" && name !== "after") return false;
  const at = parseSearchDate(value, clock);
  if (at !== null) {
    // Two of a kind leave the narrower one.
    const other = query[name];
    query[name] = other === null ? at : name === "after" ? Math.max(other, at) : Math.min(other, at);
    note(name);
  }
  return true;
}

function kindOf(word: string): Kind | null {
  switch (word.toLowerCase()) {
    case "chats":
      return "chat";
    case "messages":
      return "message";
    case "todos":
      return "todo";
    case "emails":
      return "email";
    default:
      return null;
  }
}
