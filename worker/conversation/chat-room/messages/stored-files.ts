/** How much the chat's files take, reported to its owner's hub: a number that each change raises keeps it in step. */
import type { Env } from "#worker/platform/env.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";

type ChatRow = { id: string; owner_id: string; stored_seq: number };

/** Notes that the chat's files are others now; call it in the transaction of the change. */
export function noteStored(sql: SqlStorage): void {
  sql.exec("UPDATE chat SET stored_seq = stored_seq + 1");
}

/** True where the chat has files or mails of its own. */
export function hasFiles(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM attachments UNION ALL SELECT 1 FROM mails LIMIT 1").toArray().length > 0;
}

/** True while the owner's hub may count other files than there are. */
export function isStoredPending(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM chat WHERE stored_seq > stored_reported").toArray().length > 0;
}

/** Reports to the owner's hub what the files take. Throws where it was not reached; then they stay pending. */
export async function reportStored(env: Env, sql: SqlStorage): Promise<void> {
  const { id, owner_id: ownerId, stored_seq: seq } = sql.exec<ChatRow>("SELECT id, owner_id, stored_seq FROM chat").one();
  const { bytes } = sql
    .exec<{ bytes: number }>(
      "SELECT (SELECT COALESCE(SUM(size), 0) FROM attachments) + (SELECT COALESCE(SUM(raw_size), 0) FROM mails) AS bytes",
    )
    .one();
  await hubOf(env, ownerId).keepStored({ chatId: id, bytes, seq });
  const [table] = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'chat'").toArray();
  if (table) sql.exec("UPDATE chat SET stored_reported = ?1 WHERE stored_reported < ?1", seq);
}

/** Takes the chat's files out of its owner's count before it is emptied. Throws where the hub was not reached. */
export async function releaseStored(env: Env, sql: SqlStorage): Promise<void> {
  const { id, owner_id: ownerId, stored_seq: seq } = sql.exec<ChatRow>("SELECT id, owner_id, stored_seq FROM chat").one();
  if (seq > 0) await hubOf(env, ownerId).keepStored({ chatId: id, bytes: 0, seq: seq + 1 });
}
