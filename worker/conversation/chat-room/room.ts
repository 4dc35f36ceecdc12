import { prepareQueued } from "#worker/conversation/chats/prepare-turn.ts";
import { streamCompletion } from "#worker/platform/clients/aggregator.ts";
import type { Env } from "#worker/platform/env.ts";
import { createDueWork } from "#worker/platform/due-work/due-work.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import type { Features, TurnFeatures } from "#worker/conversation/features.ts";
import { levelOf, NOT_FOUND, refuse } from "./access/access.ts";
import { createApprovalMails } from "./replies/approval-mails.ts";
import { createAccessList } from "./access/access-list.ts";
import { beginTurn } from "./replies/begin-turn.ts";
import { chargesOf, hasCharges } from "./charges/charges.ts";
import { addActivity, hasChat, hasTurn, ownerOf, readChat, readSettings } from "./chat.ts";
import { hasMembers, readerIds } from "./access/members.ts";
import { decideCall, expireCalls, isOrphaned, problemOfDecision } from "./replies/decide-call.ts";
import { dropAll, isCreated, migrate } from "./migrations.ts";
import { createMailWriters } from "./mails/mail-writers.ts";
import { createMails, type MailWork } from "./mails/mails.ts";
import { createOutbox, type Target } from "./outbox.ts";
import { openMessaging } from "./messaging/open-messaging.ts";
import { createRuns } from "./runs/runs.ts";
import { createPresence } from "./access/presence.ts";
import { createQueue } from "./queue/queue.ts";
import { mailOf } from "./mails/mail-of.ts";
import { sourcesOfItem } from "./mails/own-sources.ts";
import { refuseMail } from "./mails/refuse-mail.ts";
import { placeOf, withAnswerBefore } from "./queue/queue-items.ts";
import { resolveCosts, payCharges } from "./charges/resolve-costs.ts";
import type { ChatUpdate } from "#worker/conversation/room/rpc.ts";
import type { TurnRequest } from "#worker/conversation/turn/request.ts";
import { keepResearchReport } from "./messages/research-report.ts";
import { nextExpiry } from "./messages/tool-rounds.ts";
import { openFiles } from "./messages/attachments.ts";
import { isStoredPending, noteStored, releaseStored, reportStored } from "./messages/stored-files.ts";
import { reconcileReader } from "./reconcile.ts";
import { openDelivery } from "./send-report.ts";
import { log } from "#worker/platform/log.ts";
import { sleep } from "#worker/conversation/turn/sleep.ts";
import type { StoredCall } from "#worker/conversation/turn/round.ts";
import type { StoredTurn } from "#worker/conversation/turn/stored-turn.ts";
import { toToolCall } from "#worker/conversation/turn/tool-call.ts";
import type { Room } from "./room-parts.ts";
import { createStreamPlaces } from "./replies/stream-slots.ts";
import { titleChat } from "./replies/title-chat.ts";
import { openTodos } from "./todos.ts";
import { createTurnRunner } from "./replies/turn-runner.ts";

/** A live turn and undelivered reports are looked after this often, in milliseconds, when nobody else wakes the object. */
const WATCH_MS = 30_000;
/** The row of later work that stands for whichever call expires next. */
const NEXT = "next";

type Given = { env: Env; features: Features; turn: TurnFeatures };

/** Wires a room's parts together over its storage. */
export function createRoom(ctx: DurableObjectState, { env, features, turn: turnFeatures }: Given): Room {
  const { tools } = turnFeatures;
  const { storage } = ctx;
  const { sql } = storage;
  let isStarted = false;
  /** True from the moment that the chat is deleted: a message that was let in before must not found it again. */
  let isClosed = false;
  let purging: Promise<string[]> | null = null;
  /** Models that are being asked: what they cost is noted as soon as they are not. */
  const asking = new Set<Promise<void>>();
  /** Turns that are being begun, by what they are asked for. */
  const beginning = new Map<string, Promise<unknown>>();
  const due = createDueWork<MailWork | "mail" | "reminder" | "run" | "approvals" | "approval.mail" | "messaging">(storage, {
    mail: (id) => letters.outgoing.attempt(id),
    reminder: (id) => letters.reminders.due(id),
    run: (callId) => runs.due(callId),
    messaging: (work) => messaging.due(work),
    approvals: expire,
    "approval.mail": (callId) => approvalMails.attempt(callId),
    "mail.read": (mailId) => mails.work["mail.read"](mailId),
    "mail.begin": (mailId) => mails.work["mail.begin"](mailId),
    "mail.answer": (mailId) => mails.work["mail.answer"](mailId),
    "mail.quarantine": (id) => mails.work["mail.quarantine"](id),
    "mail.sources": (id) => mails.work["mail.sources"](id),
  });
  const isDeleted = () => isClosed || !isCreated(sql);

  const outbox = createOutbox(sql, (news) => openDelivery(env, sql, news));
  const access = createAccessList({
    env,
    storage,
    outbox,
    cut: (userIds) => {
      turns.cut((reader) => userIds.has(reader.userId));
      presence.refresh();
    },
    onRead: async () => {
      // Nobody else could let it go on.
      if (isOrphaned(sql, (userId) => refuse(levelOf(sql, userId), "decide") === null)) await turns.stop();
    },
    watch,
    waitUntil: (work) => ctx.waitUntil(work),
  });
  const turns = createTurnRunner({
    storage,
    outbox,
    turnDeps: {
      env,
      tools,
      openConnections: features.openConnections,
      complete: (request, asker) => {
        const asked = streamCompletion(env, request, asker);
        asking.add(asked);
        const drop = () => void asking.delete(asked);
        asked.then(drop, drop);
        return asked;
      },
      sleep,
      now: () => Date.now(),
      todos: (by) => openTodos(sql, { ...by, chatId: readChat(sql).id, onChanged: () => notify({ type: "todo.changed" }) }),
      mails: () => letters.forTools(),
      runs: { start: (...run) => runs.start(...run), plan: (...run) => runs.plan(...run) },
      files: () => openFiles(sql, changeFiles),
      isOffRecord: () => readSettings(sql).off_record === true,
    },
    readers,
    seesMail: (userId) => refuse(levelOf(sql, userId), "mail") === null,
    waitUntil: (work) => ctx.waitUntil(work),
    onWaiting: () => ctx.waitUntil(Promise.all([watchApprovals(), approvalMails.ask()])),
    onSettled: finish,
  });
  const places = createStreamPlaces({ env, turns, chatId: () => readChat(sql).id });
  const queue = createQueue({
    storage,
    prepare: (item) => {
      const how = { mail: mailOf(sql, item), sources: sourcesOfItem(sql, item) };
      return prepareQueued({ env, features }, withAnswerBefore(sql, item), placeOf(sql, item), how);
    },
    begin,
    refuse: (item, reason) => {
      storage.transactionSync(() => {
        const { replyId, changes } = refuseMail(sql, item, reason);
        outbox.mark(readers(), { updates: [{ type: "queue.changed" }, { type: "reply.ended", replyId }], changes });
      });
      report();
      if (item.mailId !== null) ctx.waitUntil(mails.settled(item.mailId));
      if (item.messaging !== null) ctx.waitUntil(messaging.settled(item.id));
    },
    later: () => ctx.waitUntil(watch()),
    stop: () => turns.stop(),
    notify: () => notify({ type: "queue.changed" }),
    waitUntil: (work) => ctx.waitUntil(work),
  });

  const mails = createMails({
    env,
    storage,
    due,
    notify,
    notifyNotable: () => notifyMails(true),
    notifyStored,
    advance: () => queue.advance(),
  });
  const runs = createRuns({
    env,
    features,
    storage,
    schedule: (callId, at) => due.schedule("run", callId, at),
    begin,
    notify: () => notify({ type: "runs.changed" }),
  });
  const letters = createMailWriters({ env, features, storage, due, begin, notify: notifyMails, waitUntil: (work) => ctx.waitUntil(work) });

  const approvalMails = createApprovalMails({
    env,
    tools,
    storage,
    schedule: (callId) => due.schedule("approval.mail", callId, Date.now()),
    askByApp: (callId, question) => messaging.ask(callId, question),
    decided,
  });

  const messaging = openMessaging(
    {
      env,
      tools,
      storage,
      schedule: (work, at) => due.schedule("messaging", work, at),
      cancel: (work) => due.cancel("messaging", work),
      notify: notifyMails,
      isBeingSent: (id) => queue.isBeingSent(id),
      notifyQueue: () => notify({ type: "queue.changed" }),
      notifyStored,
      advance: () => queue.advance(),
      askAgain: () => approvalMails.ask(),
      answerApproval: (input) => approvalMails.answer(input),
    },
    features.messagingApp,
  );

  const presence = createPresence({
    now: () => Date.now(),
    sleep,
    mayRead: (userId) => isCreated(sql) && levelOf(sql, userId) !== null,
    notify: async (userId, present) => hubOf(env, userId).showPresence(readChat(sql).id, present),
    waitUntil: (work) => ctx.waitUntil(work),
  });

  function readers(): Target[] {
    const owner: Target = { kind: "hub", userId: ownerOf(sql) };
    return hasMembers(sql) ? [owner, { kind: "members" }] : [owner];
  }

  /** The same request twice at once holds and counts once: the second waits and gets the first one's result. */
  async function begin(request: TurnRequest, how = { isFollowed: false }): ReturnType<Room["begin"]> {
    const id = request.kind === "continue" ? request.messageId : request.id;
    const begun = (beginning.get(id) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() =>
        isClosed
          ? NOT_FOUND
          : beginTurn({ env, features: turnFeatures, ctx, outbox, turns, readers, hold: places.hold, watch, isDeleted }, request, how),
      );
    beginning.set(id, begun);
    try {
      const outcome = await begun;
      // Who is in the team that it begins in is read once it stands.
      if (outcome.ok && request.kind === "send" && request.create?.teamId) access.resumePending();
      return outcome;
    } finally {
      if (beginning.get(id) === begun) beginning.delete(id);
    }
  }

  function start(): boolean {
    if (isStarted || isClosed) return !isClosed;
    migrate(storage);
    isStarted = true;
    turns.recover();
    queue.advance();
    access.resumePending();
    if (!outbox.isEmpty()) ctx.waitUntil(outbox.deliver());
    if (isStoredPending(sql)) ctx.waitUntil(notifyStored());
    return true;
  }

  function open(): boolean {
    return !isClosed && isCreated(sql) && start() && hasChat(sql);
  }

  /** Two at once are one. */
  function purge({ free }: { free: boolean }): Promise<string[]> {
    purging ??= empty(free).finally(() => {
      purging = null;
    });
    return purging;
  }

  async function empty(free: boolean): Promise<string[]> {
    // What was closed before and still holds a chat could not be paid for then.
    const isHere = isClosed ? isCreated(sql) && hasChat(sql) : open();
    isClosed = true;
    if (isHere) {
      turns.cut(() => true);
      await turns.stop();
      await Promise.allSettled(asking);
      await runs.abandon();
      await payCharges(env, sql);
      await releaseStored(env, sql);
    }
    const userIds = isHere ? readerIds(sql) : [];
    if (isCreated(sql)) {
      await storage.deleteAlarm();
      await dropAll(storage);
      due.forget();
    }
    isStarted = false;
    isClosed = !free;
    return userIds;
  }

  function watch(): Promise<void> {
    return due.watch(Date.now() + WATCH_MS);
  }

  async function notifyStored(): Promise<void> {
    try {
      await reportStored(env, sql);
    } catch (cause) {
      log.warn("what a chat's files take was not reported, kept", { cause });
      await watch();
    }
  }

  async function changeFiles<T>(change: () => T): Promise<T> {
    const changed = storage.transactionSync(() => {
      noteStored(sql);
      return change();
    });
    await notifyStored();
    return changed;
  }

  /** Sees to it that the room wakes when the next call expires that waits for a word. */
  async function watchApprovals(): Promise<void> {
    const at = nextExpiry(sql);
    if (at === null) due.cancel("approvals", NEXT);
    else await due.schedule("approvals", NEXT, at);
  }

  async function decided({ turn, call }: { turn: StoredTurn; call: StoredCall }): Promise<void> {
    await watch();
    await watchApprovals();
    turns.decided(turn, call.id);
    ctx.waitUntil(outbox.deliver());
  }

  async function decide(...[reader, decision]: Parameters<Room["decide"]>): ReturnType<Room["decide"]> {
    const problem = await problemOfDecision(env, { sql, tools }, decision);
    const made = problem ?? storage.transactionSync(() => decideCall({ sql, tools }, reader, decision));
    if (!made.ok) return made;
    await decided(made.value);
    return { ok: true, value: toToolCall(made.value.call) };
  }

  async function expire(): Promise<number | null> {
    const expired = storage.transactionSync(() => expireCalls(sql, Date.now()));
    if (expired) for (const { id } of expired.calls) turns.decided(expired.turn, id);
    return nextExpiry(sql);
  }

  function report(): void {
    ctx.waitUntil(Promise.all([watch(), outbox.deliver()]));
  }

  function notify(news: ChatUpdate): void {
    outbox.mark(readers(), { updates: [news] });
    report();
  }

  /** Notifies the readers' tabs that the chat's mails changed; what is notable makes the chat unread. */
  function notifyMails(isNotable: boolean): void {
    outbox.mark(readers(), { updates: [{ type: "mails.changed" }], ...(isNotable && { changes: addActivity(sql, null) }) });
    report();
  }

  function isBusy(): boolean {
    return (
      isCreated(sql) &&
      (hasTurn(sql) || queue.isBusy() || hasCharges(sql) || access.isPending() || !outbox.isEmpty() || isStoredPending(sql))
    );
  }

  async function settleCosts(): Promise<void> {
    const isSettled = await resolveCosts(env, sql, readChat(sql).id);
    // The chat may have been deleted while the costs were looked up.
    if (isSettled && isCreated(sql)) outbox.mark(readers());
  }

  async function finish(turn: StoredTurn): Promise<void> {
    if (isClosed || !isCreated(sql)) return;
    due.cancel("approvals", NEXT);
    const { request } = turn;
    if (request.kind === "send" && request.mail) await mails.settled(request.mail.id);
    if (request.kind === "send" && request.messaging) await messaging.settled(request.id);
    ctx.waitUntil(keepResearchReport(env, sql, turn));
    // It reads the exchange it is about before the next one begins.
    const titling = titleChat(env, sql, turn);
    queue.advance();
    await runs.resume();
    const isTitled = await titling;
    if (isClosed || !isCreated(sql)) return;
    const isCharged = chargesOf(sql, turn.request.reader.userId, turn.request.chatId).length > 0;
    if (isTitled || isCharged) outbox.mark(isTitled ? [...readers(), { kind: "d1" }] : readers());
    await settleCosts();
    await outbox.deliver();
    // An alarm that comes to no purpose costs more than one that is called off: it wakes the object.
    if (!isBusy()) await due.rest();
  }

  return {
    storage,
    sql,
    outbox,
    turns,
    places,
    queue,
    mails,
    letters,
    runs,
    messaging,
    access,
    presence,
    open,
    start,
    purge,
    refuse: ({ userId }, action) => refuse(open() ? levelOf(sql, userId) : null, action),
    readers,
    notify,
    notifyMails,
    report,
    watch,
    approvalMails,
    decide,
    reconcile: (userId, seen) => reconcileReader(env, sql, userId, seen),
    notifyStored,
    changeFiles,
    begin,
    async wake() {
      if (!open()) return;
      await due.run();
      access.resumePending();
      await settleCosts();
      await outbox.deliver();
      if (isCreated(sql) && isStoredPending(sql)) await notifyStored();
      queue.advance();
      if (isBusy()) await watch();
    },
  };
}
