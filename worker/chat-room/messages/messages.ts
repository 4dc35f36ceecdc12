import { compactionsAt, toCompaction } from "./compaction-rows.ts";
import type { AnswerMail } from "#shared/entities/mail.ts";
import type { Message } from "#shared/entities/message.ts";
import { findAnswerOf } from "../mails/mail-rows.ts";
import { findOutgoing } from "../mails/outgoing-rows.ts";
import { type LiveContent, type MessageRow, toMessage } from "./message-row.ts";
import type { PathRow } from "#worker/turn/path.ts";
import type { MessagePage, PageRequest } from "../rpc.ts";
import { toToolCall } from "#worker/turn/tool-call.ts";
import { messagingAnswers } from "../messaging/rows.ts";
import { turnsOfRuns } from "../runs/run-rows.ts";
import { readCalls } from "../replies/tool-rounds.ts";

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
      | "schedule"
      | "payer_id"
      | "used_own"
    >
  > &
  Pick<MessageRow, "trusted_for">;

/** Adds a message to the tree; a version of an existing place is a sibling, and none replaces another. */
export function insertMessage(sql: SqlStorage, message: NewMessage): void {
  sql.exec(
    `INSERT INTO messages (id, parent_id, role, content, status, author_id, author_name, model_id, requested_model_id, request_hash, reply_id, attachments, autopilot, persona, knowledge, citations, mail, messaging, memory, schedule, trusted_for, payer_id, used_own, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    message.schedule ?? null,
    message.trusted_for,
    message.payer_id ?? null,
    message.used_own ?? 0,
    message.created_at,
  );
}

/** Notes that what a reply's model has read is untrusted text, for whomever it answers. */
export function distrust(sql: SqlStorage, replyId: string): void {
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
export function pathTo(sql: SqlStorage, leafId: string, limit: number): MessageRow[] {
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
         m.trusted_for, m.payer_id, m.used_own
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
export function leafOf(sql: SqlStorage, userId: string): string | null {
  const own = sql.exec<{ leaf_id: string }>("SELECT leaf_id FROM readers WHERE user_id = ?", userId).toArray()[0];
  if (own) return own.leaf_id;
  const chat = sql.exec<{ main_id: string | null; head_id: string | null }>("SELECT main_id, head_id FROM chat").toArray()[0];
  // What went on below the main branch's end, as refused mails once did, is part of it.
  return chat?.main_id ? newestLeaf(sql, chat.main_id) : (chat?.head_id ?? null);
}

/** Where this reader's branch goes on after a message: its own end where it holds the message, else that of the newest branch that does. */
export function leafAfter(sql: SqlStorage, userId: string, messageId: string): string {
  const own = leafOf(sql, userId);
  return own !== null && isAncestor(sql, messageId, own) ? own : newestLeaf(sql, messageId);
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

/** Who reads a page; `seesAddresses` where they may see who wrote to the chat from where. */
type PageReader = { userId: string; chatId: string; live: FindLive; seesAddresses: boolean };

/** One page of the path a reader looks at, as the contracts say it. */
export function readPage(sql: SqlStorage, reader: PageReader, { before, around, limit }: PageRequest): MessagePage | null {
  if (around !== undefined) return readAround(sql, reader, { messageId: around, limit });
  let leaf = leafOf(sql, reader.userId);
  if (before !== undefined) {
    const edge = findMessage(sql, before);
    if (!edge) return null;
    leaf = edge.parent_id;
  }
  if (leaf === null) return { messages: [], nextCursor: null };
  return toPage(sql, reader, pathTo(sql, leaf, limit));
}

function readAround(sql: SqlStorage, reader: PageReader, { messageId, limit }: { messageId: string; limit: number }): MessagePage | null {
  if (!findMessage(sql, messageId)) return null;
  const own = leafOf(sql, reader.userId);
  const onOwnPath = own !== null && isAncestor(sql, messageId, own);
  const leaf = onOwnPath ? own : newestLeaf(sql, messageId);
  if (!onOwnPath) selectLeaf(sql, reader.userId, leaf);
  const path = pathTo(sql, leaf, Number.MAX_SAFE_INTEGER);
  const at = path.findIndex((row) => row.id === messageId);
  const start = Math.max(0, Math.min(at - Math.floor(limit / 2), path.length - limit));
  return toPage(sql, reader, path.slice(start));
}

function isAncestor(sql: SqlStorage, id: string, leafId: string): boolean {
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

function toPage(sql: SqlStorage, reader: PageReader, rows: MessageRow[]): MessagePage {
  const siblings = siblingsOf(sql, rows);
  const calls = readCalls(
    sql,
    rows.flatMap(({ id, role }) => (role === "assistant" ? [id] : [])),
  );
  const compactions = compactionsAt(
    sql,
    rows.flatMap(({ role, parent_id: parentId }) => (role === "assistant" && parentId !== null ? [parentId] : [])),
  );
  const asked = [above(sql, rows), ...rows];
  const mailed = new Set(asked.flatMap((row) => (row && row.mail !== null ? [row.id] : [])));
  const scheduled = new Set(asked.flatMap((row) => (row && row.schedule !== null ? [row.id] : [])));
  const ofRuns = turnsOfRuns(sql);
  const answered = messagingAnswers(sql, rows);
  const messages: Message[] = rows.map((row) => {
    const compaction = row.role === "assistant" && row.parent_id !== null ? compactions.get(row.parent_id) : undefined;
    const message = toMessage(row, {
      chatId: reader.chatId,
      siblingIds: siblings.get(row.parent_id) ?? [row.id],
      calls: (calls.get(row.id) ?? []).map(toToolCall),
      live: reader.live(row.id),
      seesAddresses: reader.seesAddresses,
      readerId: reader.userId,
    });
    const isMailed = row.role === "assistant" && row.parent_id !== null && mailed.has(row.parent_id);
    const isOfRun = row.role === "assistant" && row.parent_id !== null && ofRuns.has(row.parent_id);
    const isScheduled = row.role === "assistant" && row.parent_id !== null && scheduled.has(row.parent_id);
    return {
      ...message,
      ...(isOfRun && { trigger: "run" as const }),
      ...(isScheduled && { trigger: "schedule" as const }),
      ...answered.get(row.id),
      ...(isMailed && { trigger: "mail" as const, ...answerMailOf(sql, row.id, reader) }),
      ...(compaction && { compaction: toCompaction(compaction) }),
    };
  });
  return { messages, nextCursor: rows[0]?.parent_id ? rows[0].id : null };
}

/** The question above a page that begins with its answer. */
function above(sql: SqlStorage, rows: MessageRow[]): MessageRow | null {
  return rows[0]?.role === "assistant" && rows[0].parent_id !== null ? findMessage(sql, rows[0].parent_id) : null;
}

/** The mail that a reply went out as, if it did. */
function answerMailOf(sql: SqlStorage, replyId: string, { seesAddresses, userId }: PageReader): { answer_mail?: AnswerMail } {
  const mail = findAnswerOf(sql, replyId);
  if (!mail) return {};
  const { id, state, note, created_at: at } = mail;
  const isHeld = findOutgoing(sql, id)?.is_held === 1;
  const to = [...mail.to_addr, ...mail.cc_addr];
  const waitsFor = mail.sender_id === userId ? ("you" as const) : ("other" as const);
  return {
    answer_mail: {
      id,
      state,
      to: seesAddresses ? to : null,
      note: seesAddresses ? note : null,
      at,
      ...(isHeld && { waits_for: waitsFor }),
    },
  };
}

/** All versions at each place of the given rows, oldest first, by parent. */
function siblingsOf(sql: SqlStorage, rows: MessageRow[]): Map<string | null, string[]> {
  const parents = JSON.stringify(rows.flatMap((row) => (row.parent_id === null ? [] : [row.parent_id])));
  const roots = rows.some((row) => row.parent_id === null)
    ? "UNION ALL SELECT seq, id, parent_id FROM messages WHERE parent_id IS NULL"
    : "";
  // Sorted here and joined from the list: a sorter's rows and those of a subquery's set are billed as read ones.
  const found = sql
    .exec<{ seq: number; id: string; parent_id: string | null }>(
      `SELECT m.seq, m.id, m.parent_id FROM json_each(?) AS asked CROSS JOIN messages AS m ON m.parent_id = asked.value ${roots}`,
      parents,
    )
    .toArray()
    .toSorted((a, b) => a.seq - b.seq);
  const byParent = new Map<string | null, string[]>();
  for (const row of found) byParent.set(row.parent_id, [...(byParent.get(row.parent_id) ?? []), row.id]);
  return byParent;
}
