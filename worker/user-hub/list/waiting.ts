/** The calls of all the user's chats that wait for the user's own word, as their rooms last reported them. */
import type { WaitingCall } from "#shared/entities/waiting-call.ts";
import type { WaitingReport } from "#worker/chat-room/rpc.ts";

/** A page of what waits, newest first, and how many there are on all pages. */
export type WaitingPage = { approvals: WaitingCall[]; count: number; nextCursor: string | null };

type Row = { call_id: string; chat_id: string; reply_id: string; since: string; call: string; chat: string };

/** Takes what waits in one chat in place of what waited there before; answers whether anything changed. */
export function putWaiting(sql: SqlStorage, chatId: string, waiting: readonly WaitingReport[]): boolean {
  const held = sql.exec<{ call_id: string }>("SELECT call_id FROM waiting_calls WHERE chat_id = ?", chatId).toArray();
  const ids = new Set(waiting.map(({ call }) => call.id));
  const gone = held.filter(({ call_id: id }) => !ids.has(id));
  const known = new Set(held.map(({ call_id: id }) => id));
  const added = waiting.filter(({ call }) => !known.has(call.id));
  for (const { call_id: id } of gone) sql.exec("DELETE FROM waiting_calls WHERE call_id = ?", id);
  for (const { replyId, call } of added) {
    const since = call.approval?.since ?? new Date().toISOString();
    sql.exec(
      "INSERT INTO waiting_calls (call_id, chat_id, reply_id, since, call) VALUES (?, ?, ?, ?, ?)",
      call.id,
      chatId,
      replyId,
      since,
      JSON.stringify(call),
    );
  }
  return gone.length > 0 || added.length > 0;
}

/** How many calls wait. */
export function countWaiting(sql: SqlStorage): number {
  return sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM waiting_calls").one().n;
}

/** A page of what waits. */
export function listWaiting(sql: SqlStorage, { cursor = "9999~", limit }: { cursor?: string | undefined; limit: number }): WaitingPage {
  const [since, id] = cursor.split("~");
  const rows = sql
    .exec<Row>(
      `SELECT w.call_id, w.chat_id, w.reply_id, w.since, w.call, c.row AS chat FROM waiting_calls w
         JOIN chats c ON c.id = w.chat_id AND c.deleted = 0
       WHERE (w.since, w.call_id) < (?, ?) ORDER BY w.since DESC, w.call_id DESC LIMIT ?`,
      since ?? "",
      id ?? "",
      limit + 1,
    )
    .toArray();
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    approvals: page.map(toWaitingCall),
    count: countWaiting(sql),
    nextCursor: last ? `${last.since}~${last.call_id}` : null,
  };
}

/** Both texts are the hub's own writing of what a room reported. */
function toWaitingCall({ chat_id: chatId, reply_id: replyId, since, call: stored, chat }: Row): WaitingCall {
  const call: WaitingCall["call"] = JSON.parse(stored);
  const { title }: { title: string } = JSON.parse(chat);
  return { chat: { id: chatId, title }, message_id: replyId, call, since, expires_at: call.approval?.expires_at ?? null };
}
