/** Pictures that somebody sends at once come as a message each: those that follow within moments are one message of the chat. */
import { ATTACHMENTS_PER_MESSAGE, MESSAGE_LENGTH } from "#shared/limits.ts";
import { findIncoming, type Incoming, insertIncoming, readingIds, readItem, rewriteIncoming, setIncoming } from "./incoming-rows.ts";
import type { TakenMessage } from "#worker/conversation/room/messaging.ts";

/** How long a picture waits for others, in milliseconds, from the last one on. */
export const ALBUM_MS = 2_000;

type Picture = Pick<TakenMessage, "messaging" | "files">;

/** True for what may be one of several pictures; what somebody handed on stands by itself. */
export function isPicture({ messaging, files }: Picture): boolean {
  return messaging.kind === "picture" && !messaging.is_forwarded && files.length > 0;
}

/** The writer's pictures that still wait for others and have room for these; null where none do. */
export function openAlbum(sql: SqlStorage, message: TakenMessage): Incoming | null {
  const last = waitingAlbums(sql).at(-1);
  const item = last && readItem(sql, last.id);
  if (!last || !item || !isPicture(message) || last.userId !== message.userId) return null;
  return item.files.length + message.files.length <= ATTACHMENTS_PER_MESSAGE ? last : null;
}

/** The pictures that still wait for others, in the order in which they came. */
export function waitingAlbums(sql: SqlStorage): Incoming[] {
  return readingIds(sql).flatMap((id) => {
    const item = readItem(sql, id);
    const incoming = item && isPicture(item) ? findIncoming(sql, id) : null;
    return incoming ? [incoming] : [];
  });
}

/** Adds a picture to those before it: it has no turn of its own. Call it in a transaction. */
export function joinAlbum(sql: SqlStorage, album: Incoming, message: TakenMessage): void {
  const item = readItem(sql, album.id);
  if (!item) return;
  insertIncoming(sql, message, album.takenAt);
  setIncoming(sql, message.id, "answered");
  const content = [item.content, message.content].filter((text) => text !== "").join("\n\n");
  const note = item.messaging.note ?? message.messaging.note;
  rewriteIncoming(sql, album.id, {
    ...item,
    content: content.slice(0, MESSAGE_LENGTH).toWellFormed(),
    files: [...item.files, ...message.files],
    messaging: { ...item.messaging, note },
  });
}
