import { DurableObject } from "cloudflare:workers";
import type { BulkAnswer, BulkInput } from "#shared/contracts/chat/inbox.ts";
import type { UsageBy, UsageRow } from "#shared/contracts/account/usage.ts";
import type { Chat } from "#shared/entities/chat.ts";
import type { ContentKind } from "#shared/live-events.ts";
import type { Charge, CallInput, Hold, Longest } from "#worker/platform/spending/holds.ts";
import type { ChatReport, HubChat, Presence } from "#worker/conversation/room/rpc.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import { createDueWork } from "#worker/platform/due-work/due-work.ts";
import type { DoneJob } from "#worker/people/done-jobs/done-job.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { createIdempotentAnswers } from "./idempotent-answers.ts";
import { createConnections } from "./live/connections.ts";
import { createAttention } from "./live/attention.ts";
import { currentCursor, dropChat, findChat, findStored, putChat, streamingChats } from "./list/chat-list.ts";
import { countChats, createChatPages } from "./list/chat-views.ts";
import {
  acceptSocket,
  broadcast,
  closeIfOver,
  removedEvent,
  endSockets,
  moveSockets,
  refusedSocket,
  resetSockets,
  toEvent,
} from "./live/live.ts";
import { readHubChats, listedIds } from "./list/hub-chats.ts";
import { createWaitingBoard } from "./list/waiting-board.ts";
import { createManyChats, markAndNotify } from "./change-chats.ts";
import {
  balanceOf,
  grant,
  hasGrant,
  readEntries,
  release,
  reserve,
  adoptGuestEntries,
  teamsSpent,
  totalSpent,
  usageBy,
} from "./ledger/ledger.ts";
import { createDayReports, usageOfDay } from "./ledger/day-reports.ts";
import { countTurn, uncountTurn, keysSpent } from "./ledger/counted-turns.ts";
import { migrate } from "./migrations.ts";
import { notifiableEventOf } from "./notices/notifiable-event.ts";
import { createNotices } from "./notices/notices.ts";
import { storeOrigin } from "./notices/origin.ts";
import { createTokens } from "./tokens/tokens.ts";
import { UserMemory } from "./memory/memory.ts";
import type { MemoryAnswer, MemoryInput } from "#worker/library/memories/rpc.ts";
import { recheckSessions, dropEndedSessions } from "./session-leases.ts";
import { createAccount } from "./ledger/account.ts";
import { reserveReply } from "./reserve-reply.ts";
import { reserveStorage, recordStored, releaseStorage, storedBytes } from "./storage.ts";
import { noteEnded, openSchedules } from "./schedules/open-schedules.ts";
import { openFolders } from "./folders/open-folders.ts";
import type { FolderAnswer, FolderInput } from "#worker/conversation/hub/folders.ts";
import type { ScheduleAnswer, ScheduleInput } from "#worker/conversation/hub/schedules.ts";
import type { Features } from "#worker/conversation/features.ts";
import { createSearch } from "./search/search.ts";
import type * as Person from "#worker/people/hub/rpc.ts";
import type * as Wire from "#worker/conversation/hub/rpc.ts";
import type { DecidedPage, WaitingPage } from "#worker/conversation/hub/rpc.ts";

/** One user's own view: the list of their chats with their marks, and the live events of their tabs. Wiring only. */
export class UserHub extends DurableObject<Env> implements Wire.UserHubRpc {
  readonly #features: Features;
  readonly #answers = createIdempotentAnswers(this.ctx.storage.sql);
  readonly #due = createDueWork(this.ctx.storage, {
    deletion: (jobId: string) => this.#many.takeUp(jobId),
    usage: () => this.#days.run(),
    notice: (chatId: string) => this.#notices.attempt(chatId),
    memory: (what: string) => this.#memory.work(what),
    push: (key: string) => this.#notices.pushes.attempt(key),
    "done-jobs": (kind: string) => this.#notices.jobs.attempt(kind),
    schedule: async (id: string) => (await this.#schedules()).occur(id),
    "schedule-run": async (id: string) => (await this.#schedules()).advance(id),
  });
  readonly #account = createAccount({ ctx: this.ctx, env: this.env, userId: this.#userId, days: () => this.#days });
  readonly #days = createDayReports({ env: this.env, sql: this.#sql, userId: this.#userId, due: () => this.#due });
  readonly #search = createSearch({ ctx: this.ctx, env: this.env, userId: this.#userId, due: this.#due });
  readonly #board = createWaitingBoard(this.#sql, (event) => broadcast(this.ctx, [event]));
  readonly #pages = createChatPages(this.ctx.storage.sql, this.#userId);
  readonly #many = createManyChats({
    ctx: this.ctx,
    env: this.env,
    userId: this.#userId,
    lookAfter: (jobId, at) => this.#due.schedule("deletion", jobId, at),
    letGo: (jobId) => this.#due.cancel("deletion", jobId),
  });
  readonly #attention = createAttention({
    ctx: this.ctx,
    env: this.env,
    userId: this.#userId,
    markRead: (chatId) => void this.mark(chatId, { isRead: true }),
  });
  readonly #notices = createNotices({ ctx: this.ctx, env: this.env, due: () => this.#due, attention: this.#attention });
  readonly #memory = new UserMemory({ ctx: this.ctx, env: this.env, userId: this.#userId, due: () => this.#due });
  readonly #tokens = createTokens({
    env: this.env,
    userId: this.#userId,
    findToken: (...asked) => this.#features.findToken(...asked),
    onEnded: () => this.noteContentChanged("tools"),
  });
  readonly #schedules = openSchedules(() => ({
    ctx: this.ctx,
    env: this.env,
    features: this.#features,
    userId: this.#userId,
    due: () => this.#due,
    notices: () => this.#notices,
  }));
  readonly #folders = openFolders({ ctx: this.ctx, userId: this.#userId });
  readonly #connections = createConnections({ ctx: this.ctx, ask: (chatId) => roomOf(this.env, chatId).streamsOf(this.#userId) });

  constructor(ctx: DurableObjectState, env: Env, features: Features) {
    super(ctx, env);
    this.#features = features;
    migrate(ctx.storage);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  get #sql(): SqlStorage {
    return this.ctx.storage.sql;
  }

  get #userId(): string {
    return this.ctx.id.name ?? "";
  }

  /** The live socket: an upgrade with the session's id in a header that only the Worker sets, as it does the others. */
  override async fetch(request: Request): Promise<Response> {
    this.#many.resume();
    storeOrigin(this.env, this.#sql, request.headers.get("x-origin"));
    if (!(await this.#connections.makePlace())) return refusedSocket("STREAMS_LIMITED");
    const displayName = decodeURIComponent(request.headers.get("x-display-name") ?? "");
    const endsAt = Number(request.headers.get("x-session-ends")) || null;
    return acceptSocket(this.ctx, {
      tab: { sessionId: request.headers.get("x-session-id") ?? "", displayName, endsAt },
      userId: this.#userId,
      cursor: new URL(request.url).searchParams.get("cursor"),
      version: configOf(this.env).version,
      also: [this.#board.event(), ...(hasGrant(this.#sql) ? [this.#account.creditsEvent()] : [])],
    });
  }

  /** What a tab says of itself; pings are answered without waking the object. */
  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    if (!closeIfOver(socket)) await this.#attention.receiveFrame(socket, message);
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    socket.close();
    await this.#attention.leave(socket);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    await this.#attention.leave(socket);
  }

  async look(who: { sessionId: string; displayName: string }, what: Wire.AttentionState): Promise<void> {
    await this.#attention.look(who, what);
  }

  async showPresence(chatId: string, presence: Presence): Promise<void> {
    this.#attention.show(chatId, presence);
  }

  async receive(report: ChatReport): Promise<void> {
    await this.#account.enter(report.charges);
    for (const update of report.updates) {
      if (update.type === "person.forgotten") await this.#search.forget(report.row.id);
      if (update.type !== "reply.ended") continue;
      this.#connections.ended(update.replyId);
      await noteEnded(this.#sql, this.#due, update.replyId);
    }
    const arrives = report.row.user_id !== this.#userId && findStored(this.#sql, report.row.id) === null;
    const cursor = putChat(this.#sql, report, { userId: this.#userId, isAttended: () => this.#attention.isAttended(report.row.id) });
    if (cursor === null) return;
    const chat = findChat(this.#sql, this.#userId, report.row.id);
    if (!chat) return;
    broadcast(this.ctx, [
      { type: "chat.changed", cursor: String(cursor), chat },
      ...report.updates.map((update) => toEvent(update, chat, cursor)),
    ]);
    const isWaitingNew = this.#board.put(chat.id, report);
    const happening = notifiableEventOf(report, { userId: this.#userId, arrives, isWaitingNew });
    if (happening) await this.#notices.noteChat(chat, happening);
    if (chat.isShared || chat.hasBeenShared) this.ctx.waitUntil(this.#attention.meet(chat.id));
    await this.#search.noteChange();
  }

  /** Comes when something is due, or when changed texts wait to be read for the search. */
  override async alarm(): Promise<void> {
    await this.#due.run();
    await this.#search.wake();
  }

  async search(input: Wire.SearchInput): Promise<Wire.Found & { isIncomplete: boolean }> {
    return this.#search.find(input);
  }

  async rebuildSearch(ms: number | null): Promise<boolean> {
    return ms === null ? this.#search.clear() : this.#search.rebuild(ms);
  }

  async list(query: Wire.Viewed & { cursor?: string | undefined; limit: number }): Promise<Uint8Array> {
    return new TextEncoder().encode(JSON.stringify(this.#pages.read(query)));
  }

  async waiting(page: { cursor?: string | undefined; limit: number }): Promise<WaitingPage> {
    return this.#board.list(page);
  }

  async decided(page: { cursor?: string | undefined; limit: number }): Promise<DecidedPage> {
    return this.#board.decided(page);
  }

  async count(viewed: Wire.Viewed): Promise<number> {
    return countChats(this.#sql, viewed);
  }

  async bulk(input: BulkInput): Promise<Outcome<BulkAnswer>> {
    return this.#many.change(input);
  }

  async nextDoomed(jobId: string, limit: number): Promise<string[]> {
    return this.#many.next(jobId, limit);
  }

  async settleDoomed(jobId: string, fates: Wire.DeletionOutcomes): Promise<void> {
    this.#many.settle(jobId, fates);
  }

  async find(chatId: string): Promise<Chat | null> {
    return findChat(this.#sql, this.#userId, chatId);
  }

  async mark(chatId: string, marks: Person.Marks): Promise<Outcome<Chat | null>> {
    return markAndNotify(this.ctx, { userId: this.#userId, chatId, marks });
  }

  async remove(chatId: string, lostAt?: number, why?: "account"): Promise<void> {
    const removed = dropChat(this.#sql, chatId, { lostAt, why });
    this.#board.drop(chatId);
    if (findStored(this.#sql, chatId) === null) await this.#search.forget(chatId);
    if (removed !== null) broadcast(this.ctx, [removedEvent(chatId, removed)]);
  }

  async reserve(input: Wire.ReplyInput): Promise<Outcome<Wire.Reserved>> {
    return reserveReply(
      { env: this.env, sql: this.#sql, account: this.#account, connections: this.#connections, memory: this.#memory },
      input,
    );
  }

  async memory(input: MemoryInput): Promise<Outcome<MemoryAnswer>> {
    return this.#memory.ask(input);
  }

  async folders(input: FolderInput): Promise<Outcome<FolderAnswer>> {
    return (await this.#folders()).ask(input);
  }

  async schedules(input: ScheduleInput): Promise<Outcome<ScheduleAnswer>> {
    return (await this.#schedules()).ask(input);
  }

  async admit(turn: Person.CountedTurn): Promise<Person.CountedSpending> {
    return countTurn(this.#sql, turn);
  }

  async openStream(place: Wire.ReplyPlace): Promise<boolean> {
    return this.#connections.open(place);
  }

  async connections(): Promise<number> {
    return this.#connections.count();
  }

  async reserveCall(input: CallInput): Promise<Outcome<Longest>> {
    await this.#account.ensureGrant();
    return reserve(this.#sql, input, await this.#account.budgetIn(input.teamId));
  }

  async release(hold: Hold): Promise<void> {
    release(this.#sql, hold);
    uncountTurn(this.#sql, hold.replyId);
  }

  async charge(charge: Charge | null, callId: string): Promise<void> {
    if (charge) await this.#account.enter([charge]);
    release(this.#sql, { replyId: callId, generation: 0 });
  }

  async claimKey(claim: Person.Claim): Promise<Person.Claimed> {
    return this.#answers.claim(claim);
  }

  async settleKey(key: string, body: string | null): Promise<void> {
    this.#answers.settle(key, body);
  }

  async credits(newWithMicros?: number): Promise<number> {
    await this.#account.ensureGrant(newWithMicros);
    return balanceOf(this.#sql);
  }

  async usage(by: UsageBy): Promise<{ usage: UsageRow[]; total: number; credits: number }> {
    await this.#account.ensureGrant();
    return { usage: usageBy(this.#sql, by), total: fromMicros(totalSpent(this.#sql)), credits: fromMicros(balanceOf(this.#sql)) };
  }

  async ledger(page: { before: number; limit: number }): Promise<(Person.LedgerEntry & { seq: number })[]> {
    return readEntries(this.#sql, page);
  }

  async spentBy(what: "team" | "key"): Promise<Record<string, number>> {
    return what === "team" ? teamsSpent(this.#sql) : keysSpent(this.#sql);
  }

  async usageOfDay(day: string, times: Person.TeamTime[]): Promise<Wire.DayReport | null> {
    return usageOfDay(this.#sql, day, times);
  }

  async takeOverLedger(entries: Person.LedgerEntry[]): Promise<void> {
    adoptGuestEntries(this.#sql, entries);
    if (entries.length > 0) await this.#days.noteEarlier();
  }

  async grant({ id, amountMicros }: { id: string; amountMicros: number }): Promise<void> {
    await this.#account.ensureGrant();
    if (grant(this.#sql, { id, amountMicros })) this.#account.notifyCredits();
  }

  async listedIds(page: Wire.IdsPage): Promise<string[]> {
    return listedIds(this.#sql, page);
  }

  async listedChats(ids: string[]): Promise<HubChat[]> {
    return readHubChats(this.#sql, ids);
  }

  async keepStored(files: Person.StoredFiles): Promise<void> {
    recordStored(this.#sql, files);
  }

  async holdStorage(files: { id: string; bytes: number }): Promise<{ isReserved: boolean; used: number }> {
    return { isReserved: reserveStorage(this.#sql, files), used: storedBytes(this.#sql) };
  }

  async releaseStorage(id: string): Promise<void> {
    releaseStorage(this.#sql, id);
  }

  async storedBytes(): Promise<number> {
    return storedBytes(this.#sql);
  }

  async endSessions(sessionIds: string[] | "all"): Promise<void> {
    dropEndedSessions(this.#sql, sessionIds);
    endSockets(this.ctx, sessionIds);
    await this.#inStreaming((room) => room.endSessions(this.#userId, sessionIds));
  }

  async #inStreaming(act: (room: ReturnType<typeof roomOf>) => Promise<void>): Promise<void> {
    await Promise.all(streamingChats(this.#sql).map((chatId) => act(roomOf(this.env, chatId))));
  }

  async moveSession(from: string, to: string): Promise<void> {
    dropEndedSessions(this.#sql, [from]);
    moveSockets(this.ctx, from, to);
    await this.#inStreaming((room) => room.moveSession(from, to));
  }

  async noteSettingsChange(): Promise<void> {
    recheckSessions(this.#sql);
  }

  async noteUserChanged(): Promise<void> {
    recheckSessions(this.#sql);
    this.#notices.forgetPreferences();
    broadcast(this.ctx, [{ type: "user.changed", cursor: String(currentCursor(this.#sql)) }]);
  }

  async notePeopleChanged(): Promise<void> {
    broadcast(this.ctx, [{ type: "people.changed", cursor: String(currentCursor(this.#sql)) }]);
  }

  async noteTeamsChanged(): Promise<void> {
    this.#account.forgetBudgets();
    broadcast(this.ctx, [{ type: "teams.changed", cursor: String(currentCursor(this.#sql)) }]);
  }

  async openChats(): Promise<string[]> {
    return [...new Set([...this.#attention.shown(), ...streamingChats(this.#sql)])];
  }

  async accessToken(...asked: Parameters<Wire.UserHubRpc["accessToken"]>): Promise<Outcome<string>> {
    return this.#tokens.token(...asked);
  }

  async noteContentChanged(kind: ContentKind): Promise<void> {
    if (kind === "tools") recheckSessions(this.#sql);
    broadcast(this.ctx, [{ type: "content.changed", cursor: String(currentCursor(this.#sql)), kind }]);
  }

  async noteArtifactChanged(artifactId: string, version: number | null): Promise<void> {
    this.#search.noteArtifact();
    broadcast(this.ctx, [{ type: "artifact.changed", cursor: String(currentCursor(this.#sql)), artifact_id: artifactId, version }]);
  }

  async noteSelected(chatId: string, messageId: string): Promise<void> {
    broadcast(this.ctx, [{ type: "version.selected", cursor: String(currentCursor(this.#sql)), chat_id: chatId, message_id: messageId }]);
  }

  async noteDoneJob(job: DoneJob): Promise<void> {
    await this.#notices.jobs.note(job);
  }

  async pushes(...asked: Parameters<Wire.UserHubRpc["pushes"]>): ReturnType<Wire.UserHubRpc["pushes"]> {
    return this.#notices.pushes.ask(...asked);
  }

  async purge(): Promise<void> {
    resetSockets(this.ctx);
    await this.ctx.storage.deleteAll();
    this.#pages.forget();
    this.#due.forget();
    this.#days.forget();
    this.#memory.forget();
    this.#notices.forgetPreferences();
    migrate(this.ctx.storage);
  }
}
