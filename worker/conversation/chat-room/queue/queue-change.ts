import type { QueueChange } from "#shared/contracts/chat/queue.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { findMessage } from "../messages/messages.ts";
import { isTyped, moveToFront, reorderItems, rewriteItem, removeItem, waitingItems, wasQueued } from "./queue-items.ts";
import { resumeQueue, readState, writeState } from "./queue-state.ts";
import type { QueueItem } from "#worker/conversation/room/queue.ts";

/** Who changes the queue, and the message that is being sent at this moment. */
export type Changer = { userId: string; isOwner: boolean; sendingId: string | null };

const DONE = { ok: true, value: null } as const;
const BEING_SENT = { ok: false, code: "CONFLICT", message: "This message is being sent already." } as const;

/** Changes the queue in one go, or refuses; call it in a transaction, which a refusal leaves as it was. */
export function applyChange(sql: SqlStorage, { paused, order, edit, send_now: now }: QueueChange, changer: Changer): Outcome<null> {
  const items = waitingItems(sql);
  const own = new Set(items.filter(({ authorId }) => authorId === changer.userId).map(({ id }) => id));
  if (order && (new Set(order).size !== order.length || !order.every((id) => own.has(id)))) {
    return { ok: false, code: "CONFLICT", message: "The queue has changed meanwhile. Try again." };
  }
  if (edit && !own.has(edit.id) && items.some(({ id }) => id === edit.id)) return { ok: false, code: "FORBIDDEN" };
  if (edit && items.some((item) => item.id === edit.id && !isTyped(item)))
    return { ok: false, code: "FORBIDDEN", message: "What came in says what its sender wrote." };
  // What came in time and is asked for again, as its answer was lost, is as wanted.
  const isAlreadySent =
    edit !== undefined && !own.has(edit.id) && wasQueued(sql, edit.id) && findMessage(sql, edit.id)?.content === edit.content;
  const editable = edit && !isAlreadySent ? mayChange(sql, edit.id, { own, changer }) : DONE;
  if (!editable.ok) return editable;
  if (edit && edit.content.trim() === "" && items.find(({ id }) => id === edit.id)?.attachments.length === 0) {
    return { ok: false, code: "INVALID_INPUT", message: "Write a message first." };
  }
  if (now !== undefined && !own.has(now) && !isPast(sql, now, items)) return { ok: false, code: "NOT_FOUND" };
  if (order) reorderItems(sql, order);
  if (edit) rewriteItem(sql, edit.id, edit.content);
  if (paused === true && items.length > 0) writeState(sql, { ...readState(sql), paused: { code: "PAUSED", message: "" } });
  if (paused === false && readState(sql).paused) resumeQueue(sql);
  if (now !== undefined && own.has(now)) {
    moveToFront(sql, now);
    resumeQueue(sql);
  }
  return DONE;
}

/** Takes one message out, or all of the changer's own; one that is out already is as wanted. */
export function removeItems(sql: SqlStorage, id: string | null, changer: Changer): Outcome<null> {
  const items = waitingItems(sql);
  const unwanted = items.filter((item) => (id === null ? item.authorId === changer.userId : item.id === id));
  if (id !== null && unwanted.length === 0) return DONE;
  if (id !== null && id === changer.sendingId) return BEING_SENT;
  const hasItemsOfOthers = unwanted.some(({ authorId }) => authorId !== changer.userId);
  if (hasItemsOfOthers && !changer.isOwner) return { ok: false, code: "FORBIDDEN" };
  for (const item of unwanted) if (item.id !== changer.sendingId) removeItem(sql, item.id);
  if (waitingItems(sql).length === 0) writeState(sql, { ...readState(sql), paused: null });
  return DONE;
}

function mayChange(sql: SqlStorage, id: string, { own, changer }: { own: Set<string>; changer: Changer }): Outcome<null> {
  if (own.has(id)) return id === changer.sendingId ? BEING_SENT : DONE;
  return wasQueued(sql, id) ? { ok: false, code: "CONFLICT", message: "This message was sent already." } : { ok: false, code: "NOT_FOUND" };
}

function isPast(sql: SqlStorage, id: string, items: readonly QueueItem[]): boolean {
  return wasQueued(sql, id) && items.every((item) => item.id !== id);
}
