import type { Chat } from "#shared/entities/chat.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { ChatReport, ChatRow } from "#worker/conversation/room/rpc.ts";
import type { Marks } from "#worker/people/hub/rpc.ts";

/** `deleted` of a chat that went with its owner's account. */
const WITH_ACCOUNT = 3;

/** More missed rows than this are fetched again by a tab rather than sent one by one. */
export const CATCH_UP_ROWS = 200;

/** What a chat is begun with waits this long for a report that lets it, in milliseconds. */
export const BEGUN_MS = 24 * 60 * 60_000;

/** A chat as the hub holds it; `deleted` is 1 for a deleted chat, 2 for one that the user lost, and `WITH_ACCOUNT`. */
export type StoredChat = {
  id: string;
  version: number;
  changed: number;
  row: string;
  last_at: string;
  is_read: number;
  /** 1 where the user marked it unread: only opening it again takes that away. */
  is_marked_unread: number;
  is_pinned: number;
  archived: number;
  deleted: number;
  /** The room's count of what was added, as last reported. */
  activity: number;
  is_shared: number;
  place: number | null;
  folder_id: string | null;
  /** Ids of its tags, as JSON. */
  tags: string;
};

/** What a list shows of it; other columns are worked out of the row, which costs more than reading it. */
export type ListedChat = Pick<StoredChat, "row" | "is_read" | "is_pinned" | "archived" | "folder_id" | "tags">;

/** The list's row as its user sees it. */
export function toChat(stored: ListedChat, userId: string): Chat {
  const row = readRow(stored.row);
  const { lastSender } = row;
  return {
    id: row.id,
    user_id: row.user_id,
    title: row.title,
    public: row.public,
    lastMessageAt: row.lastMessageAt,
    lastMessagePreview: row.lastMessagePreview,
    lastMessageModel: row.lastMessageModel,
    created_at: row.created_at,
    isShared: row.isShared,
    hasBeenShared: row.hasBeenShared,
    permissionLevel: row.permissionLevel,
    sharedByName: row.sharedByName,
    ownerName: row.ownerName,
    isStreaming: row.isStreaming,
    isWaiting: row.isWaiting,
    hasMails: row.hasMails && row.permissionLevel !== "viewer",
    teams: row.teams,
    lastMessageSender: lastSender === null ? "" : lastSender.id === userId ? "You" : lastSender.name,
    isRead: stored.is_read === 1,
    isPinned: stored.is_pinned === 1,
    archived: stored.archived === 1,
    folder_id: stored.folder_id,
    tags: stored.tags === "[]" ? [] : JSON.parse(stored.tags),
  };
}

/** The hub's own writing of what a room reported; a page's rows took as long to check again as to parse. */
function readRow(json: string): ChatRow {
  // Rows from before there were approvals do not say whether one is waited for or there are mails, nor earlier ones which teams have the chat, whose model spoke last, or whose it is.
  return { isWaiting: false, hasMails: false, teams: [], lastMessageModel: null, ownerName: null, ...JSON.parse(json) };
}

/** The next number of the hub's cursor, taken by whatever is written with it as its `changed`. */
export function nextCursor(sql: SqlStorage): number {
  return currentCursor(sql) + 1;
}

/** Where the hub's changes stand: no row of its own, as each written row is billed; the hub's own number is where an older version left off. */
export function currentCursor(sql: SqlStorage): number {
  return sql.exec<{ cursor: number }>("SELECT MAX((SELECT cursor FROM hub), COALESCE((SELECT MAX(changed) FROM chats), 0)) AS cursor").one()
    .cursor;
}

/**
 * Takes a room's report; one that is older than the row held is dropped. The chat becomes unread where somebody else or a reply
 * added to it while nobody looked, and when it comes from another person. Answers the cursor, or null when dropped.
 */
export function putChat(
  sql: SqlStorage,
  { row, version }: Pick<ChatReport, "row" | "version">,
  { userId, isAttended }: { userId: string; isAttended: () => boolean },
): number | null {
  const existing = sql
    .exec<Pick<StoredChat, "version" | "deleted" | "activity" | "folder_id">>(
      "SELECT version, deleted, activity, folder_id FROM chats WHERE id = ?",
      row.id,
    )
    .toArray()[0];
  const isLost = existing?.deleted === 2;
  if (
    existing &&
    (existing.deleted === 1 || existing.deleted === WITH_ACCOUNT || existing.version > version || (isLost && existing.version === version))
  )
    return null;
  const isAdded = row.activity.seq > (existing?.activity ?? 0);
  const arrives = (!existing || isLost) && row.user_id !== userId;
  const isUnread = arrives || (isAdded && row.activity.by !== userId && !isAttended());
  const staysArchived = !isAdded && !row.isShared && !row.hasBeenShared;
  const filed = filingOf(sql, row, existing?.folder_id ?? null);
  const cursor = nextCursor(sql);
  sql.exec(
    `INSERT INTO chats (id, version, changed, row, last_at, activity, is_read, folder_id, tags)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?9, COALESCE(?10, '[]'))
     ON CONFLICT (id) DO UPDATE SET version = ?2, changed = ?3, row = ?4, last_at = ?5, activity = ?6, deleted = 0,
       is_read = MIN(is_read, ?7), archived = MIN(archived, ?8), folder_id = ?9, tags = COALESCE(?10, tags)`,
    row.id,
    version,
    cursor,
    JSON.stringify(row),
    row.lastMessageAt,
    row.activity.seq,
    Number(!isUnread),
    Number(staysArchived),
    filed.folderId,
    filed.tags,
  );
  return cursor;
}

/** The folder that a chat is in from now on, none where it left the folder's workspace; and its tags where it was begun with some. */
function filingOf(sql: SqlStorage, { id, teams }: ChatRow, folderId: string | null): { folderId: string | null; tags: string | null } {
  const holds = (folder: string | null) => {
    const [found] = folder === null ? [] : sql.exec<{ workspace: string }>("SELECT workspace FROM folders WHERE id = ?", folder).toArray();
    return found !== undefined && (found.workspace === "personal" ? teams.length === 0 : teams.includes(found.workspace));
  };
  if (folderId !== null) return { folderId: holds(folderId) ? folderId : null, tags: null };
  const begun = sql
    .exec<{ folder_id: string | null; tags: string; at: number }>("SELECT folder_id, tags, at FROM begun_in WHERE chat_id = ?", id)
    .toArray()[0];
  if (!begun) return { folderId: null, tags: null };
  const isLate = begun.at <= Date.now() - BEGUN_MS;
  const tags = isLate || begun.tags === "[]" ? null : begun.tags;
  // A chat that begins in a team's workspace may be reported before the team is known to have it: then the folder waits, without the tags.
  const waits = !isLate && begun.folder_id !== null && !holds(begun.folder_id);
  if (!waits) sql.exec("DELETE FROM begun_in WHERE chat_id = ?", id);
  else if (tags !== null) sql.exec("UPDATE begun_in SET tags = '[]' WHERE chat_id = ?", id);
  return { folderId: waits || isLate ? null : begun.folder_id, tags };
}

/** What the log says of a chat that is gone: where it stands in the log, and of one that went with its owner's account what it was called. */
export type RemovedChat = { cursor: number; why: "account" | undefined; title?: string | undefined };

/**
 * Forgets a chat; the emptied row stays, so tabs that were away learn of it and a late report finds it. A chat that
 * was lost comes back with a report above `lostAt`, the room's version; a deleted one never. Answers null when it was
 * not in the list.
 */
export function dropChat(
  sql: SqlStorage,
  chatId: string,
  { lostAt, why }: { lostAt?: number | undefined; why?: "account" | undefined } = {},
): RemovedChat | null {
  const existing = sql
    .exec<Pick<StoredChat, "deleted" | "version"> & { title: string | null }>(
      "SELECT deleted, version, CASE WHEN row = '' THEN NULL ELSE json_extract(row, '$.title') END AS title FROM chats WHERE id = ?",
      chatId,
    )
    .toArray()[0];
  const isKnown = existing !== undefined && lostAt !== undefined && (existing.deleted !== 0 || existing.version > lostAt);
  if (isKnown) return null;
  const cursor = nextCursor(sql);
  sql.exec(
    `INSERT INTO chats (id, version, changed, row, last_at, deleted) VALUES (?1, ?2, ?3, '', '', ?4)
     ON CONFLICT (id) DO UPDATE SET deleted = ?4, row = '', version = MAX(version, ?2), changed = ?3, folder_id = NULL, tags = '[]'`,
    chatId,
    lostAt ?? 0,
    cursor,
    why === "account" ? WITH_ACCOUNT : lostAt === undefined ? 1 : 2,
  );
  return existing?.deleted === 0 ? { cursor, why, title: why && (existing.title ?? undefined) } : null;
}

/** One chat of the list, as it is stored. */
export function findStored(sql: SqlStorage, chatId: string): StoredChat | null {
  return sql.exec<StoredChat>("SELECT * FROM chats WHERE id = ? AND deleted = 0", chatId).toArray()[0] ?? null;
}

/** One chat of the list. */
export function findChat(sql: SqlStorage, userId: string, chatId: string): Chat | null {
  const stored = findStored(sql, chatId);
  return stored && toChat(stored, userId);
}

/** Sets the user's own marks. Answers the cursor, or null for an unknown chat; a shared chat is not archived. */
export function markChat(sql: SqlStorage, chatId: string, marks: Marks): Outcome<number | null> {
  const stored = findStored(sql, chatId);
  if (!stored) return { ok: true, value: null };
  if (marks.archived && stored.is_shared === 1) return { ok: false, code: "SHARED_NOT_ARCHIVED" };
  const cursor = nextCursor(sql);
  sql.exec(
    `UPDATE chats SET changed = ?, is_read = COALESCE(?, is_read), is_marked_unread = COALESCE(?, is_marked_unread),
       is_pinned = COALESCE(?, is_pinned), archived = COALESCE(?, archived) WHERE id = ?`,
    cursor,
    asInteger(marks.isRead),
    marks.isRead === undefined ? null : Number(!marks.isRead),
    asInteger(marks.isPinned),
    asInteger(marks.archived),
    chatId,
  );
  return { ok: true, value: cursor };
}

function asInteger(mark: boolean | undefined): number | null {
  return mark === undefined ? null : Number(mark);
}

/** A chat as it is since a change, or null with why it is gone, where that is given. */
type ChatChange = RemovedChat & { id: string; chat: Chat | null };

/** What changed above a cursor, oldest change first: chats, and ids of those that are gone. */
export function changesSince(sql: SqlStorage, userId: string, cursor: number): ChatChange[] {
  return sql
    .exec<StoredChat>("SELECT * FROM chats WHERE changed > ? ORDER BY changed", cursor)
    .toArray()
    .map((stored) => ({
      cursor: stored.changed,
      id: stored.id,
      chat: stored.deleted === 0 ? toChat(stored, userId) : null,
      why: stored.deleted === WITH_ACCOUNT ? "account" : undefined,
    }));
}

/** True where more than so many rows changed above a cursor. */
export function hasChangedBy(sql: SqlStorage, cursor: number, rows: number): boolean {
  const query = "SELECT COUNT(*) AS n FROM (SELECT 1 FROM chats WHERE changed > ? LIMIT ?)";
  return sql.exec<{ n: number }>(query, cursor, rows + 1).one().n > rows;
}

/** A stream ends with the room's life, which the platform renews every day or so: an older reply's is closed; milliseconds. */
const STREAM_MS = 7 * 24 * 60 * 60_000;

/** Chats with a reply that somebody may follow, in progress or waiting for a word, as far as this list knows; reads none that nobody wrote in lately. */
export function streamingChats(sql: SqlStorage): string[] {
  return sql
    .exec<{ id: string }>(
      `SELECT id FROM chats WHERE place IN (0, 1, 2, 3) AND last_at >= ?
         AND (json_extract(row, '$.isStreaming') = 1 OR json_extract(row, '$.isWaiting') = 1)`,
      new Date(Date.now() - STREAM_MS).toISOString(),
    )
    .toArray()
    .map((row) => row.id);
}
