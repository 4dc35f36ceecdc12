import type { QueueChange } from "#shared/contracts/chat/queue.ts";
import type { MessageQueue, QueuePause } from "#shared/entities/queued-message.ts";
import { ERRORS } from "#shared/errors.ts";
import { QUEUE_LENGTH } from "#shared/limits.ts";
import { AppError, type Outcome } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { levelOf, refuse } from "../access/access.ts";
import { filesToSend, findFile } from "../messages/attachments.ts";
import { readChat, storedTurn } from "../chat.ts";
import { findMessage, leafOf } from "../messages/messages.ts";
import { isCreated } from "../migrations.ts";
import { applyChange, removeItems } from "./queue-change.ts";
import { appendItems, findRequest, isTyped, takeItem, toQueue, waitingItems, wasQueued } from "./queue-items.ts";
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

/** The messages that wait their turn in one chat. */
export type Queue = {
  read(): MessageQueue;
  add(reader: Reader, input: QueueInput): Outcome<string[]>;
  change(reader: Reader, change: QueueChange): Promise<Outcome<MessageQueue>>;
  remove(reader: Reader, id: string | null): Outcome<MessageQueue>;
  /** Sends the next message if no reply is under way and nothing holds the queue up. */
  advance(): void;
  /** True while something is left to send by itself. */
  isBusy(): boolean;
  /** True for a message that is being sent at this moment. */
  isBeingSent(id: string): boolean;
};

/** The queue of one room: one message at a time, each when the reply to the one before is done. */
export function createQueue(deps: Deps): Queue {
  const { storage } = deps;
  const { sql } = storage;
  let isSending = false;
  let isAskedAgain = false;
  let sendingId: string | null = null;
  let movedOnId: string | null = null;

  function advance(): void {
    if (isSending) {
      isAskedAgain = true;
      return;
    }
    if (!isReady()) return;
    isSending = true;
    deps.waitUntil(sendWaiting());
  }

  async function sendWaiting(): Promise<void> {
    try {
      do {
        isAskedAgain = false;
        while (await sendNext());
      } while (isAskedAgain);
    } finally {
      isSending = false;
    }
  }

  function isReady(): boolean {
    return isCreated(sql) && waitingItems(sql).length > 0 && readState(sql).paused === null && storedTurn(sql) === null;
  }

  /** Sends the first message that waits; true where the next one can be tried at once. */
  async function sendNext(): Promise<boolean> {
    const item = isReady() ? waitingItems(sql)[0] : undefined;
    if (!item) return false;
    if (refuse(levelOf(sql, item.authorId), "queue") || findMessage(sql, item.id)) return drop(item);
    const reason = isTyped(item) ? pauseAfter(sql) : null;
    if (reason) return pause(reason);
    sendingId = item.id;
    try {
      const request = await deps.prepare(item);
      if (!isCreated(sql)) return false;
      if (request === null) return drop(item);
      const begun = await beginAny(item, request);
      // A turn that began meanwhile comes first; its end brings this one back.
      if (begun.ok || begun.code === "TURN_IN_PROGRESS" || !isCreated(sql)) return false;
      // One began and ended meanwhile: it goes below that, once more at once and then when the room wakes.
      if (begun.code === "CHAT_MOVED_ON") return retrySoon(item);
      // It was sent under the same id meanwhile, in other words: nothing of it is left to wait.
      if (findMessage(sql, item.id)) return drop(item);
      return giveUp(item, { code: begun.code, message: begun.message ?? ERRORS[begun.code].message });
    } catch (cause) {
      if (!isCreated(sql)) return false;
      if (cause instanceof AppError) return giveUp(item, { code: cause.code, message: cause.message });
      log.error("queued message not sent", { cause });
      return giveUp(item, { code: "INTERNAL", message: ERRORS.INTERNAL.message });
    } finally {
      sendingId = null;
    }
  }

  /** Whoever sends a picture from elsewhere does not know which model answers: one that cannot see it answers the rest. */
  async function beginAny(item: QueueItem, request: TurnRequest): Promise<Outcome<unknown>> {
    const begun = await deps.begin(request);
    const isPicture = !begun.ok && (begun.code === "MODEL_WITHOUT_VISION" || begun.code === "PICTURE_TOO_LARGE");
    if (!isPicture || isTyped(item) || request.kind !== "send") return begun;
    const attachments = item.attachments.filter((id) => findFile(sql, id)?.kind !== "image");
    // Nothing would be left to answer.
    if (item.content.trim() === "" && attachments.length === 0) return begun;
    const messaging = request.messaging && { ...request.messaging, note: request.messaging.note ?? PICTURE_UNSEEN };
    return deps.begin({ ...request, attachments, ...(messaging && { messaging }) });
  }

  /** What came in by itself goes into the chat with what went wrong; a person's own message waits for that person. */
  function giveUp(item: QueueItem, reason: QueuePause): boolean {
    if (isTyped(item)) return pause(reason);
    if (TRIED_AGAIN.has(reason.code)) {
      deps.later();
      return false;
    }
    deps.refuse(item, reason);
    return true;
  }

  function retrySoon({ id }: QueueItem): boolean {
    const isFirst = movedOnId !== id;
    movedOnId = isFirst ? id : null;
    if (!isFirst) deps.later();
    return isFirst;
  }

  function drop(item: QueueItem): boolean {
    takeItem(sql, item.id);
    deps.notify();
    return true;
  }

  function pause(paused: QueuePause): boolean {
    writeState(sql, { ...readState(sql), paused });
    deps.notify();
    return false;
  }

  const read = () => toQueue(sql, readChat(sql).id);

  const changerOf = (reader: Reader) => ({ userId: reader.userId, isOwner: levelOf(sql, reader.userId) === "owner", sendingId });

  function changed(outcome: Outcome<null>): Outcome<MessageQueue> {
    if (!outcome.ok) return outcome;
    if (!isCreated(sql)) return { ok: false, code: "NOT_FOUND" };
    deps.notify();
    advance();
    return { ok: true, value: read() };
  }

  return {
    read,
    advance,
    isBeingSent: (id) => id === sendingId,
    isBusy: () => isCreated(sql) && waitingItems(sql).length > 0 && readState(sql).paused === null,
    add(reader, input) {
      const known = findRequest(sql, input.id);
      if (known?.hash === input.hash) return { ok: true, value: known.ids };
      if (known || wasQueued(sql, input.id) || findMessage(sql, input.id)) return { ok: false, code: "CONFLICT" };
      const before = waitingItems(sql).length;
      const goesAtOnce = before === 0 && storedTurn(sql) === null;
      if (goesAtOnce && input.afterId !== undefined && input.afterId !== leafOf(sql, reader.userId))
        return { ok: false, code: "CHAT_MOVED_ON" };
      const files = filesToSend(sql, { ids: input.attachments, userId: reader.userId, hasVision: true });
      if (!files.ok) return files;
      const items = toItems(reader, input);
      if (before + items.length > QUEUE_LENGTH) {
        return { ok: false, code: "INVALID_INPUT", message: `At most ${QUEUE_LENGTH} messages can wait in a chat.` };
      }
      storage.transactionSync(() => {
        // Who begins again doesn't mean an earlier reply's failure; one that runs must end well.
        if (goesAtOnce) resumeQueue(sql);
        appendItems(sql, items, input.hash);
      });
      deps.notify();
      advance();
      return { ok: true, value: items.map(({ id }) => id) };
    },
    async change(reader, change) {
      const outcome = storage.transactionSync(() => applyChange(sql, change, changerOf(reader)));
      if (outcome.ok && change.send_now !== undefined && waitingItems(sql)[0]?.id === change.send_now) await deps.stop();
      return changed(outcome);
    },
    remove: (reader, id) => changed(storage.transactionSync(() => removeItems(sql, id, changerOf(reader)))),
  };
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
