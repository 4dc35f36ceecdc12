import type { QueuePause } from "#shared/entities/queued-message.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import type { Action } from "#shared/permissions.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { Reader } from "#worker/people/callers/reader.ts";
import type { QueueItem } from "#worker/conversation/room/queue.ts";
import { prepareQueued } from "#worker/conversation/chats/prepare-turn.ts";
import { streamCompletion } from "#worker/platform/clients/aggregator.ts";
import type { Env } from "#worker/platform/env.ts";
import { createDueWork, type DueWork } from "#worker/platform/due-work/due-work.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import type { Features, TurnFeatures } from "#worker/conversation/features.ts";
import { levelOf, NOT_FOUND, refuse } from "./access/access.ts";
import { type ApprovalMails, createApprovalMails } from "./replies/approval-mails.ts";
import { type AccessList, createAccessSync } from "./access/access-list.ts";
import { beginTurn } from "./replies/begin-turn.ts";
import { pendingChargesOf, hasCharges } from "./charges/charges.ts";
import { addActivity, hasChat, hasTurn, ownerOf, readChat, readSettings } from "./chat.ts";
import { hasMembers, readerIds } from "./access/members.ts";
import { decideCall, expireCalls, isOrphaned, problemOfDecision } from "./replies/decide-call.ts";
import { dropAll, isCreated, migrate } from "./migrations.ts";
import { createMailWriters, type MailWriters } from "./mails/mail-writers.ts";
import { createMails, type Mails, type MailWork } from "./mails/mails.ts";
import { createOutbox, type Outbox, type Target } from "./outbox.ts";
import { openMessaging } from "./messaging/open-messaging.ts";
import type { Messaging } from "./messaging/messaging-deps.ts";
import { Runs } from "./runs/runs.ts";
import { createPresence, type PresenceKeeper } from "./access/presence.ts";
import { Queue } from "./queue/queue.ts";
import { queuedMail } from "./mails/queued-mail.ts";
import { sourcesOfItem } from "./mails/mail-sources.ts";
import { refuseMail } from "./mails/refuse-mail.ts";
import { targetOfItem, withAnswerBefore } from "./queue/queue-items.ts";
import { resolveCosts, payCharges } from "./charges/resolve-costs.ts";
import type { ChatUpdate, ComparedChat, Decision, Reconciled } from "#worker/conversation/room/rpc.ts";
import type { BegunTurn, TurnRequest } from "#worker/conversation/turn/request.ts";
import { saveResearchReport } from "./messages/research-report.ts";
import { nextExpiry } from "./messages/tool-rounds.ts";
import { openFiles } from "./messages/attachments.ts";
import { isStoredPending, noteStored, releaseStored, reportStored } from "./messages/stored-files.ts";
import { reconcileReader } from "./reconcile.ts";
import { openDelivery } from "./send-report.ts";
import { log } from "#worker/platform/log.ts";
import { sleep } from "#worker/conversation/turn/sleep.ts";
import type { ToolHost } from "#worker/conversation/tools/tool.ts";
import type { StoredCall } from "#worker/conversation/turn/round.ts";
import type { StoredTurn } from "#worker/conversation/turn/stored-turn.ts";
import { toToolCall } from "#worker/conversation/turn/tool-call.ts";
import type { Room } from "./room-parts.ts";
import { createStreamPlaces, type StreamPlaces } from "./replies/stream-slots.ts";
import { titleChat } from "./replies/title-chat.ts";
import { openTodos } from "./todos.ts";
import { TurnRunner } from "./replies/turn-runner.ts";

/** A live turn and undelivered reports are looked after this often, in milliseconds, when nobody else wakes the object. */
const WATCH_MS = 30_000;
/** The row of later work that stands for whichever call expires next. */
const NEXT = "next";

type Given = { env: Env; features: Features; turn: TurnFeatures };
/** What a room does later, by kind. */
type Work = MailWork | "mail" | "reminder" | "run" | "approvals" | "approval.mail" | "messaging";

/** A room while its object is in memory: its parts, wired together over its storage. */
export class LiveRoom implements Room {
  readonly storage: DurableObjectStorage;
  readonly sql: SqlStorage;
  readonly outbox: Outbox;
  readonly access: AccessList;
  readonly turns: TurnRunner;
  readonly places: StreamPlaces;
  readonly queue: Queue;
  readonly mails: Mails;
  readonly runs: Runs;
  readonly letters: MailWriters;
  readonly approvalMails: ApprovalMails;
  readonly messaging: Messaging;
  readonly presence: PresenceKeeper;
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  readonly #features: Features;
  readonly #turnFeatures: TurnFeatures;
  readonly #due: DueWork<Work>;
  #isStarted = false;
  /** True from the moment that the chat is deleted: a message that was let in before must not found it again. */
  #isClosed = false;
  #purging: Promise<string[]> | null = null;
  /** Models that are being asked: what they cost is noted as soon as they are not. */
  readonly #asking = new Set<Promise<void>>();
  /** Turns that are being begun, by what they are asked for. */
  readonly #beginning = new Map<string, Promise<unknown>>();

  constructor(ctx: DurableObjectState, { env, features, turn }: Given) {
    this.#ctx = ctx;
    this.#env = env;
    this.#features = features;
    this.#turnFeatures = turn;
    this.storage = ctx.storage;
    this.sql = ctx.storage.sql;
    this.#due = this.#openDueWork();
    this.outbox = createOutbox(this.sql, (news) => openDelivery(env, this.sql, news));
    this.access = this.#openAccess();
    this.turns = this.#openTurns();
    this.places = createStreamPlaces({ env, turns: this.turns, chatId: () => this.#chatId() });
    this.queue = this.#openQueue();
    this.mails = this.#openMails();
    this.runs = this.#openRuns();
    this.letters = this.#openLetters();
    this.approvalMails = this.#openApprovalMails();
    this.messaging = this.#openMessaging();
    this.presence = this.#openPresence();
  }

  #openDueWork(): DueWork<Work> {
    return createDueWork<Work>(this.storage, {
      mail: (id) => this.letters.outgoing.attempt(id),
      reminder: (id) => this.letters.reminders.due(id),
      run: (callId) => this.runs.due(callId),
      messaging: (work) => this.messaging.due(work),
      approvals: () => this.#expire(),
      "approval.mail": (callId) => this.approvalMails.attempt(callId),
      "mail.read": (mailId) => this.mails.work["mail.read"](mailId),
      "mail.begin": (mailId) => this.mails.work["mail.begin"](mailId),
      "mail.answer": (mailId) => this.mails.work["mail.answer"](mailId),
      "mail.quarantine": (id) => this.mails.work["mail.quarantine"](id),
      "mail.sources": (id) => this.mails.work["mail.sources"](id),
    });
  }

  #openAccess(): AccessList {
    return createAccessSync({
      env: this.#env,
      storage: this.storage,
      outbox: this.outbox,
      cut: (userIds) => {
        this.turns.cut((reader) => userIds.has(reader.userId));
        this.presence.refresh();
      },
      onRead: async () => {
        // Nobody else could let it go on.
        if (isOrphaned(this.sql, (userId) => refuse(levelOf(this.sql, userId), "decide") === null)) await this.turns.stop();
      },
      watch: () => this.watch(),
      waitUntil: (work) => this.#ctx.waitUntil(work),
    });
  }

  #openTurns(): TurnRunner {
    return new TurnRunner({
      storage: this.storage,
      outbox: this.outbox,
      host: this.#toolHost(),
      sleep,
      readers: () => this.readers(),
      seesMail: (userId) => refuse(levelOf(this.sql, userId), "mail") === null,
      waitUntil: (work) => this.#ctx.waitUntil(work),
      onWaiting: () => this.#ctx.waitUntil(Promise.all([this.#watchApprovals(), this.approvalMails.ask()])),
      onSettled: (turn) => this.#finish(turn),
    });
  }

  #toolHost(): ToolHost {
    return {
      env: this.#env,
      tools: this.#turnFeatures.tools,
      openConnections: this.#features.openConnections,
      complete: (request, asker) => {
        const asked = streamCompletion(this.#env, request, asker);
        this.#asking.add(asked);
        const drop = () => void this.#asking.delete(asked);
        asked.then(drop, drop);
        return asked;
      },
      todos: (by) => openTodos(this.sql, { ...by, chatId: this.#chatId(), onChanged: () => this.notify({ type: "todo.changed" }) }),
      mails: () => this.letters.forTools(),
      files: () => openFiles(this.sql, (change) => this.changeFiles(change)),
      runs: { start: (...run) => this.runs.start(...run), plan: (...run) => this.runs.plan(...run) },
      isOffRecord: () => readSettings(this.sql).off_record === true,
      now: () => Date.now(),
    };
  }

  #openQueue(): Queue {
    return new Queue({
      storage: this.storage,
      prepare: (item) => {
        const how = { mail: queuedMail(this.sql, item), sources: sourcesOfItem(this.sql, item) };
        const features = { env: this.#env, features: this.#features };
        return prepareQueued(features, withAnswerBefore(this.sql, item), targetOfItem(this.sql, item), how);
      },
      begin: (request) => this.begin(request),
      refuse: (item, reason) => this.#refuseQueued(item, reason),
      later: () => this.#ctx.waitUntil(this.watch()),
      stop: () => this.turns.stop(),
      notify: () => this.notify({ type: "queue.changed" }),
      waitUntil: (work) => this.#ctx.waitUntil(work),
    });
  }

  #openMails(): Mails {
    return createMails({
      env: this.#env,
      storage: this.storage,
      due: this.#due,
      notify: (news) => this.notify(news),
      notifyNotable: () => this.notifyMails(true),
      notifyStored: () => this.notifyStored(),
      advance: () => this.queue.advance(),
    });
  }

  #openRuns(): Runs {
    return new Runs({
      env: this.#env,
      features: this.#features,
      storage: this.storage,
      schedule: (callId, at) => this.#due.schedule("run", callId, at),
      begin: (request) => this.begin(request),
      notify: () => this.notify({ type: "runs.changed" }),
    });
  }

  #openLetters(): MailWriters {
    return createMailWriters({
      env: this.#env,
      features: this.#features,
      storage: this.storage,
      due: this.#due,
      begin: (request) => this.begin(request),
      notify: (isNotable) => this.notifyMails(isNotable),
      waitUntil: (work) => this.#ctx.waitUntil(work),
    });
  }

  #openApprovalMails(): ApprovalMails {
    return createApprovalMails({
      env: this.#env,
      tools: this.#turnFeatures.tools,
      storage: this.storage,
      schedule: (callId) => this.#due.schedule("approval.mail", callId, Date.now()),
      askByApp: (callId, question) => this.messaging.ask(callId, question),
      decided: (decision) => this.#decided(decision),
    });
  }

  #openMessaging(): Messaging {
    return openMessaging(
      {
        env: this.#env,
        tools: this.#turnFeatures.tools,
        storage: this.storage,
        schedule: (work, at) => this.#due.schedule("messaging", work, at),
        cancel: (work) => this.#due.cancel("messaging", work),
        notify: (isNotable) => this.notifyMails(isNotable),
        isBeingSent: (id) => this.queue.isBeingSent(id),
        notifyQueue: () => this.notify({ type: "queue.changed" }),
        notifyStored: () => this.notifyStored(),
        advance: () => this.queue.advance(),
        askAgain: () => this.approvalMails.ask(),
        answerApproval: (input) => this.approvalMails.answer(input),
      },
      this.#features.messagingApp,
    );
  }

  #openPresence(): PresenceKeeper {
    return createPresence({
      now: () => Date.now(),
      sleep,
      mayRead: (userId) => isCreated(this.sql) && levelOf(this.sql, userId) !== null,
      notify: async (userId, present) => hubOf(this.#env, userId).showPresence(this.#chatId(), present),
      waitUntil: (work) => this.#ctx.waitUntil(work),
    });
  }

  readers(): Target[] {
    const owner: Target = { kind: "hub", userId: ownerOf(this.sql) };
    return hasMembers(this.sql) ? [owner, { kind: "members" }] : [owner];
  }

  /** The same request twice at once holds and counts once: the second waits and gets the first one's result. */
  async begin(request: TurnRequest, how = { isFollowed: false }): Promise<Outcome<BegunTurn>> {
    const id = request.kind === "continue" ? request.messageId : request.id;
    const begun = (this.#beginning.get(id) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() =>
        this.#isClosed
          ? NOT_FOUND
          : beginTurn(
              {
                env: this.#env,
                features: this.#turnFeatures,
                ctx: this.#ctx,
                outbox: this.outbox,
                turns: this.turns,
                readers: () => this.readers(),
                hold: this.places.hold,
                watch: () => this.watch(),
                isDeleted: () => this.#isClosed || !isCreated(this.sql),
              },
              request,
              how,
            ),
      );
    this.#beginning.set(id, begun);
    try {
      const outcome = await begun;
      // Who is in the team that it begins in is read once it stands.
      if (outcome.ok && request.kind === "send" && request.create?.teamId) this.access.resumePending();
      return outcome;
    } finally {
      if (this.#beginning.get(id) === begun) this.#beginning.delete(id);
    }
  }

  start(): boolean {
    if (this.#isStarted || this.#isClosed) return !this.#isClosed;
    migrate(this.storage);
    this.#isStarted = true;
    this.turns.recover();
    this.queue.advance();
    this.access.resumePending();
    if (!this.outbox.isEmpty()) this.#ctx.waitUntil(this.outbox.deliver());
    if (isStoredPending(this.sql)) this.#ctx.waitUntil(this.notifyStored());
    return true;
  }

  open(): boolean {
    return !this.#isClosed && isCreated(this.sql) && this.start() && hasChat(this.sql);
  }

  /** Two at once are one. */
  purge({ free }: { free: boolean }): Promise<string[]> {
    this.#purging ??= this.#empty(free).finally(() => {
      this.#purging = null;
    });
    return this.#purging;
  }

  watch(): Promise<void> {
    return this.#due.watch(Date.now() + WATCH_MS);
  }

  async notifyStored(): Promise<void> {
    try {
      await reportStored(this.#env, this.sql);
    } catch (cause) {
      log.warn("what a chat's files take was not reported and is sent again", { cause });
      await this.watch();
    }
  }

  async changeFiles<T>(change: () => T): Promise<T> {
    const changed = this.storage.transactionSync(() => {
      noteStored(this.sql);
      return change();
    });
    await this.notifyStored();
    return changed;
  }

  async decide(reader: Reader, decision: Decision): Promise<Outcome<ToolCall>> {
    const problem = await problemOfDecision(this.#env, { sql: this.sql, tools: this.#turnFeatures.tools }, decision);
    const made =
      problem ?? this.storage.transactionSync(() => decideCall({ sql: this.sql, tools: this.#turnFeatures.tools }, reader, decision));
    if (!made.ok) return made;
    await this.#decided(made.value);
    return { ok: true, value: toToolCall(made.value.call) };
  }

  report(): void {
    this.#ctx.waitUntil(Promise.all([this.watch(), this.outbox.deliver()]));
  }

  notify(news: ChatUpdate): void {
    this.outbox.mark(this.readers(), { updates: [news] });
    this.report();
  }

  /** Notifies the readers' tabs that the chat's mails changed; what is notable makes the chat unread. */
  notifyMails(isNotable: boolean): void {
    this.outbox.mark(this.readers(), { updates: [{ type: "mails.changed" }], ...(isNotable && { changes: addActivity(this.sql, null) }) });
    this.report();
  }

  refuse({ userId }: Pick<Reader, "userId">, action: Action): ReturnType<typeof refuse> {
    return refuse(this.open() ? levelOf(this.sql, userId) : null, action);
  }

  reconcile(userId: string, seen: ComparedChat): Promise<Reconciled> {
    return reconcileReader(this.#env, this.sql, userId, seen);
  }

  async wake(): Promise<void> {
    if (!this.open()) return;
    await this.#due.run();
    this.access.resumePending();
    await this.#settleCosts();
    await this.outbox.deliver();
    if (isCreated(this.sql) && isStoredPending(this.sql)) await this.notifyStored();
    this.queue.advance();
    if (this.#isBusy()) await this.watch();
  }

  async #empty(free: boolean): Promise<string[]> {
    // What was closed before and still holds a chat could not be paid for then.
    const isHere = this.#isClosed ? isCreated(this.sql) && hasChat(this.sql) : this.open();
    this.#isClosed = true;
    if (isHere) {
      this.turns.cut(() => true);
      await this.turns.stop();
      await Promise.allSettled(this.#asking);
      await this.runs.abandon();
      await payCharges(this.#env, this.sql);
      await releaseStored(this.#env, this.sql);
    }
    const userIds = isHere ? readerIds(this.sql) : [];
    if (isCreated(this.sql)) {
      await this.storage.deleteAlarm();
      await dropAll(this.storage);
      this.#due.forget();
    }
    this.#isStarted = false;
    this.#isClosed = !free;
    return userIds;
  }

  /** Sees to it that the room wakes when the next call expires that waits for a word. */
  async #watchApprovals(): Promise<void> {
    const at = nextExpiry(this.sql);
    if (at === null) this.#due.cancel("approvals", NEXT);
    else await this.#due.schedule("approvals", NEXT, at);
  }

  async #decided({ turn, call }: { turn: StoredTurn; call: StoredCall }): Promise<void> {
    await this.watch();
    await this.#watchApprovals();
    this.turns.decided(turn, call.id);
    this.#ctx.waitUntil(this.outbox.deliver());
  }

  async #expire(): Promise<number | null> {
    const expired = this.storage.transactionSync(() => expireCalls(this.sql, Date.now()));
    if (expired) for (const { id } of expired.calls) this.turns.decided(expired.turn, id);
    return nextExpiry(this.sql);
  }

  #isBusy(): boolean {
    return (
      isCreated(this.sql) &&
      (hasTurn(this.sql) ||
        this.queue.isBusy() ||
        hasCharges(this.sql) ||
        this.access.isPending() ||
        !this.outbox.isEmpty() ||
        isStoredPending(this.sql))
    );
  }

  async #settleCosts(): Promise<void> {
    const isSettled = await resolveCosts(this.#env, this.sql, readChat(this.sql).id);
    // The chat may have been deleted while the costs were looked up.
    if (isSettled && isCreated(this.sql)) this.outbox.mark(this.readers());
  }

  async #finish(turn: StoredTurn): Promise<void> {
    if (this.#isClosed || !isCreated(this.sql)) return;
    this.#due.cancel("approvals", NEXT);
    const { request } = turn;
    if (request.kind === "send" && request.mail) await this.mails.settled(request.mail.id);
    if (request.kind === "send" && request.messaging) await this.messaging.settled(request.id);
    this.#ctx.waitUntil(saveResearchReport(this.#env, this.sql, turn));
    // It reads the exchange it is about before the next one begins.
    const titling = titleChat(this.#env, this.sql, turn);
    this.queue.advance();
    await this.runs.resume();
    const isTitled = await titling;
    if (this.#isClosed || !isCreated(this.sql)) return;
    const isCharged = pendingChargesOf(this.sql, turn.request.reader.userId, turn.request.chatId).length > 0;
    if (isTitled || isCharged) this.outbox.mark(isTitled ? [...this.readers(), { kind: "d1" }] : this.readers());
    await this.#settleCosts();
    await this.outbox.deliver();
    // An alarm that comes to no purpose costs more than one that is called off: it wakes the object.
    if (!this.#isBusy()) await this.#due.rest();
  }

  /** What came in by itself and cannot be answered stands in the chat with the reason. */
  #refuseQueued(item: QueueItem, reason: QueuePause): void {
    this.storage.transactionSync(() => {
      const { replyId, changes } = refuseMail(this.sql, item, reason);
      this.outbox.mark(this.readers(), { updates: [{ type: "queue.changed" }, { type: "reply.ended", replyId }], changes });
    });
    this.report();
    if (item.mailId !== null) this.#ctx.waitUntil(this.mails.settled(item.mailId));
    if (item.messaging !== null) this.#ctx.waitUntil(this.messaging.settled(item.id));
  }

  #chatId(): string {
    return readChat(this.sql).id;
  }
}
