import * as z from "zod/mini";
import { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import type { MessageQueue, QueuedMessage } from "#shared/entities/queued-message.ts";
import { MessageMessaging } from "#shared/entities/outbound/messaging.ts";
import { usesLastAnswer, withLastAnswer } from "#shared/last-answer.ts";
import { toAttachment } from "#worker/library/attachments/to-attachment.ts";
import { findFile } from "../messages/attachments.ts";
import { readChat, readSettings } from "../chat.ts";
import { findMessage, selectedLeaf } from "../messages/messages.ts";
import { readState } from "./queue-state.ts";
import type { QueueItem } from "#worker/conversation/room/queue.ts";

type Row = {
  id: string;
  position: number;
  request_id: string;
  request_hash: string;
  is_waiting: number;
  author_id: string;
  author_name: string;
  ip: string | null;
  content: string;
  settings: string | null;
  settings_once: string | null;
  attachments: string | null;
  step: number | null;
  steps: number | null;
  mail_id: string | null;
  messaging: string | null;
  created_at: string;
};

const Texts = z.array(z.string());

/** The messages that wait, in order. */
export function waitingItems(sql: SqlStorage): QueueItem[] {
  return sql.exec<Row>("SELECT * FROM queue WHERE is_waiting = 1 ORDER BY position, id").toArray().map(toItem);
}

/** True for a message that somebody typed here: what came in by itself has nobody who looks after what goes wrong. */
export function isTyped({ mailId, messaging }: Pick<QueueItem, "mailId" | "messaging">): boolean {
  return mailId === null && messaging === null;
}

/** Adds messages at the end. */
export function appendItems(sql: SqlStorage, items: readonly QueueItem[], hash: string): void {
  const { last } = sql.exec<{ last: number | null }>("SELECT max(position) AS last FROM queue WHERE is_waiting = 1").one();
  for (const [index, item] of items.entries()) {
    sql.exec(
      `INSERT INTO queue (id, position, request_id, request_hash, author_id, author_name, ip, content, settings, settings_once, attachments,
         step, steps, mail_id, messaging, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      item.id,
      (last ?? 0) + index + 1,
      item.requestId,
      hash,
      item.authorId,
      item.authorName,
      item.ip,
      item.content,
      JSON.stringify(item.settings),
      JSON.stringify(item.once),
      item.attachments.length === 0 ? null : JSON.stringify(item.attachments),
      item.chain?.step ?? null,
      item.chain?.steps ?? null,
      item.mailId,
      item.messaging && JSON.stringify(item.messaging),
      item.createdAt,
    );
  }
}

/** What a request became, also where nothing of it waits any more; null for an id that was never queued. */
export function findRequest(sql: SqlStorage, id: string): { hash: string; ids: string[] } | null {
  const rows = sql
    .exec<Pick<Row, "id" | "request_hash">>("SELECT id, request_hash FROM queue WHERE request_id = ? ORDER BY step, id", id)
    .toArray();
  return rows[0] ? { hash: rows[0].request_hash, ids: rows.map((row) => row.id) } : null;
}

/** True for a message that waits or did. */
export function wasQueued(sql: SqlStorage, id: string): boolean {
  return sql.exec("SELECT 1 FROM queue WHERE id = ?", id).toArray().length > 0;
}

/** Takes a message out as it was sent or is not wanted; false where it didn't wait. That it was asked for stays known. */
export function removeItem(sql: SqlStorage, id: string): boolean {
  return (
    sql
      .exec("UPDATE queue SET is_waiting = 0, content = '', ip = NULL, attachments = NULL WHERE id = ? AND is_waiting = 1 RETURNING id", id)
      .toArray().length > 0
  );
}

/** Gives a waiting message another text. */
export function rewriteItem(sql: SqlStorage, id: string, content: string): void {
  sql.exec("UPDATE queue SET content = ? WHERE id = ? AND is_waiting = 1", content, id);
}

/** Puts these waiting messages into this order, on the places that they hold among the others. */
export function reorderItems(sql: SqlStorage, ids: readonly string[]): void {
  const places = sql
    .exec<{ position: number }>(
      "SELECT position FROM queue WHERE is_waiting = 1 AND id IN (SELECT value FROM json_each(?)) ORDER BY position, id",
      JSON.stringify(ids),
    )
    .toArray();
  for (const [index, id] of ids.entries()) sql.exec("UPDATE queue SET position = ? WHERE id = ?", places[index]?.position ?? 0, id);
}

/** Puts a waiting message before all others. */
export function moveToFront(sql: SqlStorage, id: string): void {
  sql.exec("UPDATE queue SET position = (SELECT min(position) FROM queue WHERE is_waiting = 1) - 1 WHERE id = ?", id);
}

/** Where a waiting message goes: below the end of its author's branch, to the chat's model unless it names one. */
export function targetOfItem(
  sql: SqlStorage,
  { authorId }: QueueItem,
): { chatId: string; parentId: string | null; modelId: string | null } {
  return { chatId: readChat(sql).id, parentId: selectedLeaf(sql, authorId), modelId: readSettings(sql).model_id };
}

/** A waiting message as it is sent now: a chain's step with the answer that its author's branch ends with. */
export function withAnswerBefore(sql: SqlStorage, item: QueueItem): QueueItem {
  if (item.chain === null || !usesLastAnswer(item.content)) return item;
  const { parentId } = targetOfItem(sql, item);
  const before = parentId === null ? null : findMessage(sql, parentId);
  return before?.role === "assistant" ? { ...item, content: withLastAnswer(item.content, before.content) } : item;
}

/** The queue as its readers see it; a chain's steps come in the order of their sending. */
export function toQueue(sql: SqlStorage, chatId: string): MessageQueue {
  const items = waitingItems(sql);
  const steps = new Map<string, number[]>();
  for (const { requestId, chain } of items) if (chain) steps.set(requestId, [...(steps.get(requestId) ?? []), chain.step]);
  for (const numbers of steps.values()) numbers.sort((one, other) => one - other);
  return {
    items: items.map((item) => toQueued(sql, item, { chatId, step: steps.get(item.requestId)?.shift() })),
    paused: readState(sql).paused,
  };
}

function toQueued(sql: SqlStorage, item: QueueItem, { chatId, step }: { chatId: string; step: number | undefined }): QueuedMessage {
  const { id, content, authorId, authorName, settings, once, attachments, requestId, chain, createdAt } = item;
  return {
    id,
    content,
    author: { id: authorId, display_name: authorName },
    ...settings,
    ...once,
    attachments: attachments.flatMap((file) => {
      const found = findFile(sql, file);
      return found ? [toAttachment(chatId, found)] : [];
    }),
    chain: chain && { id: requestId, step: step ?? chain.step, steps: chain.steps },
    created_at: createdAt,
  };
}

function toChange(column: string | null): ChatSettingsChange {
  return column === null ? {} : ChatSettingsChange.parse(JSON.parse(column));
}

function toItem(row: Row): QueueItem {
  return {
    id: row.id,
    requestId: row.request_id,
    authorId: row.author_id,
    authorName: row.author_name,
    ip: row.ip,
    content: row.content,
    settings: toChange(row.settings),
    once: toChange(row.settings_once),
    attachments: row.attachments === null ? [] : Texts.parse(JSON.parse(row.attachments)),
    chain: row.step === null || row.steps === null ? null : { step: row.step, steps: row.steps },
    mailId: row.mail_id,
    messaging: row.messaging === null ? null : MessageMessaging.parse(JSON.parse(row.messaging)),
    createdAt: row.created_at,
  };
}
