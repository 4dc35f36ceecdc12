/** The list's views: what each holds and in which order, a page at a time, whatever the number of chats. */
import type { Chat } from "#shared/entities/chat.ts";
import { RECENT_WINDOW_MS, UNREAD_COUNT_MAX } from "#shared/limits.ts";
import { isUuid } from "#shared/uuid.ts";
import type { Viewed } from "#worker/conversation/hub/rpc.ts";
import { countWaiting } from "./waiting-items.ts";
import { currentCursor, type ListedChat, toChat } from "./chat-list.ts";

/** Where a chat stands: the column `place`, which migrations.ts derives from its marks; null for one that is gone. */
const PLACE = { unread: 0, pinned: 1, other: 2, archived: 3 } as const;
type Place = (typeof PLACE)[keyof typeof PLACE];
/** The inbox's groups in their order; the list of all chats has the same ones. */
const GROUPS = [PLACE.unread, PLACE.pinned, PLACE.other];

type ChatPage = { chats: Chat[]; nextCursor: string | null; unreadCount: number; waitingCount: number; liveCursor: string };
type Workspace = Viewed["workspace"];
type PageQuery = Viewed & { cursor?: string | undefined; limit: number };
/** A query with its condition on `chats`. */
type Page = PageQuery & { condition: string };

/** A page's end: a row's time and id, of the inbox its group too. */
type Position = { place: Place; at: string; id: string };

const TOP = { at: "9999", id: "" };

/** Reads pages of one user's list. */
export type ChatPages = {
  /** A page of a view; each chat is in one group of the inbox alone. */
  read(query: PageQuery): ChatPage;
  /** Forgets what was counted, when the list is emptied and its changes are numbered again. */
  forget(): void;
};

/** Unread chats are counted once for as long as no chat changes: whoever scrolls through the list asks for page after page. */
export function createChatPages(sql: SqlStorage, userId: string): ChatPages {
  let counted: { cursor: number; workspace: Workspace; unread: number } | null = null;

  return {
    read(query) {
      const { view, workspace, limit } = query;
      const page = { ...query, condition: condition(query) };
      const rows = view === "inbox" ? inboxRows(sql, page) : viewRows(sql, page);
      const chats = rows.slice(0, limit).map((stored) => toChat(stored, userId));
      const last = rows.length > limit ? chats.at(-1) : undefined;
      const cursor = currentCursor(sql);
      if (counted?.cursor !== cursor || counted.workspace !== workspace)
        counted = { cursor, workspace, unread: countUnread(sql, workspace) };
      return {
        chats,
        nextCursor: last ? `${placeOf(last)}~${last.lastMessageAt}~${last.id}` : null,
        unreadCount: counted.unread,
        waitingCount: countWaiting(sql),
        liveCursor: String(cursor),
      };
    },
    forget() {
      counted = null;
    },
  };
}

/** What the column `place` says of it. */
function placeOf({ archived, isRead, isPinned }: Chat): Place {
  if (archived) return PLACE.archived;
  if (!isRead) return PLACE.unread;
  return isPinned ? PLACE.pinned : PLACE.other;
}

/** The start of the inbox's last group: chats as old as this are in it no longer. */
function recentSince(): string {
  return new Date(Date.now() - RECENT_WINDOW_MS).toISOString();
}

/** Group after group, as many rows as a page needs and one more. */
function inboxRows(sql: SqlStorage, { condition: where, cursor, limit }: Page): ListedChat[] {
  const from = parsePosition(cursor);
  const rows: ListedChat[] = [];
  for (const place of GROUPS) {
    if (from && place < from.place) continue;
    const after = from?.place === place ? from : TOP;
    const since = place === PLACE.other ? recentSince() : "";
    rows.push(...rowsOf(sql, [place], { where, after, since, limit: limit + 1 - rows.length }));
    if (rows.length > limit) break;
  }
  return rows;
}

/** Newest first over all places of the view. */
function viewRows(sql: SqlStorage, { view, condition: where, cursor, limit }: Page): ListedChat[] {
  const after = parsePosition(cursor) ?? TOP;
  return rowsOf(sql, view === "archived" ? [PLACE.archived] : GROUPS, { where, after, since: "", limit: limit + 1 });
}

type Range = { where: string; after: { at: string; id: string }; since: string; limit: number };

/**
 * Rows of some places, newest first. Each place has its own range of the index, and SQLite merges them row by row, so no more are
 * read than are answered. The plus keeps the limit out of its plan, which it would make again for each value.
 */
function rowsOf(sql: SqlStorage, places: readonly Place[], { where, after, since, limit }: Range): ListedChat[] {
  const ranges = places.map(
    (place) =>
      `SELECT row, is_read, is_pinned, archived, folder_id, tags, last_at, id FROM chats
       WHERE place = ${place} AND (last_at, id) < (?1, ?2) AND last_at >= ?3 AND ${where}`,
  );
  const newest = `${ranges.join(" UNION ALL ")} ORDER BY last_at DESC, id DESC LIMIT +?4`;
  const query = `SELECT row, is_read, is_pinned, archived, folder_id, tags FROM (${newest}) ORDER BY last_at DESC, id DESC`;
  return sql.exec<ListedChat>(query, after.at, after.id, since, limit).toArray();
}

function parsePosition(cursor: string | undefined): Position | null {
  const [place, at, id] = (cursor ?? "").split("~");
  const known = Object.values(PLACE).find((value) => String(value) === place);
  return known !== undefined && at && id ? { place: known, at, id } : null;
}

/** Unread chats, counted up to a limit that no badge reaches. */
export function countUnread(sql: SqlStorage, workspace?: Workspace): number {
  const query = `SELECT COUNT(*) AS n FROM (SELECT 1 FROM chats WHERE place = ? AND ${workspaceCondition(workspace)} LIMIT +?)`;
  return sql.exec<{ n: number }>(query, PLACE.unread, UNREAD_COUNT_MAX).one().n;
}

/** What a workspace holds, as a condition on `chats` without a value of its own. Throws for what is no workspace. */
export function workspaceCondition(workspace: Workspace = "all"): string {
  if (workspace === "all") return "1";
  if (workspace === "personal") return "teams = '[]'";
  return `instr(teams, '"${checkedId(workspace)}"') > 0`;
}

/** What a workspace, a folder and a tag leave, as a condition on `chats` that its index answers. */
function condition({ workspace, folder, subfolders = false, tag }: Viewed): string {
  const parts = [workspaceCondition(workspace)];
  if (folder === "none") parts.push(`NOT ${isFiled(workspace)}`);
  else if (folder !== undefined) parts.push(subfolders ? withinCondition(folder) : `folder_id = '${checkedId(folder)}'`);
  if (tag !== undefined) parts.push(`instr(tags, '"${checkedId(tag)}"') > 0`);
  return parts.join(" AND ");
}

/** True of chats that are in a folder which the workspace shows: one of another team's may hold a chat that stands here too. */
function isFiled(workspace: Workspace = "all"): string {
  if (workspace === "all") return "(folder_id IS NOT NULL)";
  const own = `SELECT id FROM folders WHERE workspace = '${workspace === "personal" ? workspace : checkedId(workspace)}'`;
  return `(folder_id IS NOT NULL AND folder_id IN (${own}))`;
}

/** True of chats in a folder or below it. */
function withinCondition(folder: string): string {
  const below = "SELECT folders.id FROM folders JOIN within ON folders.parent_id = within.id";
  return `folder_id IN (WITH RECURSIVE within(id) AS (SELECT '${checkedId(folder)}' UNION ALL ${below}) SELECT id FROM within)`;
}

/** An id that may stand in a statement. Throws for what is none. */
function checkedId(id: string): string {
  if (!isUuid(id)) throw new Error("A condition takes ids alone.");
  return id;
}

/** What a view holds, as a condition on `chats` with its one value, the statement's first. */
export function viewCondition(viewed: Viewed): { where: string; value: string } {
  const where = {
    all: "place IN (0, 1, 2) AND ?1 <> ''",
    archived: "place = 3 AND ?1 <> ''",
    inbox: "(place IN (0, 1) OR (place = 2 AND last_at >= ?1))",
  }[viewed.view];
  return { where: `${where} AND ${condition(viewed)}`, value: recentSince() };
}

/** How many chats a view holds, for acting on all of them: reads an index row for each. */
export function countChats(sql: SqlStorage, viewed: Viewed): number {
  const { where, value } = viewCondition(viewed);
  return sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM chats WHERE ${where}`, value).one().n;
}
