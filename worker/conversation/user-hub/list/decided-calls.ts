/** What became of the calls that waited for the user's own word. */
import type { DecidedCall } from "#shared/entities/waiting-call.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import type { DecidedPage } from "#worker/conversation/hub/rpc.ts";
import type { StoredCallRow } from "./waiting-rows.ts";

/** So many are kept. */
const DECIDED_MAX = 200;

type Row = { call_id: string; chat_id: string; reply_id: string; at: string; call: string; chat: string };

/** Keeps the calls that no longer wait: as their room says that they were decided, else as they waited. */
export function storeDecidedCalls(
  sql: SqlStorage,
  { gone, decided }: { gone: readonly StoredCallRow[]; decided: readonly ToolCall[] },
): void {
  if (gone.length === 0) return;
  const at = new Date().toISOString();
  for (const { call_id: id, chat_id: chatId, reply_id: replyId, call } of gone) {
    const decision = decided.find((one) => one.id === id);
    sql.exec(
      "INSERT INTO decided_calls (call_id, chat_id, reply_id, at, call) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
      id,
      chatId,
      replyId,
      at,
      decision ? JSON.stringify(decision) : call,
    );
  }
  sql.exec(
    "DELETE FROM decided_calls WHERE call_id IN (SELECT call_id FROM decided_calls ORDER BY at DESC, call_id DESC LIMIT -1 OFFSET ?)",
    DECIDED_MAX,
  );
}

/** A page of them, newest first. */
export function listDecidedCalls(
  sql: SqlStorage,
  { cursor = "9999~", limit }: { cursor?: string | undefined; limit: number },
): DecidedPage {
  const [at, id] = cursor.split("~");
  const rows = sql
    .exec<Row>(
      `SELECT d.call_id, d.chat_id, d.reply_id, d.at, d.call, c.row AS chat FROM decided_calls d
         JOIN chats c ON c.id = d.chat_id AND c.deleted = 0
       WHERE (d.at, d.call_id) < (?, ?) ORDER BY d.at DESC, d.call_id DESC LIMIT ?`,
      at ?? "",
      id ?? "",
      limit + 1,
    )
    .toArray();
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { decided: page.map(toDecidedCall), nextCursor: last ? `${last.at}~${last.call_id}` : null };
}

/** Both texts are the hub's own writing of what a room reported. */
function toDecidedCall({ chat_id: chatId, reply_id: replyId, at, call: stored, chat }: Row): DecidedCall {
  const call: DecidedCall["call"] = JSON.parse(stored);
  const { title }: { title: string } = JSON.parse(chat);
  return { chat: { id: chatId, title }, message_id: replyId, call, decided_at: at };
}
