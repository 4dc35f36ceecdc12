import * as z from "zod/mini";
import { MessageMessaging } from "#shared/entities/outbound/messaging.ts";
import { type RoomFile, sentFiles } from "#worker/library/attachments/room-file.ts";
import type { TakenMessage } from "#worker/conversation/room/messaging.ts";

/** A message that came in: `reading` until its files were read, `begun` while its answer is awaited, `answered` once that goes out. */
export type Incoming = {
  id: string;
  messageId: string;
  userId: string;
  state: string;
  takenAt: number;
  /** True once its writer was notified that the answer takes a while. */
  isDelayNotified: boolean;
};

type Row = {
  id: string;
  message_id: string;
  user_id: string;
  state: string;
  item: string | null;
  taken_at: number;
  is_delay_notified: number;
};

const Item = z.object({ displayName: z.string(), content: z.string(), files: z.string(), messaging: MessageMessaging });
export type IncomingItem = { displayName: string; content: string; files: RoomFile[]; messaging: MessageMessaging };

/** A message by the id that it has in the chat. */
export function findIncoming(sql: SqlStorage, id: string): Incoming | null {
  const row = sql.exec<Row>("SELECT * FROM messaging_in WHERE id = ?", id).toArray()[0];
  return row ? toIncoming(row) : null;
}

/** A message by the app's own id. */
export function findByMessageId(sql: SqlStorage, messageId: string): Incoming | null {
  const row = sql.exec<Row>("SELECT * FROM messaging_in WHERE message_id = ?", messageId).toArray()[0];
  return row ? toIncoming(row) : null;
}

/** Stores a message to be read later. */
export function insertIncoming(sql: SqlStorage, { id, messageId, userId, ...item }: TakenMessage, now: number): void {
  sql.exec(
    "INSERT INTO messaging_in (id, message_id, user_id, state, item, taken_at) VALUES (?, ?, ?, 'reading', ?, ?)",
    id,
    messageId,
    userId,
    toJson(item),
    now,
  );
}

/** What a message says that waits for its files to be read; null for any other. */
export function readItem(sql: SqlStorage, id: string): IncomingItem | null {
  const row = sql.exec<Row>("SELECT * FROM messaging_in WHERE id = ?", id).toArray()[0];
  if (!row || row.item === null) return null;
  const { files, ...item } = Item.parse(JSON.parse(row.item));
  return { ...item, files: sentFiles(files) };
}

/** Gives a message that is not in the chat yet another text. */
export function rewriteIncoming(sql: SqlStorage, id: string, item: IncomingItem): void {
  sql.exec("UPDATE messaging_in SET item = ? WHERE id = ?", toJson(item), id);
}

/** Notes how far a message came; what it says is then the chat's. */
export function setIncoming(sql: SqlStorage, id: string, state: "begun" | "answered"): void {
  sql.exec("UPDATE messaging_in SET state = ?, item = NULL WHERE id = ?", state, id);
}

/** True where other messages are part of this one. */
export function hasAlbumParts(sql: SqlStorage, { id, userId, takenAt }: Incoming): boolean {
  const others = sql.exec("SELECT 1 FROM messaging_in WHERE user_id = ? AND taken_at = ? AND id <> ? LIMIT 1", userId, takenAt, id);
  return others.toArray().length > 0;
}

/** The messages that are not in the chat's queue yet, in the order in which they came. */
export function readingIds(sql: SqlStorage): string[] {
  const rows = sql.exec<{ id: string }>("SELECT id FROM messaging_in WHERE state = 'reading' ORDER BY taken_at").toArray();
  return rows.map(({ id }) => id);
}

/** Notes that its writer was asked for patience. */
export function noteDelayNotified(sql: SqlStorage, id: string): void {
  sql.exec("UPDATE messaging_in SET is_delay_notified = 1 WHERE id = ?", id);
}

/** Forgets a message that its writer took back. */
export function deleteIncoming(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM messaging_in WHERE id = ?", id);
}

/** True where others came in after it: an answer then says which it is to. */
export function hasLaterMessages(sql: SqlStorage, { takenAt, id }: Incoming): boolean {
  return sql.exec("SELECT 1 FROM messaging_in WHERE taken_at > ? AND id <> ? LIMIT 1", takenAt, id).toArray().length > 0;
}

function toJson({ displayName, content, files, messaging }: IncomingItem): string {
  return JSON.stringify({ displayName, content, files: JSON.stringify(files), messaging });
}

function toIncoming(row: Row): Incoming {
  return {
    id: row.id,
    messageId: row.message_id,
    userId: row.user_id,
    state: row.state,
    takenAt: row.taken_at,
    isDelayNotified: row.is_delay_notified === 1,
  };
}
