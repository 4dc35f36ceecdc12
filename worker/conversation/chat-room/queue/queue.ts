import type { QueueChange } from "#shared/contracts/chat/queue.ts";
import type { MessageQueue, QueuePause } from "#shared/entities/queued-message.ts";
import { ERRORS } from "#shared/errors.ts";
import { QUEUE_LENGTH } from "#shared/limits.ts";
import { AppError, type Outcome } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { levelOf, refuse } from "../access/access.ts";
import { filesToSend, findFile } from "../messages/attachments.ts";
import { readChat, storedTurn } from "../chat.ts";
import { findMessage, selectedLeaf } from "../messages/messages.ts";
import { isCreated } from "../migrations.ts";
import {
  appendItems,
  findRequest,
  isTyped,
  removeItem,
  toQueue,
  waitingItems,
  wasQueued,
  moveToFront,
  reorderItems,
  rewriteItem,
} from "./queue-items.ts";
import { resumeQueue, pauseAfter, readState, writeState } from "./queue-state.ts";
import type { TurnRequest } from "#worker/conversation/turn/request.ts";
import type { Reader } from "#worker/people/callers/reader.ts";
import type { QueueItem, QueueInput } from "#worker/conversation/room/queue.ts";

/** What passes by itself. */
const TRIED_AGAIN = new Set(["RATE_LIMITED", "USAGE_CHECK_FAILED", "AGGREGATOR_UNAVAILABLE", "INTERNAL"]);

const PICTURE_UNSEEN = "The picture was not seen: the model that answers cannot read it.";

type Deps = {
  storage: DurableObjectStorage;
  /** Makes a turn of a waiting message, with the rights, models and tools that its author has by now; null where they are gone. */
  prepare(item: QueueItem): Promise<TurnRequest | null>;
  begin(request: TurnRequest): Promise<Outcome<unknown>>;
  /** Stores what came in by itself and cannot be answered, with the reason as its answer. */
  refuse(item: QueueItem, reason: QueuePause): void;
  /** Something could not be asked: it is tried again when the room wakes. */
  later(): void;
  stop(): Promise<unknown>;
  /** Notifies the readers' tabs that the queue changed. */
  notify(): void;
  waitUntil(work: Promise<unknown>): void;
};

/** The messages that wait their turn in one chat: one message at a time, each when the reply to the one before is done. */
export class Queue {
  readonly #deps: Deps;
  readonly #sql: SqlStorage;
  #isSending = false;
  #isAskedAgain = false;
  #sendingId: string | null = null;
  #movedOnId: string | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#sql = deps.storage.sql;
  }

  read(): MessageQueue {
    return toQueue(this.#sql, readChat(this.#sql).id);
  }

  add(reader: Reader, input: QueueInput): Outcome<string[]> {
    const known = findRequest(this.#sql, input.id);
    if (known?.hash === input.hash) return { ok: true, value: known.ids };
    if (known || wasQueued(this.#sql, input.id) || findMessage(this.#sql, input.id)) return { ok: false, code: "CONFLICT" };
    const before = waitingItems(this.#sql).length;
    const goesAtOnce = before === 0 && storedTurn(this.#sql) === null;
    if (goesAtOnce && input.afterId !== undefined && input.afterId !== selectedLeaf(this.#sql, reader.userId))
      return { ok: false, code: "CHAT_MOVED_ON" };
    const files = filesToSend(this.#sql, { ids: input.attachments, userId: reader.userId, hasVision: true });
    if (!files.ok) return files;
    const items = toItems(reader, input);
    if (before + items.length > QUEUE_LENGTH) {
      return { ok: false, code: "INVALID_INPUT", message: `At most ${QUEUE_LENGTH} messages can wait in a chat.` };
    }
    this.#deps.storage.transactionSync(() => {
      // Who begins again doesn't mean an earlier reply's failure; one that runs must end well.
      if (goesAtOnce) resumeQueue(this.#sql);
      appendItems(this.#sql, items, input.hash);
    });
    this.#deps.notify();
    this.advance();
    return { ok: true, value: items.map(({ id }) => id) };
  }

  async change(reader: Reader, change: QueueChange): Promise<Outcome<MessageQueue>> {
    const outcome = this.#deps.storage.transactionSync(() => applyChange(this.#sql, change, this.#changerOf(reader)));
    if (outcome.ok && change.send_now !== undefined && waitingItems(this.#sql)[0]?.id === change.send_now) await this.#deps.stop();
    return this.#changed(outcome);
  }

  remove(reader: Reader, id: string | null): Outcome<MessageQueue> {
    return this.#changed(this.#deps.storage.transactionSync(() => removeItems(this.#sql, id, this.#changerOf(reader))));
  }

  /** Sends the next message if no reply is under way and nothing holds the queue up. */
  advance(): void {
    if (this.#isSending) {
      this.#isAskedAgain = true;
      return;
    }
    if (!this.#isReady()) return;
    this.#isSending = true;
    this.#deps.waitUntil(this.#sendWaiting());
  }

  /** True while something is left to send by itself. */
  isBusy(): boolean {
    return isCreated(this.#sql) && waitingItems(this.#sql).length > 0 && readState(this.#sql).paused === null;
  }

  /** True for a message that is being sent at this moment. */
  isBeingSent(id: string): boolean {
    return id === this.#sendingId;
  }

  async #sendWaiting(): Promise<void> {
    try {
      do {
        this.#isAskedAgain = false;
        while (await this.#sendNext());
      } while (this.#isAskedAgain);
    } finally {
      this.#isSending = false;
    }
  }

  #isReady(): boolean {
    return (
      isCreated(this.#sql) && waitingItems(this.#sql).length > 0 && readState(this.#sql).paused === null && storedTurn(this.#sql) === null
    );
  }

  /** Sends the first message that waits; true where the next one can be tried at once. */
  async #sendNext(): Promise<boolean> {
    const item = this.#isReady() ? waitingItems(this.#sql)[0] : undefined;
    if (!item) return false;
    if (refuse(levelOf(this.#sql, item.authorId), "queue") || findMessage(this.#sql, item.id)) return this.#drop(item);
    const reason = isTyped(item) ? pauseAfter(this.#sql) : null;
    if (reason) return this.#pause(reason);
    this.#sendingId = item.id;
    try {
      const request = await this.#deps.prepare(item);
      if (!isCreated(this.#sql)) return false;
      if (request === null) return this.#drop(item);
      const begun = await this.#beginAny(item, request);
      // A turn that began meanwhile comes first; its end brings this one back.
      if (begun.ok || begun.code === "TURN_IN_PROGRESS" || !isCreated(this.#sql)) return false;
      // One began and ended meanwhile: it goes below that, once more at once and then when the room wakes.
      if (begun.code === "CHAT_MOVED_ON") return this.#retrySoon(item);
      // It was sent under the same id meanwhile, in other words: nothing of it is left to wait.
      if (findMessage(this.#sql, item.id)) return this.#drop(item);
      return this.#giveUp(item, { code: begun.code, message: begun.message ?? ERRORS[begun.code].message });
    } catch (cause) {
      if (!isCreated(this.#sql)) return false;
      if (cause instanceof AppError) return this.#giveUp(item, { code: cause.code, message: cause.message });
      log.error("queued message not sent", { cause });
      return this.#giveUp(item, { code: "INTERNAL", message: ERRORS.INTERNAL.message });
    } finally {
      this.#sendingId = null;
    }
  }

  /** Whoever sends a picture from elsewhere does not know which model answers: one that cannot see it answers the rest. */
  async #beginAny(item: QueueItem, request: TurnRequest): Promise<Outcome<unknown>> {
    const begun = await this.#deps.begin(request);
    const isPicture = !begun.ok && (begun.code === "MODEL_WITHOUT_VISION" || begun.code === "PICTURE_TOO_LARGE");
    if (!isPicture || isTyped(item) || request.kind !== "send") return begun;
    const attachments = item.attachments.filter((id) => findFile(this.#sql, id)?.kind !== "image");
    // Nothing would be left to answer.
    if (item.content.trim() === "" && attachments.length === 0) return begun;
    const messaging = request.messaging && { ...request.messaging, note: request.messaging.note ?? PICTURE_UNSEEN };
    return this.#deps.begin({ ...request, attachments, ...(messaging && { messaging }) });
  }

  /** What came in by itself goes into the chat with what went wrong; a person's own message waits for that person. */
  #giveUp(item: QueueItem, reason: QueuePause): boolean {
    if (isTyped(item)) return this.#pause(reason);
    if (TRIED_AGAIN.has(reason.code)) {
      this.#deps.later();
      return false;
    }
    this.#deps.refuse(item, reason);
    return true;
  }

  #retrySoon({ id }: QueueItem): boolean {
    const isFirst = this.#movedOnId !== id;
    this.#movedOnId = isFirst ? id : null;
    if (!isFirst) this.#deps.later();
    return isFirst;
  }

  #drop(item: QueueItem): boolean {
    removeItem(this.#sql, item.id);
    this.#deps.notify();
    return true;
  }

  #pause(paused: QueuePause): boolean {
    writeState(this.#sql, { ...readState(this.#sql), paused });
    this.#deps.notify();
    return false;
  }

  #changed(outcome: Outcome<null>): Outcome<MessageQueue> {
    if (!outcome.ok) return outcome;
    if (!isCreated(this.#sql)) return { ok: false, code: "NOT_FOUND" };
    this.#deps.notify();
    this.advance();
    return { ok: true, value: this.read() };
  }

  #changerOf(reader: Reader): Changer {
    return { userId: reader.userId, isOwner: levelOf(this.#sql, reader.userId) === "owner", sendingId: this.#sendingId };
  }
}

function toItems({ userId, displayName }: Reader, { id, ip, settings, once, attachments, steps }: QueueInput): QueueItem[] {
  const createdAt = new Date().toISOString();
  return steps.map((content, index) => ({
    id: index === 0 ? id : crypto.randomUUID(),
    requestId: id,
    authorId: userId,
    authorName: displayName,
    ip,
    content,
    settings,
    once,
    // The files come with the first step: the later ones read them there.
    attachments: index === 0 ? attachments : [],
    chain: steps.length === 1 ? null : { step: index + 1, steps: steps.length },
    mailId: null,
    messaging: null,
    createdAt,
  }));
}

/** Who changes the queue, and the message that is being sent at this moment. */
type Changer = { userId: string; isOwner: boolean; sendingId: string | null };

const DONE = { ok: true, value: null } as const;
const BEING_SENT = { ok: false, code: "CONFLICT", message: "This message is being sent already." } as const;

/** Changes the queue in one go, or refuses; call it in a transaction, which a refusal leaves as it was. */
function applyChange(sql: SqlStorage, { paused, order, edit, send_now: now }: QueueChange, changer: Changer): Outcome<null> {
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
function removeItems(sql: SqlStorage, id: string | null, changer: Changer): Outcome<null> {
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
