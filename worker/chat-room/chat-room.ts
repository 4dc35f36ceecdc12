import { DurableObject } from "cloudflare:workers";
import type { QueueChange } from "#shared/contracts/queue.ts";
import type { MessageQueue } from "#shared/entities/queued-message.ts";
import type { Todo } from "#shared/entities/todo.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import type { Action } from "#shared/permissions.ts";
import { prepareQueued } from "../chats/chats.ts";
import { streamCompletion } from "../clients/aggregator.ts";
import type { Env } from "../env.ts";
import type { Outcome } from "../http/app-error.ts";
import { levelOf, NOT_FOUND, refuse } from "./access.ts";
import { addFile, dropUnused, findFile, isDeserted } from "./attachments.ts";
import { beginTurn } from "./begin-turn.ts";
import { chargesOf, hasCharges } from "./charges.ts";
import { foundChat, hasChat, hasTurn, readChat, setTitle, toChanges, toDetails } from "./chat.ts";
import { type ChatCopy, copyChat, pasteChat } from "./copy-chat.ts";
import { type Decision, decideCall } from "./decide-call.ts";
import { readFollow, streamResponse } from "./follow-request.ts";
import { findMessage, newestLeaf, readPage, selectLeaf } from "./messages.ts";
import { isFounded, migrate } from "./migrations.ts";
import { createOutbox, type Target } from "./outbox.ts";
import { createQueue, type QueueWish } from "./queue.ts";
import { placeOf } from "./queue-items.ts";
import { resolveCosts } from "./resolve-costs.ts";
import type { ChatNews, ChatPatch, MessagePage, NewChat, PageRequest, Reader, RoomDetails, RoomFile, TurnRequest } from "./rpc.ts";
import { sendReport } from "./send-report.ts";
import { sleep } from "./sleep.ts";
import type { StoredTurn } from "./stored-turn.ts";
import { titleChat } from "./title-chat.ts";
import { listTodos, openTodos } from "./todos.ts";
import { exportChat } from "./export-chat.ts";
import { toToolCall } from "./tool-call.ts";
import { transferChat } from "./transfer-chat.ts";
import { createTurnRunner } from "./turn-runner.ts";

/** A live turn and undelivered reports are looked after this often, in milliseconds, when nobody else wakes the object. */
const WATCH_MS = 30_000;

/** One chat: its messages, its running turn and its readers' streams. Wiring only; what happens is in the modules around it. */
export class ChatRoom extends DurableObject<Env> {
  readonly #outbox = createOutbox(this.ctx.storage.sql, (target, report) => sendReport(this.env, this.ctx.storage.sql, target, report));
  readonly #turns = createTurnRunner({
    storage: this.ctx.storage,
    outbox: this.#outbox,
    turnDeps: {
      env: this.env,
      complete: (request, signal) => streamCompletion(this.env, request, signal),
      sleep,
      now: () => Date.now(),
      todos: () => openTodos(this.#sql, { chatId: readChat(this.#sql).id, onChanged: () => this.#tell({ type: "todo.changed" }) }),
    },
    readers: () => this.#readers(),
    waitUntil: (work) => this.ctx.waitUntil(work),
    onSettled: (turn) => this.#finish(turn),
  });

  readonly #queue = createQueue({
    storage: this.ctx.storage,
    prepare: (item) => prepareQueued(this.env, item, placeOf(this.#sql, item)),
    begin: (request) => this.#begin(request),
    stop: () => this.#turns.stop(),
    tell: () => this.#tell({ type: "queue.changed" }),
    waitUntil: (work) => this.ctx.waitUntil(work),
  });

  #isStarted = false;

  get #sql(): SqlStorage {
    return this.ctx.storage.sql;
  }

  /** Comes while something is left to do, so that a turn whose object died is found even when nobody looks. */
  override async alarm(): Promise<void> {
    if (!this.#open()) return;
    await this.#settleCosts();
    await this.#outbox.deliver();
    this.#queue.advance();
    if (this.#isBusy()) await this.#watch();
  }

  /** A reply's event stream. */
  override async fetch(request: Request): Promise<Response> {
    const { replyId, reader, from } = readFollow(request);
    return streamResponse(this.#refuse(reader, "read") ? null : this.#turns.follow(replyId, reader, from));
  }

  /** Begins a turn, founding the chat with its first message. The same request again answers the same. */
  async beginTurn(request: TurnRequest): Promise<Outcome<{ messageId: string; replyId: string }>> {
    if (request.kind === "send" && request.create) this.#start();
    else if (!this.#open()) return NOT_FOUND;
    return this.#begin(request);
  }

  /** Founds an empty chat; a chat that exists stays as it is. A quiet one is on nobody's list before its first message. */
  async found(id: string, chat: NewChat, { isQuiet = false, copy }: { isQuiet?: boolean; copy?: ChatCopy } = {}): Promise<void> {
    this.#start();
    if (hasChat(this.#sql)) return;
    this.ctx.storage.transactionSync(() => {
      foundChat(this.#sql, id, chat);
      if (copy) pasteChat(this.#sql, chat.ownerId, copy);
      if (!isQuiet) this.#outbox.mark(this.#readers());
    });
    if (!isQuiet) this.ctx.waitUntil(Promise.all([this.#watch(), this.#outbox.deliver()]));
  }

  /** The chat as this reader sees it. */
  async describe(reader: Reader): Promise<Outcome<RoomDetails>> {
    const level = this.#open() ? levelOf(this.#sql, reader.userId) : null;
    return level === null ? NOT_FOUND : { ok: true, value: toDetails(this.#sql, level) };
  }

  /** True when this message is already here, so that a repeated request isn't counted twice. */
  async hasMessage(reader: Reader, messageId: string): Promise<boolean> {
    return this.#refuse(reader, "read") === null && findMessage(this.#sql, messageId) !== null;
  }

  /** A page of the path this reader looks at. */
  async readMessages(reader: Reader, page: PageRequest): Promise<Outcome<MessagePage>> {
    const refused = this.#refuse(reader, "read");
    if (refused) return refused;
    const found = readPage(this.#sql, { userId: reader.userId, chatId: readChat(this.#sql).id, live: this.#turns.live }, page);
    return found ? { ok: true, value: found } : NOT_FOUND;
  }

  /** Makes the branch through this message the reader's own view, and answers its newest page. */
  async select(reader: Reader, messageId: string, limit: number): Promise<Outcome<MessagePage>> {
    const refused = this.#refuse(reader, "mark") ?? (findMessage(this.#sql, messageId) ? null : NOT_FOUND);
    if (refused) return refused;
    selectLeaf(this.#sql, reader.userId, newestLeaf(this.#sql, messageId));
    return this.readMessages(reader, { limit });
  }

  /** A file of the chat, null for an id that is free; for those who may do `action`. */
  async findFile(reader: Reader, id: string, action: "read" | "attach"): Promise<Outcome<RoomFile | null>> {
    return this.#refuse(reader, action) ?? { ok: true, value: findFile(this.#sql, id) };
  }

  /** Adds an uploaded file; the same id again answers the file that stands. */
  async addFile(reader: Reader, file: RoomFile): Promise<Outcome<RoomFile>> {
    return this.#refuse(reader, "attach") ?? { ok: true, value: addFile(this.#sql, reader.userId, file) };
  }

  /** Forgets uploads that no message carries: answers what may be deleted, and whether the chat was made for them alone. */
  async dropUnused(ids: string[]): Promise<{ ids: string[]; isDeserted: boolean }> {
    if (!this.#open()) return { ids, isDeserted: false };
    return { ids: dropUnused(this.#sql, ids), isDeserted: isDeserted(this.#sql) };
  }

  /** The chat's todo list, for its members. */
  async readTodos(reader: Reader): Promise<Outcome<Todo[]>> {
    return this.#refuse(reader, "search") ?? { ok: true, value: listTodos(this.#sql, readChat(this.#sql).id) };
  }

  /** The path up to a message, to be founded as another chat. */
  async copy(reader: Reader, messageId: string): Promise<Outcome<ChatCopy>> {
    return this.#refuse(reader, "fork") ?? copyChat(this.#sql, { userId: reader.userId, messageId, live: this.#turns.live });
  }

  /** All of the chat as a file has it. */
  async export(reader: Reader) {
    return this.#refuse(reader, "export") ?? exportChat(this.#sql, { userId: reader.userId, live: this.#turns.live });
  }

  /** Changes the chat itself; an empty title is not taken. */
  async update(reader: Reader, patch: ChatPatch): Promise<Outcome<RoomDetails>> {
    const hasSettings = patch.model_id !== undefined || patch.tool_categories !== undefined;
    const actions: Action[] = [patch.title === undefined ? "settings" : "rename", hasSettings ? "settings" : "mark"];
    const refused = actions.map((action) => this.#refuse(reader, action)).find((found) => found !== null);
    if (refused) return refused;
    this.ctx.storage.transactionSync(() => {
      const hasTitle = patch.title !== undefined && patch.title !== "" && setTitle(this.#sql, patch.title, "user");
      this.#outbox.mark(hasTitle ? [...this.#readers(), { kind: "d1" }] : this.#readers(), { changes: toChanges(patch) });
    });
    this.ctx.waitUntil(Promise.all([this.#watch(), this.#outbox.deliver()]));
    return this.describe(reader);
  }

  /** Approves or discards a tool call that waits for this person's word, once. */
  async decide(reader: Reader, decision: Decision): Promise<Outcome<ToolCall>> {
    const refused = this.#refuse(reader, "decide");
    if (refused) return refused;
    const decided = this.ctx.storage.transactionSync(() => decideCall(this.#sql, reader, decision));
    if (!decided.ok) return decided;
    const { turn, call } = decided.value;
    await this.#watch();
    this.#turns.decided(turn, call.id);
    this.ctx.waitUntil(this.#outbox.deliver());
    return { ok: true, value: toToolCall(call) };
  }

  /** Lets a message wait its turn; answers the ids of the messages it became. */
  async enqueue(reader: Reader, wish: QueueWish): Promise<Outcome<string[]>> {
    return this.#refuse(reader, "queue") ?? this.#queue.add(reader, wish);
  }

  /** Reads or changes what waits its turn; removes one message, or with null all of the reader's own. */
  async arrange(reader: Reader, wish: { change?: QueueChange; remove?: string | null } = {}): Promise<Outcome<MessageQueue>> {
    const refused = this.#refuse(reader, "queue");
    if (refused) return refused;
    if (wish.change) return this.#queue.change(reader, wish.change);
    return wish.remove === undefined ? { ok: true, value: this.#queue.read() } : this.#queue.remove(reader, wish.remove);
  }

  /** Stops the reply in progress and keeps what was produced. */
  async stop(reader: Reader): Promise<Outcome<null>> {
    const refused = this.#refuse(reader, "stop");
    if (!refused) await this.#turns.stop();
    return refused ?? { ok: true, value: null };
  }

  /** Ends the streams of these sessions, or all of the user's. */
  async endSessions(userId: string, sessionIds: string[] | "all"): Promise<void> {
    if (!this.#open()) return;
    this.#turns.cut((reader) => reader.userId === userId && (sessionIds === "all" || sessionIds.includes(reader.sessionId)));
  }

  /** Moves a guest's chat and authorship to the account that the guest signed in to. */
  async transfer(from: string, to: { userId: string; displayName: string }): Promise<void> {
    if (!this.#open()) return;
    this.#turns.cut((reader) => reader.userId === from);
    this.ctx.storage.transactionSync(() => {
      transferChat(this.#sql, from, to);
      this.#outbox.mark(this.#readers());
    });
    await Promise.all([this.#watch(), this.#outbox.deliver()]);
  }

  /** Stops the turn and forgets everything; the tombstone in D1 keeps the id from being founded again. */
  async purge(): Promise<void> {
    if (!this.#open()) return;
    this.#turns.cut(() => true);
    await this.#turns.stop();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#isStarted = false;
  }

  #begin(request: TurnRequest): Promise<Outcome<{ messageId: string; replyId: string }>> {
    const [readers, watch] = [() => this.#readers(), () => this.#watch()];
    return beginTurn({ env: this.env, ctx: this.ctx, outbox: this.#outbox, turns: this.#turns, readers, watch }, request);
  }

  #open(): boolean {
    if (!isFounded(this.#sql)) return false;
    this.#start();
    return hasChat(this.#sql);
  }

  /** Brings the tables up to date and takes up what an earlier life left, once, before anything else. */
  #start(): void {
    if (this.#isStarted) return;
    migrate(this.ctx.storage);
    this.#isStarted = true;
    this.#turns.recover();
    this.#queue.advance();
    if (!this.#outbox.isEmpty()) this.ctx.waitUntil(this.#outbox.deliver());
  }

  #refuse({ userId }: Pick<Reader, "userId">, action: Action) {
    return refuse(this.#open() ? levelOf(this.#sql, userId) : null, action);
  }

  #readers(): Target[] {
    return [{ kind: "hub", userId: readChat(this.#sql).owner_id }];
  }

  #tell(news: ChatNews): void {
    this.#outbox.mark(this.#readers(), { news: [news] });
    this.ctx.waitUntil(Promise.all([this.#watch(), this.#outbox.deliver()]));
  }

  #isBusy(): boolean {
    return isFounded(this.#sql) && (hasTurn(this.#sql) || this.#queue.isBusy() || hasCharges(this.#sql) || !this.#outbox.isEmpty());
  }

  async #watch(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + WATCH_MS);
  }

  async #finish(turn: StoredTurn): Promise<void> {
    if (!isFounded(this.#sql)) return;
    // It reads the exchange it is about before the next one begins.
    const titling = titleChat(this.env, this.#sql, turn.request);
    this.#queue.advance();
    const isTitled = await titling;
    if (!isFounded(this.#sql)) return;
    const isCharged = chargesOf(this.#sql, turn.request.reader.userId, turn.request.chatId).length > 0;
    if (isTitled || isCharged) this.#outbox.mark(isTitled ? [...this.#readers(), { kind: "d1" }] : this.#readers());
    await this.#settleCosts();
    await this.#outbox.deliver();
    // An alarm that comes to no purpose costs more than one that is called off: it wakes the object.
    if (!this.#isBusy()) await this.ctx.storage.deleteAlarm();
  }

  async #settleCosts(): Promise<void> {
    const isSettled = await resolveCosts(this.env, this.#sql, readChat(this.#sql).id);
    // The chat may have been deleted while the costs were looked up.
    if (isSettled && isFounded(this.#sql)) this.#outbox.mark(this.#readers());
  }
}
