import type { PathRow } from "#worker/conversation/turn/path.ts";
import { hasMembers } from "../access/members.ts";
import { readChat } from "../chat.ts";
import type { LiveContent } from "./message-row.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";

/** What a reply in progress has produced so far, or null when it isn't running. */
export type FindLive = (replyId: string) => LiveContent | null;

/** The message with this id. */
export function findMessage(sql: SqlStorage, id: string): MessageRow | null {
  return sql.exec<MessageRow>("SELECT * FROM messages WHERE id = ?", id).toArray()[0] ?? null;
}

type NewMessage = Pick<MessageRow, "id" | "parent_id" | "role" | "content" | "status" | "created_at"> &
  Partial<
    Pick<
      MessageRow,
      | "author_id"
      | "author_name"
      | "model_id"
      | "requested_model_id"
      | "request_hash"
      | "reply_id"
      | "attachments"
      | "autopilot"
      | "persona"
      | "knowledge"
      | "citations"
      | "mail"
      | "messaging"
      | "memory"
      | "context"
      | "schedule"
      | "payer_id"
      | "used_own"
    >
  > &
  Pick<MessageRow, "trusted_for">;

/** Adds a message to the tree; a version of an existing place is a sibling, and none replaces another. */
export function insertMessage(sql: SqlStorage, message: NewMessage): void {
  sql.exec(
    `INSERT INTO messages (id, parent_id, role, content, status, author_id, author_name, model_id, requested_model_id, request_hash, reply_id, attachments, autopilot, persona, knowledge, citations, mail, messaging, memory, context, schedule, trusted_for, payer_id, used_own, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    message.id,
    message.parent_id,
    message.role,
    message.content,
    message.status,
    message.author_id ?? null,
    message.author_name ?? null,
    message.model_id ?? null,
    message.requested_model_id ?? null,
    message.request_hash ?? null,
    message.reply_id ?? null,
    message.attachments ?? null,
    message.autopilot ?? null,
    message.persona ?? null,
    message.knowledge ?? null,
    message.citations ?? null,
    message.mail ?? null,
    message.messaging ?? null,
    message.memory ?? null,
    message.context ?? null,
    message.schedule ?? null,
    message.trusted_for,
    message.payer_id ?? null,
    message.used_own ?? 0,
    message.created_at,
  );
}

/** Notes that what a reply's model has read is untrusted text, for whomever it answers. */
export function markUntrusted(sql: SqlStorage, replyId: string): void {
  sql.exec("UPDATE messages SET trusted_for = NULL WHERE id = ? AND trusted_for IS NOT NULL", replyId);
}

/** True where what a reply's model has read so far is no untrusted text for this person, as far as the reply itself goes. */
export function isTrustedBy(sql: SqlStorage, replyId: string, userId: string): boolean {
  return sql.exec("SELECT 1 FROM messages WHERE id = ? AND trusted_for = ?", replyId, userId).toArray().length > 0;
}

/** Notes that a reply's model reads what is its payer's alone. */
export function markOwn(sql: SqlStorage, replyId: string): void {
  sql.exec("UPDATE messages SET used_own = 1 WHERE id = ? AND used_own = 0", replyId);
}

/** True where a reply's model has read what is its payer's alone. */
export function hasUsedOwn(sql: SqlStorage, replyId: string): boolean {
  return sql.exec("SELECT 1 FROM messages WHERE id = ? AND used_own = 1", replyId).toArray().length > 0;
}

/** Up to `limit` messages from `leafId` up to the root, in reading order. */
export function messagesUpTo(sql: SqlStorage, leafId: string, limit: number): MessageRow[] {
  return sql.exec<MessageRow>(selectPath("m.*"), leafId, limit).toArray();
}

/** All messages from `leafId` up to the root, in reading order, as far as a turn reads them. */
export function promptPath(sql: SqlStorage, leafId: string): PathRow[] {
  // Up the path one message leads to one, so they come in its order; sorting would copy all texts once more. Read as plain
  // values, as the platform looks each column's name up again for each row.
  const rows = sql
    .exec(
      `WITH RECURSIVE path(seq, parent_id) AS (
         SELECT seq, parent_id FROM messages WHERE id = ?
         UNION ALL SELECT m.seq, m.parent_id FROM path CROSS JOIN messages m ON m.id = path.parent_id
       )
       SELECT m.id, m.role, m.content, m.author_id, m.model_id, m.status, m.reasoning_details, m.citations, m.generation, m.attachments, m.mail,
         m.trusted_for, m.payer_id, m.used_own, m.memory, m.context
       FROM path CROSS JOIN messages m ON m.seq = path.seq`,
      leafId,
    )
    .raw<PathValues>();
  const path: PathRow[] = [];
  for (const [
    id,
    role,
    content,
    author_id,
    model_id,
    status,
    reasoning_details,
    citations,
    generation,
    attachments,
    mail,
    trusted_for,
    payer_id,
    used_own,
    memory,
    context,
  ] of rows)
    path.push({
      id,
      role,
      content,
      author_id,
      model_id,
      status,
      reasoning_details,
      citations,
      generation,
      attachments,
      mail,
      trusted_for,
      payer_id,
      used_own,
      memory,
      context,
    });
  return path.toReversed();
}

type PathValues = [
  id: string,
  role: string,
  content: string,
  author_id: string | null,
  model_id: string | null,
  status: string,
  reasoning_details: string | null,
  citations: string | null,
  generation: number,
  attachments: string | null,
  mail: string | null,
  trusted_for: string | null,
  payer_id: string | null,
  used_own: number,
  memory: string | null,
  context: string | null,
];

function selectPath(columns: string): string {
  return `WITH RECURSIVE path(id, parent_id, depth) AS (
      SELECT id, parent_id, 0 FROM messages WHERE id = ?
      UNION ALL
      SELECT m.id, m.parent_id, path.depth + 1 FROM messages m JOIN path ON m.id = path.parent_id WHERE path.depth + 1 < ?
    )
    SELECT ${columns} FROM path JOIN messages m ON m.id = path.id ORDER BY path.depth DESC`;
}

/** The newest end of the branch that begins at `id`. */
export function newestLeaf(sql: SqlStorage, id: string): string {
  const row = sql
    .exec<{ id: string }>(
      `WITH RECURSIVE down(id, depth) AS (
         SELECT ?, 0
         UNION ALL
         SELECT (SELECT m.id FROM messages m WHERE m.parent_id = down.id ORDER BY m.seq DESC LIMIT 1), depth + 1
         FROM down WHERE EXISTS (SELECT 1 FROM messages m WHERE m.parent_id = down.id)
       )
       SELECT id FROM down ORDER BY depth DESC LIMIT 1`,
      id,
    )
    .one();
  return row.id;
}

/** The end of the branch this reader looks at: their own choice, else the chat's main one. */
export function selectedLeaf(sql: SqlStorage, userId: string): string | null {
  const own = sql.exec<{ leaf_id: string }>("SELECT leaf_id FROM readers WHERE user_id = ?", userId).toArray()[0];
  if (own) return own.leaf_id;
  const chat = sql.exec<{ main_id: string | null; head_id: string | null }>("SELECT main_id, head_id FROM chat").toArray()[0];
  // What went on below the main branch's end, as refused mails once did, is part of it.
  return chat?.main_id ? newestLeaf(sql, chat.main_id) : (chat?.head_id ?? null);
}

/** Where this reader's branch goes on after a message: its own end where it holds the message, else that of the newest branch that does. */
export function leafAfter(sql: SqlStorage, userId: string, messageId: string): string {
  const own = selectedLeaf(sql, userId);
  return own !== null && isAncestor(sql, messageId, own) ? own : newestLeaf(sql, messageId);
}

type NextReply = { user: { parentId: string | null } | null; messageId: string; replyId: string };

/** In a shared chat nobody's branch takes the others away from theirs: the main one goes on where its end is answered, or answered again. */
export function mainLeafAfter(sql: SqlStorage, { user, messageId, replyId }: NextReply): string | null {
  if (!hasMembers(sql)) return null;
  const { main_id: main, head_id: head } = readChat(sql);
  const end = main ?? head;
  const answered = user ? user.parentId : messageId;
  const goesOn = end === null || answered === (user ? end : findMessage(sql, end)?.parent_id);
  return goesOn ? replyId : end;
}

/** Makes `leafId` this reader's own view. */
export function selectLeaf(sql: SqlStorage, userId: string, leafId: string): void {
  sql.exec(
    "INSERT INTO readers (user_id, leaf_id) VALUES (?, ?) ON CONFLICT (user_id) DO UPDATE SET leaf_id = excluded.leaf_id",
    userId,
    leafId,
  );
}

/** As the chat goes on at `leafId`, readers who stood at `from` follow, and so does who acted; others keep their branch. */
export function moveReaders(sql: SqlStorage, move: { from: string | null; leafId: string; actorId: string }): void {
  sql.exec("UPDATE readers SET leaf_id = ? WHERE user_id = ? OR leaf_id = ?", move.leafId, move.actorId, move.from ?? "");
}

/** True for a message on the path that ends at `leafId`. */
export function isAncestor(sql: SqlStorage, id: string, leafId: string): boolean {
  return (
    sql
      .exec(
        `WITH RECURSIVE up(id) AS (
           SELECT ? UNION ALL SELECT m.parent_id FROM messages m JOIN up ON m.id = up.id WHERE m.parent_id IS NOT NULL
         )
         SELECT 1 FROM up WHERE id = ? LIMIT 1`,
        leafId,
        id,
      )
      .toArray().length > 0
  );
}
