/** What a search finds in one user's index: chats by their titles, messages, todos and mails by their words; the newest first, never ranked over all. */
import { workspaceCondition } from "../list/chat-views.ts";
import type { MarkedText, SearchHit, SearchKind, UnknownName } from "#shared/contracts/search.ts";
import { parseSearch, type SearchQuery } from "#shared/search/search-query.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import { toChat, type StoredChat } from "../list/chat-list.ts";
import { markAll, markSnippet } from "./search-marked.ts";
import { matchCards, matchWords, toSoughtTerms, withoutShortPrefixes, type CardFilters, type Sought } from "./search-match.ts";
import { placeTime } from "./search-numbers.ts";
import { withComposedAccents } from "#worker/platform/db/search-tokens.ts";
import type { Found, SearchInput } from "#worker/conversation/hub/rpc.ts";
import { normalizeName } from "#worker/conversation/user-hub/folders/tree.ts";

/** Where a page of hits ends: below which numbers of the index its messages and todos go on, and its chats; null where one is through. */
type SearchPosition = { place: number | null; card: number | null };

const CURSOR = /^(\d{1,15})?(?:c(\d{1,15}))?$/;

/** Reads a cursor; null for the start, and for what is none. */
function parseCursor(cursor: string | undefined): SearchPosition | null {
  const match = CURSOR.exec(cursor ?? "");
  const [, place, card] = match ?? [];
  return place === undefined && card === undefined ? null : { place: toNumber(place), card: toNumber(card) };
}

function toNumber(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}

/** The cursor of what comes next, or null where nothing does. */
function formatCursor({ place, card }: SearchPosition): string | null {
  return place === null && card === null ? null : `${place ?? ""}${card === null ? "" : `c${card}`}`;
}

/** Chats by title that come before the messages; those beyond come after them. */
const TITLES_FIRST = 5;
/** Up to so many chats that `in:` and `is:` leave are named to the index of words; of more, each message's own chat is looked at. */
const CHATS_NAMED = 1_000;

type Joined = StoredChat & { place_number: number; chat: number; part: number; at: string; text: string } & Record<
    "kind" | "place_id",
    string
  > &
  Record<"author_id" | "author_name" | "model_id", string | null>;

type Input = {
  userId: string;
  workspace: SearchInput["workspace"];
  query: SearchQuery;
  filters: CardFilters;
  sought: readonly Sought[];
  kind: SearchKind | undefined;
  hasMails: boolean;
};
/** Hits below a number of the index, and the number that the next ones are below. */
type Page = { hits: SearchHit[]; next: number | null };
type PageInput = { below: number | null; limit: number };

/** A page of what was sought; an empty search finds nothing. */
export function find(sql: SqlStorage, userId: string, { q, workspace, kind: asked, cursor, limit, sources }: SearchInput): Found {
  if (asked === "artifact") return { hits: [], nextCursor: null };
  const query = parseSearch(q, { now: Date.now(), offsetMinutes: 0 });
  const kind = query.kind ?? asked;
  const sought = toSoughtTerms(query.terms);
  const { unknown, ...filed }: Filed = resolveFiled(sql, query, workspace);
  const unknownNames = unknown.length > 0 ? { unknown } : {};
  // No chat has a tag that there is not.
  if (unknown.some(({ name }) => name === "tag")) return { hits: [], nextCursor: null, ...unknownNames };
  const hasMails = sources.includes("mail");
  if (kind === "email" && !hasMails) return { hits: [], nextCursor: null, ...unknownNames };
  const input: Input = { userId, workspace, query, filters: { ...filed, marks: query.is }, sought, kind, hasMails };
  const isOfChats = query.from.length === 0 && (kind === undefined || kind === "chat");
  const isOfPlaces = kind !== "chat" && asksForPlaces(input);
  const from = parseCursor(cursor);
  const none: Page = { hits: [], next: null };
  // Without words, chats are all that is sought.
  const first = isOfPlaces && sought.length > 0 ? Math.min(TITLES_FIRST, limit) : limit;
  const titles = isOfChats && from === null ? findChats(sql, input, { below: null, limit: first }) : none;
  const places =
    isOfPlaces && (from === null || from.place !== null) ? findPlaces(sql, input, { below: from?.place ?? null, limit }) : none;
  const isOfRest = isOfChats && from !== null && from.place === null;
  const rest = isOfRest ? findChats(sql, input, { below: from.card, limit }) : none;
  return {
    hits: [...titles.hits, ...places.hits, ...rest.hits],
    nextCursor: formatCursor({ place: places.next, card: isOfRest ? rest.next : (titles.next ?? from?.card ?? null) }),
    ...unknownNames,
  };
}

function asksForPlaces({ query, sought, kind }: Input): boolean {
  const { in: places, tag: tags, from, is, after, before } = query;
  const marked = tags.length + is.length;
  const hasDates = after !== null || before !== null;
  if (sought.length > 0 || from.length > 0) return true;
  return kind === undefined ? hasDates && marked === 0 : hasDates || places.length + marked > 0;
}

/** The numbers of the index that a page is of: at or after the one, before the other. */
function rangeOf({ after, before }: SearchQuery, below: number | null): [number, number] {
  const end = before === null ? Number.MAX_SAFE_INTEGER : placeTime(before);
  return [after === null ? 0 : placeTime(after), below === null ? end : Math.min(below, end)];
}

function findChats(sql: SqlStorage, { userId, workspace, query, filters, sought, kind }: Input, { below, limit }: PageInput): Page {
  const match = matchCards(filters, sought);
  // Chats by their time alone are listed for who asks for nothing but chats.
  if (match === null && (kind !== "chat" || (query.after === null && query.before === null))) return { hits: [], next: null };
  const source = match === null ? "search_chats" : "search_cards CROSS JOIN search_chats ON search_chats.card_id = search_cards.rowid";
  const column = match === null ? "search_chats.card_id" : "search_cards.rowid";
  const rows = sql
    .exec<StoredChat & { card_id: number }>(
      `SELECT chats.*, search_chats.card_id FROM ${source} CROSS JOIN chats ON chats.id = search_chats.chat_id
       WHERE ${match === null ? "?1 = ''" : "search_cards MATCH ?1"} AND ${column} >= CAST(?2 AS INTEGER) AND ${column} < CAST(?3 AS INTEGER)
         AND chats.deleted = 0 AND ${workspaceCondition(workspace)}
       ORDER BY ${column} DESC LIMIT ?4`,
      match ?? "",
      ...rangeOf(query, below),
      limit + 1,
    )
    .toArray();
  return {
    hits: rows.slice(0, limit).map((row) => toChatHit(row, { userId, sought })),
    next: rows.length > limit ? (rows[limit - 1]?.card_id ?? null) : null,
  };
}

function findPlaces(
  sql: SqlStorage,
  { userId, workspace, query, filters, sought, kind, hasMails }: Input,
  { below, limit }: PageInput,
): Page {
  const page: Page = { hits: [], next: null };
  const cards = matchCards(filters, []);
  const named = cards === null ? null : chatNumbers(sql, cards);
  if (named?.length === 0) return page;
  const areMany = named !== null && named.length > CHATS_NAMED;
  const match = matchWords(query, { sought, chats: areMany ? null : named, kind });
  if (match === null && query.from.length > 0) return page;
  // The index is walked from its newest end and joined row by row until the page is full, whatever the number of matches.
  const source = match === null ? "search_places" : "search_words CROSS JOIN search_places ON search_places.id = search_words.rowid";
  const column = match === null ? "search_places.id" : "search_words.rowid";
  const rows = sql.exec<Joined>(
    `SELECT search_places.*, search_places.id AS place_number, chats.* FROM ${source}
     CROSS JOIN search_chats ON search_chats.number = search_places.chat CROSS JOIN chats ON chats.id = search_chats.chat_id
     WHERE ${match === null ? "?1 = ''" : "search_words MATCH ?1"} AND ${column} >= CAST(?2 AS INTEGER) AND ${column} < CAST(?3 AS INTEGER)
       AND chats.deleted = 0 AND ${workspaceCondition(workspace)}${hasMails ? "" : " AND search_places.kind <> 'email'"}
       AND ${areMany ? "EXISTS (SELECT 1 FROM search_cards WHERE search_cards MATCH ?4 AND search_cards.rowid = search_chats.card_id)" : "?4 = ''"}
     ORDER BY ${column} DESC`,
    match ?? "",
    ...rangeOf(query, below),
    areMany ? (cards ?? "") : "",
  );
  const shown = new Set<string>();
  let last: number | null = null;
  for (const row of rows) {
    const place = `${row.chat} ${row.kind} ${row.place_id}`;
    if (shown.has(place) || wasShown(sql, row, { match, below })) continue;
    if (page.hits.length === limit) {
      page.next = last;
      break;
    }
    shown.add(place);
    page.hits.push(toHit(row, { userId, sought }));
    last = row.place_number;
  }
  return page;
}

/** True where another chunk of the same message was found on a page before this one. */
function wasShown(sql: SqlStorage, row: Joined, { match, below }: { match: string | null; below: number | null }): boolean {
  if (row.part === 0 || below === null) return false;
  const query = `SELECT 1 FROM search_places WHERE chat = ?1 AND kind = ?2 AND place_id = ?3 AND part < ?4 AND id >= CAST(?5 AS INTEGER)
    AND ${match === null ? "?6 = ''" : "EXISTS (SELECT 1 FROM search_words WHERE search_words MATCH ?6 AND search_words.rowid = search_places.id)"}`;
  return sql.exec(query, row.chat, row.kind, row.place_id, row.part, below, match ?? "").toArray().length > 0;
}

/** The chats that a filter leaves, or one more than can be named. */
function chatNumbers(sql: SqlStorage, match: string): number[] {
  return sql
    .exec<{ number: number }>(
      `SELECT search_chats.number FROM search_cards CROSS JOIN search_chats ON search_chats.card_id = search_cards.rowid
       WHERE search_cards MATCH ? LIMIT ${CHATS_NAMED + 1}`,
      match,
    )
    .toArray()
    .map(({ number }) => number);
}

function toChatHit(row: StoredChat, { userId, sought }: Pick<Input, "userId" | "sought">): SearchHit {
  const chat = toChat(row, userId);
  return {
    kind: "chat",
    id: chat.id,
    chat: toHitChat(row, { userId, sought }),
    author: chat.lastMessageSender === "" ? null : chat.lastMessageSender,
    model_id: null,
    time: chat.lastMessageAt,
    snippet: markSnippet(withComposedAccents(chat.lastMessagePreview), sought),
  };
}

function toHit(row: Joined, { userId, sought }: Pick<Input, "userId" | "sought">): SearchHit {
  return {
    kind: row.kind === "todo" || row.kind === "email" ? row.kind : "message",
    id: row.place_id,
    chat: toHitChat(row, { userId, sought: [] }),
    author: row.author_id === userId ? "You" : (row.author_name ?? row.model_id?.split("/").at(-1) ?? null),
    model_id: row.author_id === null && row.author_name === null ? row.model_id : null,
    time: row.at,
    snippet: markSnippet(row.text, withoutShortPrefixes(sought)),
  };
}

function toHitChat(row: StoredChat, { userId, sought }: Pick<Input, "userId" | "sought">): SearchHit["chat"] {
  const { id, title, isRead, isPinned, archived, isShared, hasBeenShared } = toChat(row, userId);
  const marked: MarkedText = markAll(withComposedAccents(title), sought);
  return { id, title: marked, isRead, isPinned, archived, isShared: isShared || hasBeenShared };
}

type Named = { id: string; parent_id: string | null; workspace: string; name: string };

/** Ids of folders with all that is below them, and of tags; titles are what no folder is called. */
type Filed = { titles: string[]; folders: string[]; tags: string[]; unknown: UnknownName[] };

/** Reads the folders and tags only where a search names some. */
function resolveFiled(sql: SqlStorage, query: Pick<SearchQuery, "in" | "tag">, workspace: WorkspaceId = "all"): Filed {
  const filed: Filed = { titles: [], folders: [], tags: [], unknown: [] };
  const folders = query.in.length === 0 ? [] : readShown(sql, workspace);
  for (const value of query.in) {
    const named = folders.filter((folder) => isCalled(pathOf(folders, folder), value)).map(({ id }) => id);
    if (named.length > 0) filed.folders.push(...within(folders, named));
    else {
      filed.titles.push(value);
      filed.unknown.push({ name: "in", value });
    }
  }
  for (const value of query.tag) {
    const [tag] = sql.exec<{ id: string }>("SELECT id FROM tags WHERE folded = ?", normalizeName(value)).toArray();
    if (tag) filed.tags.push(tag.id);
    else filed.unknown.push({ name: "tag", value });
  }
  return filed;
}

function readShown(sql: SqlStorage, workspace: WorkspaceId): Named[] {
  return sql.exec<Named>("SELECT id, parent_id, workspace, name FROM folders WHERE ?1 = 'all' OR workspace = ?1", workspace).toArray();
}

/** The names that lead to a folder, and its own. */
function pathOf(folders: readonly Named[], folder: Named): string {
  const parent = folders.find(({ id }) => id === folder.parent_id);
  return parent ? `${pathOf(folders, parent)}/${folder.name}` : folder.name;
}

/** True of a folder's own name and of the end of its path. */
function isCalled(path: string, name: string): boolean {
  return `/${normalizeName(path)}`.endsWith(`/${normalizeName(name)}`);
}

function within(folders: readonly Named[], ids: readonly string[]): string[] {
  const below = folders.filter((folder) => folder.parent_id !== null && ids.includes(folder.parent_id)).map(({ id }) => id);
  return below.length === 0 ? [...ids] : [...ids, ...within(folders, below)];
}
