/** Marks on many chats at once, and how they are taken back. */
import type { BulkAction, BulkResult } from "#shared/contracts/chat/inbox.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import { ERRORS, type ErrorCode } from "#shared/errors.ts";
import { BULK_CHATS, UNDO_MS } from "#shared/limits.ts";
import { CATCH_UP_ROWS, nextCursor } from "./chat-list.ts";
import type { Viewed } from "#worker/conversation/hub/rpc.ts";
import { viewCondition, workspaceCondition } from "./chat-views.ts";

export type MarkAction = Exclude<BulkAction, "delete">;
/** Named chats, or all that a view holds. */
export type Selection = { ids: string[] } | Viewed;

/** How each mark is set, on which chats it changes anything, and what takes it back. */
const MARKS: Record<MarkAction, { set: string; where: string; inverse: MarkAction }> = {
  read: { set: "is_read = 1, is_marked_unread = 0", where: "is_read = 0", inverse: "unread" },
  unread: { set: "is_read = 0, is_marked_unread = 1", where: "is_read = 1", inverse: "read" },
  pin: { set: "is_pinned = 1", where: "is_pinned = 0", inverse: "unpin" },
  unpin: { set: "is_pinned = 0", where: "is_pinned = 1", inverse: "pin" },
  archive: { set: "archived = 1", where: "archived = 0 AND is_shared = 0", inverse: "unarchive" },
  unarchive: { set: "archived = 0", where: "archived = 1", inverse: "archive" },
};

/** Ids in one value of a row or statement, which holds 2 MB. */
const IDS_A_ROW = 20_000;

export type Marked = {
  /** The chats that changed. */
  ids: string[];
  results: BulkResult[];
  refused: number;
  token: string | null;
};

/** Marks chats in one pass and keeps for some minutes how to take it back; what is so already stays as it is. Call it in a transaction. */
export function markMany(sql: SqlStorage, action: MarkAction, selection: Selection): Marked {
  const ids = applyMark(sql, action, selection);
  const refusals = refusalsOf(sql, action, selection);
  const token = ids.length > 0 ? storeUndo(sql, [{ action, ids }]) : null;
  return { ids, token, ...refusals };
}

/** Takes marks or a filing back where they still stand; null where it is too late. Call it in a transaction. */
export function undoMarks(sql: SqlStorage, token: string): Marked | null {
  const parts = sql
    .exec<{ action: string; ids: string }>("SELECT action, ids FROM undo WHERE token = ? AND at > ?", token, Date.now() - UNDO_MS)
    .toArray();
  if (parts.length === 0) return null;
  const ids = parts.flatMap(({ action, ids: part }) => {
    const chats = part.split(" ");
    return isMark(action) ? applyMark(sql, MARKS[action].inverse, { ids: chats }) : undoFiling(sql, action, chats);
  });
  return { ids, results: [], refused: 0, token: null };
}

function isMark(action: string): action is MarkAction {
  return Object.hasOwn(MARKS, action);
}

/** How the undo of a filing is written down: where the chats went, and where they were. */
export function filingAction({ from, to }: { from: string | null; to: string | null }): string {
  return `file ${to ?? ""} ${from ?? ""}`;
}

/** Chats that are still where a filing put them go back, if the folder is there and of their workspace. */
function undoFiling(sql: SqlStorage, action: string, chats: readonly string[]): string[] {
  const [, to = "", from = ""] = action.split(" ");
  const [folder] = sql.exec<{ workspace: WorkspaceId }>("SELECT workspace FROM folders WHERE id = ?", from).toArray();
  if (from !== "" && !folder) return [];
  const { where, value } = selectionCondition({ ids: [...chats] });
  const ids = sql
    .exec<{ id: string }>(
      `SELECT id FROM chats WHERE deleted = 0 AND ${where} AND COALESCE(folder_id, '') = ?2 AND ${workspaceCondition(folder?.workspace)}`,
      value,
      to,
    )
    .toArray()
    .map(({ id }) => id);
  changeRows(sql, ids, from === "" ? "folder_id = NULL" : `folder_id = '${from}'`);
  return ids;
}

function applyMark(sql: SqlStorage, action: MarkAction, selection: Selection): string[] {
  const { set, where } = MARKS[action];
  const chosen = selectionCondition(selection);
  const ids = sql
    .exec<{ id: string }>(`SELECT id FROM chats WHERE deleted = 0 AND ${chosen.where} AND ${where}`, chosen.value)
    .toArray()
    .map(({ id }) => id);
  changeRows(sql, ids, set);
  return ids;
}

/** Changes rows: few get a cursor each, so a tab that is cut off half way knows what it has; of many it reads all again. */
export function changeRows(sql: SqlStorage, ids: readonly string[], set: string): void {
  const cursor = nextCursor(sql);
  if (ids.length <= CATCH_UP_ROWS) {
    for (const [n, id] of ids.entries()) sql.exec(`UPDATE chats SET ${set}, changed = ? WHERE id = ?`, cursor + n, id);
    return;
  }
  for (const part of chunkIds(ids)) {
    sql.exec(`UPDATE chats SET ${set}, changed = ? WHERE id IN (SELECT value FROM json_each(?))`, cursor, JSON.stringify(part));
  }
}

/** Lists that fit into one value of a statement. */
export function chunkIds(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / IDS_A_ROW) }, (_, part) => ids.slice(part * IDS_A_ROW, (part + 1) * IDS_A_ROW));
}

/** The condition on `chats` that a selection stands for, with its one value, the first of its statement. */
export function selectionCondition(selection: Selection): { where: string; value: string } {
  if ("view" in selection) return viewCondition(selection);
  return { where: "id IN (SELECT value FROM json_each(?1))", value: JSON.stringify(selection.ids) };
}

function refusalsOf(sql: SqlStorage, action: MarkAction, selection: Selection): { results: BulkResult[]; refused: number } {
  const chosen = selectionCondition(selection);
  const shared =
    action === "archive"
      ? sql
          .exec<{ id: string }>(`SELECT id FROM chats WHERE deleted = 0 AND is_shared = 1 AND ${chosen.where}`, chosen.value)
          .toArray()
          .map(({ id }) => id)
      : [];
  if ("view" in selection) {
    return { results: shared.slice(0, BULK_CHATS).map((id) => refusal(id, "SHARED_NOT_ARCHIVED")), refused: shared.length };
  }
  const known = new Set(
    sql
      .exec<{ id: string }>(`SELECT id FROM chats WHERE deleted = 0 AND ${chosen.where}`, chosen.value)
      .toArray()
      .map(({ id }) => id),
  );
  const results = selection.ids.map((id) => {
    if (!known.has(id)) return refusal(id, "NOT_FOUND");
    return shared.includes(id) ? refusal(id, "SHARED_NOT_ARCHIVED") : { id, ok: true as const };
  });
  return { results, refused: results.filter(({ ok }) => !ok).length };
}

/** Why nothing was done with one chat. */
export function refusal(id: string, code: ErrorCode, reason: string = ERRORS[code].message): BulkResult {
  return { id, ok: false, code, reason };
}

/** Keeps for some minutes what takes something back; each group by its own action. */
export function storeUndo(sql: SqlStorage, groups: readonly { action: string; ids: readonly string[] }[]): string {
  const token = crypto.randomUUID();
  const at = Date.now();
  sql.exec("DELETE FROM undo WHERE at <= ?", at - UNDO_MS);
  const parts = groups.flatMap(({ action, ids }) => chunkIds(ids).map((list) => ({ action, list })));
  for (const [part, { action, list }] of parts.entries()) {
    sql.exec("INSERT INTO undo (token, part, action, ids, at) VALUES (?, ?, ?, ?, ?)", token, part, action, list.join(" "), at);
  }
  return token;
}
