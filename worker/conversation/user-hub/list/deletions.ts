/** Deletions of many chats: off the list at once, emptied one after another by a job, back in the list where that failed. */
import type { BulkResult } from "#shared/contracts/chat/inbox.ts";
import { BULK_CHATS } from "#shared/limits.ts";
import { changeRows, selectionCondition, chunkIds, refusal, type Selection } from "./bulk.ts";
import { nextCursor } from "./chat-list.ts";
import type { DeletionOutcomes } from "#worker/conversation/hub/rpc.ts";

/** A chat that could not be deleted so often is given back. */
const TRIES = 3;
/** A deletion that reported nothing for so many milliseconds is taken up again. */
const LOST_MS = 10 * 60_000;
const NOT_OWN = "Only its owner can delete a chat.";

/** A deletion as it stands; over once `done` and `failed` make up `total`. */
export type Deletion = { id: string; total: number; done: number; failed: number };
export type MarkedForDeletion = { jobId: string | null; ids: string[]; results: BulkResult[]; refused: number };

/** Takes the user's own chats of a selection off the list and notes them for the job; one that is gone already counts as done. Call it in a transaction. */
export function markForDeletion(sql: SqlStorage, selection: Selection): MarkedForDeletion {
  const chosen = selectionCondition(selection);
  const found = sql
    .exec<{ id: string; level: string | null; deleted: number }>(
      `SELECT id, deleted, CASE WHEN row = '' THEN NULL ELSE json_extract(row, '$.permissionLevel') END AS level
       FROM chats WHERE ${chosen.where} AND deleted <> 2`,
      chosen.value,
    )
    .toArray();
  const stateOf = new Map(found.map((chat) => [chat.id, chat]));
  const judge = (id: string): BulkResult => {
    const chat = stateOf.get(id);
    if (!chat) return refusal(id, "NOT_FOUND");
    return chat.deleted === 1 || chat.level === "owner" ? { id, ok: true } : refusal(id, "FORBIDDEN", NOT_OWN);
  };
  const results = ("ids" in selection ? selection.ids : [...stateOf.keys()]).map(judge);
  const refusals = results.filter(({ ok }) => !ok);
  const ids = found.filter(({ deleted, level }) => deleted === 0 && level === "owner").map(({ id }) => id);
  const jobId = ids.length > 0 ? begin(sql, ids) : null;
  return { jobId, ids, results: "ids" in selection ? results : refusals.slice(0, BULK_CHATS), refused: refusals.length };
}

function begin(sql: SqlStorage, ids: readonly string[]): string {
  const jobId = crypto.randomUUID();
  sql.exec("INSERT INTO deletions (id, total, failed, at) VALUES (?, ?, 0, ?)", jobId, ids.length, Date.now());
  changeRows(sql, ids, "deleted = 1");
  for (const part of chunkIds(ids)) {
    sql.exec("INSERT INTO doomed (chat_id, deletion_id) SELECT value, ? FROM json_each(?)", jobId, JSON.stringify(part));
  }
  return jobId;
}

/** The next chats of a deletion, those that failed before last. */
export function nextToDelete(sql: SqlStorage, jobId: string, limit: number): string[] {
  return sql
    .exec<{ chat_id: string }>("SELECT chat_id FROM doomed WHERE deletion_id = ? ORDER BY tries, chat_id LIMIT ?", jobId, limit)
    .toArray()
    .map((row) => row.chat_id);
}

/**
 * Notes what became of some chats of a deletion; repeated, it counts once. Returns how the deletion stands and the chats that are
 * back in the list as they were when it began; null where the deletion is over. Call it in a transaction.
 */
export function settleDeletions(
  sql: SqlStorage,
  jobId: string,
  { done, failed, refused }: DeletionOutcomes,
): (Deletion & { restored: string[] }) | null {
  const job = sql.exec<{ total: number; failed: number }>("SELECT total, failed FROM deletions WHERE id = ?", jobId).toArray()[0];
  if (!job) return null;
  for (const id of done) sql.exec("DELETE FROM doomed WHERE chat_id = ? AND deletion_id = ?", id, jobId);
  for (const id of failed) sql.exec("UPDATE doomed SET tries = tries + 1 WHERE chat_id = ? AND deletion_id = ?", id, jobId);
  const given = sql
    .exec<{ chat_id: string }>(
      "DELETE FROM doomed WHERE deletion_id = ?1 AND (tries >= ?2 OR chat_id IN (SELECT value FROM json_each(?3))) RETURNING chat_id",
      jobId,
      TRIES,
      JSON.stringify(refused),
    )
    .toArray()
    .map((row) => row.chat_id);
  for (const id of given) restore(sql, id);
  const left = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM doomed WHERE deletion_id = ?", jobId).one().n;
  const hasFailed = job.failed + given.length;
  if (left === 0) sql.exec("DELETE FROM deletions WHERE id = ?", jobId);
  else sql.exec("UPDATE deletions SET failed = ?, at = ? WHERE id = ?", hasFailed, Date.now(), jobId);
  return { id: jobId, total: job.total, done: job.total - left - hasFailed, failed: hasFailed, restored: given };
}

/** Puts a chat back that is still whole. */
function restore(sql: SqlStorage, chatId: string): void {
  sql.exec("UPDATE chats SET deleted = 0, changed = ? WHERE id = ? AND deleted = 1 AND row <> ''", nextCursor(sql), chatId);
}

/** When a deletion's job counts as lost unless something is reported of it before, in epoch milliseconds; null for a deletion that is over. */
export function deletionLostAt(sql: SqlStorage, id: string): number | null {
  const found = sql.exec<{ at: number }>("SELECT at FROM deletions WHERE id = ?", id).toArray()[0];
  return found ? found.at + LOST_MS : null;
}

/** Deletions that nothing looks after any more: they count as reported now. */
export function claimLostDeletions(sql: SqlStorage): string[] {
  const lost = sql.exec<{ id: string }>("SELECT id FROM deletions WHERE at <= ?", Date.now() - LOST_MS).toArray();
  for (const { id } of lost) noteDeletionProgress(sql, id);
  return lost.map(({ id }) => id);
}

/** Notes that a deletion's job is under way. */
export function noteDeletionProgress(sql: SqlStorage, id: string): void {
  sql.exec("UPDATE deletions SET at = ? WHERE id = ?", Date.now(), id);
}
