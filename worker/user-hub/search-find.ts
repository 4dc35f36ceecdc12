/** What a search finds in one user's index: chats by their titles, messages and todos by their words; the newest first, never ranked over all. */
import type { MarkedText, SearchHit, SearchKind } from "#shared/contracts/search.ts";
import { parseSearch, type SearchQuery } from "#shared/search-query.ts";
import { type StoredChat, toChat } from "./chat-list.ts";
import { markAll, markSnippet } from "./search-marked.ts";
import { matchCards, matchWords, type Sought, soughtIn, withoutShortPrefixes } from "./search-match.ts";
import { placeTime } from "./search-places.ts";
import { composed } from "./search-tokens.ts";

/** Chats by title that come before the messages, and of how many that match the newest are taken. */
const TITLES_FIRST = 5;
const TITLES_MATCHED = 50;
/** Chats that `in:` and `is:` may leave for the search in messages. */
const CHATS_MAX = 200;

export type SearchWish = { q: string; kind?: SearchKind | undefined; cursor?: string | undefined; limit: number };
export type Found = { hits: SearchHit[]; nextCursor: string | null };

type PlaceRow = {
  id: number;
  kind: string;
  place_id: string;
  author_id: string | null;
  author_name: string | null;
  model_id: string | null;
};
type Joined = StoredChat & PlaceRow & { at: string; text: string; place_number: number };

/** A page of what was sought; an empty search finds nothing. */
export function find(sql: SqlStorage, userId: string, { q, kind, cursor, limit }: SearchWish): Found {
  const query = parseSearch(q, { now: Date.now(), offsetMinutes: 0 });
  const sought = soughtIn(query.terms);
  const isOfChats = query.from.length === 0 && (kind === undefined || kind === "chat");
  const hasDates = query.after !== null || query.before !== null;
  // Without words, chats are all that is sought.
  const most = kind === "chat" || sought.length === 0 ? limit : TITLES_FIRST;
  const chats = cursor === undefined && isOfChats ? findChats(sql, { userId, query, sought, limit: most }) : [];
  const asksForPlaces =
    sought.length > 0 || query.from.length > 0 || (hasDates && query.is.length === 0) || (kind !== undefined && kind !== "chat");
  if (kind === "chat" || !asksForPlaces || (isEmpty(query) && sought.length === 0)) return { hits: chats, nextCursor: null };
  const rows = findPlaces(sql, { query, sought, kind, cursor, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    hits: [...chats, ...page.map((row) => toHit(row, { userId, sought }))],
    nextCursor: last && rows.length > limit ? String(last.place_number) : null,
  };
}

function isEmpty({ in: titles, from, is, after, before }: SearchQuery): boolean {
  return titles.length + from.length + is.length === 0 && after === null && before === null;
}

function findChats(
  sql: SqlStorage,
  { userId, query, sought, limit }: { userId: string; query: SearchQuery; sought: readonly Sought[]; limit: number },
): SearchHit[] {
  const match = matchCards(query, sought);
  if (match === null) return [];
  return sql
    .exec<StoredChat>(
      `SELECT chats.* FROM (SELECT rowid FROM search_cards WHERE search_cards MATCH ? ORDER BY rowid DESC LIMIT ${TITLES_MATCHED}) AS card
       CROSS JOIN search_chats ON search_chats.number = card.rowid CROSS JOIN chats ON chats.id = search_chats.chat_id
       WHERE chats.deleted = 0 AND chats.last_at >= ? AND chats.last_at < ?`,
      match,
      query.after === null ? "" : new Date(query.after).toISOString(),
      query.before === null ? "9999" : new Date(query.before).toISOString(),
    )
    .toArray()
    .toSorted((a, b) => (a.last_at < b.last_at ? 1 : -1))
    .slice(0, limit)
    .map((row) => {
      const chat = toChat(row, userId);
      return {
        kind: "chat",
        id: chat.id,
        chat: toHitChat(row, { userId, sought }),
        author: chat.lastMessageSender === "" ? null : chat.lastMessageSender,
        time: chat.lastMessageAt,
        snippet: markSnippet(composed(chat.lastMessagePreview), sought),
      };
    });
}

function findPlaces(
  sql: SqlStorage,
  {
    query,
    sought,
    kind,
    cursor,
    limit,
  }: { query: SearchQuery; sought: readonly Sought[]; kind: SearchKind | undefined; cursor: string | undefined; limit: number },
): Joined[] {
  const cards = matchCards({ in: query.in, is: query.is }, []);
  const chats = cards === null ? null : chatNumbers(sql, cards);
  if (chats?.length === 0) return [];
  const match = matchWords(query, { sought, chats, kind });
  if (match === null && query.from.length > 0) return [];
  const from = query.after === null ? 0 : placeTime(query.after);
  const until = Math.min(
    cursor !== undefined && /^\d{1,15}$/.test(cursor) ? Number(cursor) : Number.MAX_SAFE_INTEGER,
    query.before === null ? Number.MAX_SAFE_INTEGER : placeTime(query.before),
  );
  // The index is walked from its newest end and joined row by row until the page is full, whatever the number of matches.
  const source = match === null ? "search_places" : "search_words CROSS JOIN search_places ON search_places.id = search_words.rowid";
  const column = match === null ? "search_places.id" : "search_words.rowid";
  return sql
    .exec<Joined>(
      `SELECT search_places.*, search_places.id AS place_number, chats.* FROM ${source}
       CROSS JOIN search_chats ON search_chats.number = search_places.chat CROSS JOIN chats ON chats.id = search_chats.chat_id
       WHERE ${match === null ? "?1 = ''" : "search_words MATCH ?1"} AND ${column} >= CAST(?2 AS INTEGER) AND ${column} < CAST(?3 AS INTEGER)
         AND chats.deleted = 0
       ORDER BY ${column} DESC LIMIT ?4`,
      match ?? "",
      from,
      until,
      limit,
    )
    .toArray();
}

function chatNumbers(sql: SqlStorage, match: string): number[] {
  return sql
    .exec<{ rowid: number }>(`SELECT rowid FROM search_cards WHERE search_cards MATCH ? ORDER BY rowid DESC LIMIT ${CHATS_MAX}`, match)
    .toArray()
    .map(({ rowid }) => rowid);
}

function toHit(row: Joined, { userId, sought }: { userId: string; sought: readonly Sought[] }): SearchHit {
  return {
    kind: row.kind === "todo" ? "todo" : "message",
    id: row.place_id,
    chat: toHitChat(row, { userId, sought: [] }),
    author: row.author_id === userId ? "You" : (row.author_name ?? row.model_id?.split("/").at(-1) ?? null),
    time: row.at,
    snippet: markSnippet(row.text, withoutShortPrefixes(sought)),
  };
}

function toHitChat(row: StoredChat, { userId, sought }: { userId: string; sought: readonly Sought[] }): SearchHit["chat"] {
  const { id, title, isRead, isPinned, archived, isShared, hasBeenShared } = toChat(row, userId);
  const marked: MarkedText = markAll(composed(title), sought);
  return { id, title: marked, isRead, isPinned, archived, isShared: isShared || hasBeenShared };
}
