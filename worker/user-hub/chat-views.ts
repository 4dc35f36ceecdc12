/** The list's views: what each holds and in which order, a page at a time, whatever the number of chats. */
import type { ChatView } from "#shared/contracts/chats.ts";
import type { Chat } from "#shared/entities/chat.ts";
import { RECENT_WINDOW_MS, UNREAD_COUNT_MAX } from "#shared/limits.ts";
import { currentCursor, type ListedChat, toChat } from "./chat-list.ts";

/** Where a chat stands: the column `place`, which migrations.ts derives from its marks; null for one that is gone. */
const PLACE = { unread: 0, pinned: 1, other: 2, archived: 3 } as const;
type Place = (typeof PLACE)[keyof typeof PLACE];

export type ChatPage = { chats: Chat[]; nextCursor: string | null; unreadCount: number; liveCursor: string };
type PageQuery = { view: ChatView; cursor?: string | undefined; limit: number };

/** A page's end: a row's time and id, of the inbox its group too. */
type Position = { place: Place; at: string; id: string };

const TOP = { at: "9999", id: "" };

/** A page of a view; each chat is in one group of the inbox alone. */
export function listChats(sql: SqlStorage, userId: string, query: PageQuery): ChatPage {
  const { view, limit } = query;
  const rows = view === "inbox" ? inboxRows(sql, query) : viewRows(sql, query);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    chats: page.map((stored) => toChat(stored, userId)),
    nextCursor: last && rows.length > limit ? `${last.place}~${last.last_at}~${last.id}` : null,
    unreadCount: countUnread(sql),
    liveCursor: String(currentCursor(sql)),
  };
}

/** The start of the inbox's last group: chats as old as this are in it no longer. */
function recentSince(): string {
  return new Date(Date.now() - RECENT_WINDOW_MS).toISOString();
}

/** Group after group, as many rows as a page needs and one more. */
function inboxRows(sql: SqlStorage, { cursor, limit }: PageQuery): ListedChat[] {
  const from = parsePosition(cursor);
  const since = recentSince();
  const rows: ListedChat[] = [];
  for (const place of [PLACE.unread, PLACE.pinned, PLACE.other]) {
    if (from && place < from.place) continue;
    const after = from?.place === place ? from : TOP;
    const found = rowsOf(sql, place, after, limit + 1 - rows.length);
    rows.push(...(place === PLACE.other ? found.filter(({ last_at: at }) => at >= since) : found));
    if (rows.length > limit) break;
  }
  return rows;
}

/** Newest first over all places of the view: each has its own range of the index, and the newest of all are taken. */
function viewRows(sql: SqlStorage, { view, cursor, limit }: PageQuery): ListedChat[] {
  const after = parsePosition(cursor) ?? TOP;
  const places = view === "archived" ? [PLACE.archived] : [PLACE.unread, PLACE.pinned, PLACE.other];
  return places
    .flatMap((place) => rowsOf(sql, place, after, limit + 1))
    .toSorted((a, b) => (a.last_at === b.last_at ? compare(b.id, a.id) : compare(b.last_at, a.last_at)))
    .slice(0, limit + 1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function rowsOf(sql: SqlStorage, place: Place, { at, id }: { at: string; id: string }, limit: number): ListedChat[] {
  return sql
    .exec<ListedChat>(
      "SELECT id, row, last_at, is_read, is_pinned, archived, place FROM chats WHERE place = ? AND (last_at, id) < (?, ?) ORDER BY last_at DESC, id DESC LIMIT ?",
      place,
      at,
      id,
      limit,
    )
    .toArray();
}

function parsePosition(cursor: string | undefined): Position | null {
  const [place, at, id] = (cursor ?? "").split("~");
  const known = Object.values(PLACE).find((value) => String(value) === place);
  return known !== undefined && at && id ? { place: known, at, id } : null;
}

/** Unread chats, counted up to a limit that no badge reaches. */
function countUnread(sql: SqlStorage): number {
  return sql
    .exec<{ n: number }>("SELECT COUNT(*) AS n FROM (SELECT 1 FROM chats WHERE place = ? LIMIT ?)", PLACE.unread, UNREAD_COUNT_MAX)
    .one().n;
}

/** What a view holds, as a condition on `chats` with its one value, the statement's first. */
export function viewCondition(view: ChatView): { where: string; value: string } {
  const where = {
    all: "place IN (0, 1, 2) AND ?1 <> ''",
    archived: "place = 3 AND ?1 <> ''",
    inbox: "(place IN (0, 1) OR (place = 2 AND last_at >= ?1))",
  }[view];
  return { where, value: recentSince() };
}

/** How many chats a view holds, for acting on all of them: reads an index row for each. */
export function countChats(sql: SqlStorage, view: ChatView): number {
  const { where, value } = viewCondition(view);
  return sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM chats WHERE ${where}`, value).one().n;
}
