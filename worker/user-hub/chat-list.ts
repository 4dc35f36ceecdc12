import type { ChatView } from "#shared/contracts/chats.ts";
import type { Chat } from "#shared/entities/chat.ts";
import { RECENT_WINDOW_MS } from "#shared/limits.ts";
import { type ChatReport, ChatRow } from "../chat-room/rpc.ts";

type Stored = {
  id: string;
  version: number;
  changed: number;
  row: string;
  last_at: string;
  is_read: number;
  is_pinned: number;
  archived: number;
  deleted: number;
};

export type Marks = { isRead?: boolean | undefined; isPinned?: boolean | undefined; archived?: boolean | undefined };
export type ChatPage = { chats: Chat[]; nextCursor: string | null; unreadCount: number; liveCursor: string };

/** The list's row as its user sees it. */
function toChat(stored: Stored, userId: string): Chat {
  const { lastSender, activity: _, ...row } = ChatRow.parse(JSON.parse(stored.row));
  return {
    ...row,
    lastMessageSender: lastSender === null ? "" : lastSender.id === userId ? "You" : lastSender.name,
    isRead: stored.is_read === 1,
    isPinned: stored.is_pinned === 1,
    archived: stored.archived === 1,
  };
}

/** The next number of the hub's cursor, taken by whatever is written with it as its `changed`. */
function nextCursor(sql: SqlStorage): number {
  return currentCursor(sql) + 1;
}

/** Where the hub's changes stand: no row of its own, as each written row is billed; the hub's own number is where an older version left off. */
export function currentCursor(sql: SqlStorage): number {
  return sql.exec<{ cursor: number }>("SELECT MAX((SELECT cursor FROM hub), COALESCE((SELECT MAX(changed) FROM chats), 0)) AS cursor").one()
    .cursor;
}

/** Takes a room's report; one that is older than the row held is dropped. Answers the cursor, or null when dropped. */
export function putChat(sql: SqlStorage, { row, version }: ChatReport): number | null {
  const held = sql.exec<Pick<Stored, "version" | "deleted">>("SELECT version, deleted FROM chats WHERE id = ?", row.id).toArray()[0];
  if (held && (held.deleted === 1 || held.version > version)) return null;
  const cursor = nextCursor(sql);
  sql.exec(
    `INSERT INTO chats (id, version, changed, row, last_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET version = excluded.version, changed = excluded.changed, row = excluded.row, last_at = excluded.last_at`,
    row.id,
    version,
    cursor,
    JSON.stringify(row),
    row.lastMessageAt,
  );
  return cursor;
}

/** Forgets a chat; the emptied row stays so that tabs that were away learn of it. Answers the cursor, or null when unknown. */
export function dropChat(sql: SqlStorage, chatId: string): number | null {
  const known = sql.exec("SELECT 1 FROM chats WHERE id = ? AND deleted = 0", chatId).toArray().length > 0;
  if (!known) return null;
  const cursor = nextCursor(sql);
  sql.exec("UPDATE chats SET deleted = 1, row = '', changed = ? WHERE id = ?", cursor, chatId);
  return cursor;
}

/** One chat of the list. */
export function findChat(sql: SqlStorage, userId: string, chatId: string): Chat | null {
  const stored = sql.exec<Stored>("SELECT * FROM chats WHERE id = ? AND deleted = 0", chatId).toArray()[0];
  return stored ? toChat(stored, userId) : null;
}

/** Sets the user's own marks. Answers the cursor, or null for an unknown chat. */
export function markChat(sql: SqlStorage, chatId: string, marks: Marks): number | null {
  const cursor = nextCursor(sql);
  const rows = sql.exec(
    `UPDATE chats SET changed = ?, is_read = COALESCE(?, is_read), is_pinned = COALESCE(?, is_pinned), archived = COALESCE(?, archived)
     WHERE id = ? AND deleted = 0 RETURNING id`,
    cursor,
    asInteger(marks.isRead),
    asInteger(marks.isPinned),
    asInteger(marks.archived),
    chatId,
  );
  return rows.toArray().length > 0 ? cursor : null;
}

function asInteger(mark: boolean | undefined): number | null {
  return mark === undefined ? null : Number(mark);
}

/** A page of a view, newest first; the cursor is the last row's time and id. */
export function listChats(
  sql: SqlStorage,
  userId: string,
  { view, cursor, limit }: { view: ChatView; cursor?: string | undefined; limit: number },
): ChatPage {
  const [at, id] = parseCursor(cursor);
  const recent = new Date(Date.now() - RECENT_WINDOW_MS).toISOString();
  const rows = sql
    .exec<Stored>(
      `SELECT * FROM chats WHERE deleted = 0 AND ${VIEWS[view]} AND (last_at, id) < (?2, ?3) AND ?4 <> ''
       ORDER BY last_at DESC, id DESC LIMIT ?1`,
      limit + 1,
      at,
      id,
      recent,
    )
    .toArray();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const unread = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM chats WHERE deleted = 0 AND archived = 0 AND is_read = 0").one().n;
  return {
    chats: page.map((stored) => toChat(stored, userId)),
    nextCursor: last && rows.length > limit ? `${last.last_at}~${last.id}` : null,
    unreadCount: unread,
    liveCursor: String(currentCursor(sql)),
  };
}

const VIEWS: Record<ChatView, string> = {
  all: "archived = 0",
  archived: "archived = 1",
  inbox: "archived = 0 AND (is_read = 0 OR is_pinned = 1 OR last_at >= ?4)",
};

function parseCursor(cursor: string | undefined): [string, string] {
  const [at, id] = (cursor ?? "").split("~");
  return at && id ? [at, id] : ["9999", ""];
}

/** What changed above a cursor, oldest change first: chats, and ids of those that are gone. */
export function changesSince(sql: SqlStorage, userId: string, cursor: number): { cursor: number; chat: Chat | null; id: string }[] {
  return sql
    .exec<Stored>("SELECT * FROM chats WHERE changed > ? ORDER BY changed", cursor)
    .toArray()
    .map((stored) => ({ cursor: stored.changed, id: stored.id, chat: stored.deleted === 1 ? null : toChat(stored, userId) }));
}

/** How many rows changed above a cursor. */
export function countChangesSince(sql: SqlStorage, cursor: number): number {
  return sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM chats WHERE changed > ?", cursor).one().n;
}

/** Chats with a reply in progress, as far as this list knows. */
export function streamingChats(sql: SqlStorage): string[] {
  return sql
    .exec<{ id: string }>("SELECT id FROM chats WHERE deleted = 0 AND json_extract(row, '$.isStreaming') = 1")
    .toArray()
    .map((row) => row.id);
}
