/** What the hub holds of chats, for whoever compares it with their rooms. */
import type { HubChat } from "#worker/conversation/room/rpc.ts";
import type { IdsPage } from "#worker/conversation/hub/rpc.ts";
import { KNOWLEDGE_FILES } from "#worker/people/hub/rpc.ts";

const STATES = ["listed", "deleted", "lost", "deleted"] as const;

type Row = { id: string; version: number | null; deleted: number | null; bytes: number | null; seq: number | null };

const LISTED = "SELECT id FROM chats WHERE id > ?1 AND deleted = 0";
const EVER = "SELECT id FROM chats WHERE id > ?1 UNION SELECT chat_id FROM ledger WHERE chat_id > ?1";

/** Ids above `after`, in their order, of the chats that are on the list or whose files are counted; with `all` also of those that ever were, or were paid for. */
export function listedIds(sql: SqlStorage, { after, limit, all = false }: IdsPage): string[] {
  return sql
    .exec<{ id: string }>(
      `${all ? EVER : LISTED} UNION SELECT chat_id FROM stored WHERE chat_id > ?1 AND bytes <> 0 AND chat_id <> ?3 ORDER BY 1 LIMIT ?2`,
      after,
      limit,
      KNOWLEDGE_FILES,
    )
    .toArray()
    .map(({ id }) => id);
}

/** How these chats are held, in the order of `ids`. */
export function readHubChats(sql: SqlStorage, ids: readonly string[]): HubChat[] {
  return sql
    .exec<Row>(
      `SELECT wanted.value AS id, c.version, c.deleted, s.bytes, s.seq FROM json_each(?) AS wanted
         LEFT JOIN chats c ON c.id = wanted.value LEFT JOIN stored s ON s.chat_id = wanted.value`,
      JSON.stringify(ids),
    )
    .toArray()
    .map(({ id, version, deleted, bytes, seq }) => ({
      id,
      state: deleted === null ? "unknown" : (STATES[deleted] ?? "listed"),
      version: version ?? 0,
      stored: bytes === null || seq === null ? null : { bytes, seq },
    }));
}
