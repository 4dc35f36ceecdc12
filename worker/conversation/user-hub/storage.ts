/** What the files in the user's own chats take: a sum by chat as its room last counted it, and what uploads under way may add. */
import { STORAGE_BYTES } from "#shared/limits.ts";
import type { StoredFiles } from "#worker/people/hub/rpc.ts";

/** An upload that never reported its end counts no longer than this many milliseconds: none takes longer. */
const HOLD_MS = 60 * 60_000;

/** Takes a room's count of its files, unless a later one is here. A count of none stays: without its number an earlier one that comes late would count. */
export function recordStored(sql: SqlStorage, { chatId, bytes, seq }: StoredFiles): void {
  sql.exec(
    `INSERT INTO stored (chat_id, bytes, seq) VALUES (?1, ?2, ?3)
     ON CONFLICT (chat_id) DO UPDATE SET bytes = ?2, seq = ?3 WHERE seq <= ?3`,
    chatId,
    bytes,
    seq,
  );
}

/** Bytes of all files in the user's own chats. */
export function storedBytes(sql: SqlStorage): number {
  return sql.exec<{ n: number }>("SELECT COALESCE(SUM(bytes), 0) AS n FROM stored").one().n;
}

/** Holds room for files on their way, once by `id`; false where they are more than the quota leaves beside others on theirs. */
export function reserveStorage(sql: SqlStorage, { id, bytes }: { id: string; bytes: number }): boolean {
  const now = Date.now();
  sql.exec("DELETE FROM storage_holds WHERE at < ?", now - HOLD_MS);
  const reserved = sql.exec<{ n: number }>("SELECT COALESCE(SUM(bytes), 0) AS n FROM storage_holds WHERE id <> ?", id).one().n;
  if (storedBytes(sql) + reserved + bytes > STORAGE_BYTES) return false;
  sql.exec("INSERT INTO storage_holds (id, bytes, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", id, bytes, now);
  return true;
}

/** Gives back what was held, as the files arrived and are counted, or never will. */
export function releaseStorage(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM storage_holds WHERE id = ?", id);
}
