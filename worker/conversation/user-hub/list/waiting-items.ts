/** The calls and mails of all the user's chats that wait for the user's own word, as their rooms last reported them. */
import type { WaitingAnswer, WaitingCall, WaitingMail } from "#shared/entities/waiting-call.ts";
import type { WaitingPage } from "#worker/conversation/hub/rpc.ts";
import type { PendingAnswer, QuarantinedMail, WaitingReport } from "#worker/conversation/room/rpc.ts";

/** A call as the hub holds it. */
export type StoredCallRow = { call_id: string; chat_id: string; reply_id: string; call: string };

type Row = { id: string; chat_id: string; reply_id: string | null; since: string; body: string; chat: string };

/** Takes what waits in one chat in place of what waited there before; returns whether anything changed, and what no longer waits. */
export function putWaiting(
  sql: SqlStorage,
  chatId: string,
  waiting: readonly WaitingReport[],
): { isChanged: boolean; noLongerWaiting: StoredCallRow[] } {
  const stored = sql.exec<StoredCallRow>("SELECT call_id, chat_id, reply_id, call FROM waiting_calls WHERE chat_id = ?", chatId).toArray();
  const ids = new Set(waiting.map(({ call }) => call.id));
  const noLongerWaiting = stored.filter(({ call_id: id }) => !ids.has(id));
  const known = new Set(stored.map(({ call_id: id }) => id));
  const added = waiting.filter(({ call }) => !known.has(call.id));
  for (const { call_id: id } of noLongerWaiting) sql.exec("DELETE FROM waiting_calls WHERE call_id = ?", id);
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
  return { isChanged: noLongerWaiting.length > 0 || added.length > 0, noLongerWaiting };
}

/** What waits of a chat's mails: those that came in, and answers that are to go out. */
type PendingMail = QuarantinedMail | PendingAnswer;

/** Takes a chat's mails that wait in place of those before; answers whether anything changed. */
export function putWaitingMails(sql: SqlStorage, chatId: string, mails: readonly PendingMail[]): boolean {
  const stored = new Set(
    sql
      .exec<{ mail_id: string }>("SELECT mail_id FROM waiting_mails WHERE chat_id = ?", chatId)
      .toArray()
      .map(({ mail_id: id }) => id),
  );
  const noLongerWaiting = [...stored].filter((id) => mails.every((mail) => mail.id !== id));
  const added = mails.filter(({ id }) => !stored.has(id));
  for (const id of noLongerWaiting) sql.exec("DELETE FROM waiting_mails WHERE mail_id = ?", id);
  for (const mail of added) {
    const row = [mail.id, chatId, mail.since, JSON.stringify(mail)];
    sql.exec("INSERT INTO waiting_mails (mail_id, chat_id, since, mail) VALUES (?, ?, ?, ?)", ...row);
  }
  return noLongerWaiting.length > 0 || added.length > 0;
}

/** How many calls and mails wait. */
export function countWaiting(sql: SqlStorage): number {
  return sql.exec<{ n: number }>("SELECT (SELECT COUNT(*) FROM waiting_calls) + (SELECT COUNT(*) FROM waiting_mails) AS n").one().n;
}

/** A page of what waits. */
export function readWaitingPage(sql: SqlStorage, { cursor = "9999~", limit }: { cursor?: string | undefined; limit: number }): WaitingPage {
  const [since, id] = cursor.split("~");
  const rows = sql
    .exec<Row>(
      `SELECT w.id, w.chat_id, w.reply_id, w.since, w.body, c.row AS chat FROM (
           SELECT call_id AS id, chat_id, reply_id, since, call AS body FROM waiting_calls
           UNION ALL SELECT mail_id, chat_id, NULL, since, mail FROM waiting_mails
         ) w JOIN chats c ON c.id = w.chat_id AND c.deleted = 0
       WHERE (w.since, w.id) < (?, ?) ORDER BY w.since DESC, w.id DESC LIMIT ?`,
      since ?? "",
      id ?? "",
      limit + 1,
    )
    .toArray();
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    approvals: page.flatMap(toWaitingCall),
    mails: page.flatMap(toWaitingMail),
    answers: page.flatMap(toWaitingAnswer),
    count: countWaiting(sql),
    nextCursor: last ? `${last.since}~${last.id}` : null,
  };
}

/** These texts are the hub's own writing of what a room reported. */
function toWaitingCall({ chat_id: chatId, reply_id: replyId, since, body, chat }: Row): WaitingCall[] {
  if (replyId === null) return [];
  const call: WaitingCall["call"] = JSON.parse(body);
  return [{ chat: { id: chatId, title: titleOf(chat) }, message_id: replyId, call, since, expires_at: call.approval?.expires_at ?? null }];
}

function toWaitingMail({ chat_id: chatId, reply_id: replyId, body, chat }: Row): WaitingMail[] {
  const stored = replyId === null ? parseMail(body) : null;
  if (!stored || "message_id" in stored) return [];
  const { since, expires_at, ...mail } = stored;
  return [{ chat: { id: chatId, title: titleOf(chat) }, mail, since, expires_at }];
}

function toWaitingAnswer({ chat_id: chatId, reply_id: replyId, body, chat }: Row): WaitingAnswer[] {
  const stored = replyId === null ? parseMail(body) : null;
  if (!stored || !("message_id" in stored)) return [];
  const { since, message_id, ...mail } = stored;
  return [{ chat: { id: chatId, title: titleOf(chat) }, message_id, mail, since }];
}

function parseMail(body: string): PendingMail {
  return JSON.parse(body);
}

function titleOf(row: string): string {
  const { title }: { title: string } = JSON.parse(row);
  return title;
}
