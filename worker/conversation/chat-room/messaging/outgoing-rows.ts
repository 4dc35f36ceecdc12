import * as z from "zod/mini";
import type { MessagingState } from "#shared/entities/outbound/messaging.ts";

/** What goes out: text, the question whether a call may be made, or the template that says that an answer waits. */
export const OutBody = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("ask"), text: z.string(), callId: z.string(), token: z.string() }),
  z.object({ type: z.literal("template") }),
]);
export type OutBody = z.infer<typeof OutBody>;

/** A message on its way out; `context` is the app's id of the one that it answers, `triedAt` epoch milliseconds. */
export type OutRow = {
  seq: number;
  id: string;
  replyId: string | null;
  userId: string;
  context: string | null;
  body: OutBody;
  state: MessagingState | "sending";
  sentId: string | null;
  triedAt: number | null;
  tries: number;
};

type NewOut = Pick<OutRow, "id" | "replyId" | "userId" | "context" | "body">;

type Row = {
  seq: number;
  id: string;
  reply_id: string | null;
  user_id: string;
  context: string | null;
  body: string;
  state: OutRow["state"];
  sent_id: string | null;
  tried_at: number | null;
  tries: number;
};

/** Notes what is to go out, after what is noted already; the same id once. */
export function insertOutgoing(sql: SqlStorage, { id, replyId, userId, context, body }: NewOut): void {
  sql.exec(
    "INSERT INTO messaging_out (id, reply_id, user_id, context, body, state) VALUES (?, ?, ?, ?, ?, 'queued') ON CONFLICT (id) DO NOTHING",
    id,
    replyId,
    userId,
    context,
    JSON.stringify(body),
  );
}

/** The first that waits to go out, or may have gone out, without the people in `held`. */
export function nextOutgoing(sql: SqlStorage, held: Iterable<string>): OutRow | null {
  const query =
    "SELECT * FROM messaging_out WHERE state IN ('queued', 'sending') AND user_id NOT IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT 1";
  return first(sql.exec<Row>(query, JSON.stringify([...held])));
}

/** A message by the id that it is noted with. */
export function findOutgoing(sql: SqlStorage, id: string): OutRow | null {
  return first(sql.exec<Row>("SELECT * FROM messaging_out WHERE id = ?", id));
}

/** A message by the app's own id. */
export function findSentMessage(sql: SqlStorage, sentId: string): OutRow | null {
  return first(sql.exec<Row>("SELECT * FROM messaging_out WHERE sent_id = ? LIMIT 1", sentId));
}

/** The newest question about this call. */
export function findApprovalQuestion(sql: SqlStorage, callId: string): OutRow | null {
  return findOutgoing(sql, approvalQuestionId(callId));
}

/** The id of the question about a call. */
export function approvalQuestionId(callId: string): string {
  return `ask.${callId}`;
}

/** Notes that it is being sent. */
export function claimOutgoing(sql: SqlStorage, id: string, now: number): void {
  sql.exec("UPDATE messaging_out SET state = 'sending', tried_at = ?, tries = tries + 1 WHERE id = ?", now, id);
}

/** Notes what became of it. */
export function setOutgoing(
  sql: SqlStorage,
  id: string,
  { state, sentId = null, error = null }: { state: OutRow["state"]; sentId?: string | null; error?: string | null },
): void {
  sql.exec("UPDATE messaging_out SET state = ?, sent_id = coalesce(?, sent_id), error = ? WHERE id = ?", state, sentId, error, id);
}

/** Forgets what is no longer to go out. */
export function deleteOutgoing(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM messaging_out WHERE id = ?", id);
}

/**
 * Lets a message wait, and all else for its reader, who has not written for a day: one template notifies them. What is
 * being sent at this moment reports for itself. Call it in a transaction.
 */
export function parkMessages(sql: SqlStorage, { id, userId }: Pick<OutRow, "id" | "userId">): void {
  const isFirst = !hasParkedMessages(sql, userId);
  sql.exec(
    `UPDATE messaging_out SET state = 'waiting'
     WHERE user_id = ? AND (state = 'queued' OR id = ?) AND json_extract(body, '$.type') <> 'template'`,
    userId,
    id,
  );
  const template = { id: `waits.${crypto.randomUUID()}`, replyId: null, userId, context: null, body: { type: "template" } as const };
  if (isFirst) insertOutgoing(sql, template);
}

/** True where something waits for someone to write. */
export function hasParkedMessages(sql: SqlStorage, userId: string): boolean {
  return sql.exec("SELECT 1 FROM messaging_out WHERE user_id = ? AND state = 'waiting' LIMIT 1", userId).toArray().length > 0;
}

/** Lets go out what waited for someone, who needs no notice of it any more; call it in a transaction. */
export function unparkMessages(sql: SqlStorage, userId: string): void {
  sql.exec("DELETE FROM messaging_out WHERE user_id = ? AND state = 'queued' AND json_extract(body, '$.type') = 'template'", userId);
  sql.exec("UPDATE messaging_out SET state = 'queued', tries = 0 WHERE user_id = ? AND state = 'waiting'", userId);
}

/** Forgets what was to reach someone; true where something was. */
export function deleteUnsent(sql: SqlStorage, userId: string): boolean {
  const query = "DELETE FROM messaging_out WHERE user_id = ? AND state IN ('queued', 'sending', 'waiting') RETURNING id";
  return sql.exec(query, userId).toArray().length > 0;
}

/** Gives up what waits for someone or is to reach them; true where something was. */
export function failUnsent(sql: SqlStorage, userId: string, error: string): boolean {
  const query = "UPDATE messaging_out SET state = 'failed', error = ? WHERE user_id = ? AND state IN ('queued', 'waiting') RETURNING id";
  return sql.exec(query, error, userId).toArray().length > 0;
}

/** Gives up the later parts of an answer once one could not be sent. */
export function failLaterParts(sql: SqlStorage, { replyId, seq }: Pick<OutRow, "replyId" | "seq">, error: string): void {
  if (replyId === null) return;
  sql.exec(
    "UPDATE messaging_out SET state = 'failed', error = ? WHERE reply_id = ? AND seq > ? AND state IN ('queued', 'waiting')",
    error,
    replyId,
    seq,
  );
}

function first(cursor: SqlStorageCursor<Row>): OutRow | null {
  const row = cursor.toArray()[0];
  if (!row) return null;
  return {
    seq: row.seq,
    id: row.id,
    replyId: row.reply_id,
    userId: row.user_id,
    context: row.context,
    body: OutBody.parse(JSON.parse(row.body)),
    state: row.state,
    sentId: row.sent_id,
    triedAt: row.tried_at,
    tries: row.tries,
  };
}
