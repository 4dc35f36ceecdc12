import { Lifecycle, type LifecycleJobContext, type LifecycleJobOutcome } from "agents/lifecycle";
import { DurableObject } from "cloudflare:workers";
import type { Action } from "#shared/permissions.ts";
import { parsePosition } from "#shared/reply-events.ts";
import { syncTitle } from "../chats/chats.ts";
import { streamCompletion } from "../clients/aggregator.ts";
import type { Env } from "../env.ts";
import type { Outcome } from "../http/app-error.ts";
import { hubOf } from "../user-hub/stub.ts";
import { levelOf, refuse } from "./access.ts";
import { chargesOf, dropCharges } from "./charges.ts";
import { foundChat, readChat, setTitle, toDetails, toRow } from "./chat.ts";
import { findMessage, newestLeaf, readPage, selectLeaf } from "./messages.ts";
import { isFounded, migrate } from "./migrations.ts";
import { createOutbox, type Target } from "./outbox.ts";
import { planTurn } from "./plan-turn.ts";
import { resolveCosts } from "./resolve-costs.ts";
import { releaseTurn, reserveTurn } from "./reserve-turn.ts";
import { createReplyStore } from "./reply-stream.ts";
import type { ChatPatch, ChatReport, MessagePage, PageRequest, Reader, RoomDetails, TurnRequest } from "./rpc.ts";
import { sleep } from "./sleep.ts";
import { titleChat } from "./title-chat.ts";
import { createTurnRunner } from "./turn-runner.ts";
import { storeTurn, type StoredTurn } from "./turn-store.ts";

/** A live turn and undelivered reports are looked after this often, in milliseconds, when nobody else wakes the object. */
const WATCH_MS = 30_000;

/** One chat: its messages, its running turn and its readers' streams. Wiring only; what happens is in the modules around it. */
export class ChatRoom extends DurableObject<Env> {
  readonly #replies = createReplyStore();
  readonly lifecycle = new Lifecycle<Env>(this).use(this.#replies.capability);
  readonly #outbox = createOutbox(this.ctx.storage.sql, (target, report) => this.#report(target, report));
  readonly #turns = createTurnRunner({
    storage: this.ctx.storage,
    replies: this.#replies,
    outbox: this.#outbox,
    turnDeps: { complete: (request, signal) => streamCompletion(this.env, request, signal), sleep, now: () => Date.now() },
    readers: () => this.#readers(),
    waitUntil: (work) => this.ctx.waitUntil(work),
    onSettled: (turn) => this.#title(turn),
  });

  #recovery: Promise<void> | null = null;

  get #sql(): SqlStorage {
    return this.ctx.storage.sql;
  }

  onStart(): void {
    migrate(this.ctx.storage);
  }

  override alarm(): Promise<void> {
    return this.lifecycle.alarm();
  }

  async onJob({ job: _job }: LifecycleJobContext): Promise<LifecycleJobOutcome> {
    await this.#recover();
    await this.#settleCosts();
    await this.#outbox.deliver();
    const isBusy = this.#sql.exec("SELECT 1 FROM turns LIMIT 1").toArray().length > 0;
    if (isBusy || !this.#outbox.isEmpty()) return { rescheduleAt: Date.now() + WATCH_MS };
  }

  /** A reply's event stream: `GET /replies/{id}` with the reader's ids in headers that only the Worker sets. */
  override async fetch(request: Request): Promise<Response> {
    const reader = { userId: request.headers.get("x-user-id") ?? "", sessionId: request.headers.get("x-session-id") ?? "" };
    if (await this.#refuse(reader, "read")) return new Response(null, { status: 404 });
    const replyId = new URL(request.url).pathname.split("/").at(-1) ?? "";
    const stream = this.#turns.follow(replyId, reader, parsePosition(request.headers.get("last-event-id")));
    if (!stream) return new Response(null, { status: 404 });
    return new Response(stream, { headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" } });
  }

  /** Begins a turn, founding the chat with its first message. The same request again answers the same. */
  async beginTurn(request: TurnRequest): Promise<Outcome<{ messageId: string; replyId: string }>> {
    const create = request.kind === "send" ? request.create : null;
    if (create) await this.#start();
    else if (!(await this.#open())) return NOT_FOUND;
    const isOwnNewChat = !this.#hasChat() && create?.ownerId === request.reader.userId;
    const refused = isOwnNewChat ? null : refuse(levelOf(this.#sql, request.reader.userId), TURN_ACTIONS[request.kind]);
    if (refused) return refused;
    const wanted = planTurn(this.#sql, request);
    if (!wanted.ok || wanted.value.kind === "repeat") return wanted;
    const reserved = await reserveTurn(this.env, this.#sql, { request, replyId: wanted.value.replyId });
    if (!reserved.ok) return reserved;
    // Another turn may have begun while the ledger was asked.
    const plan = planTurn(this.#sql, request);
    if (!plan.ok || plan.value.kind === "repeat") {
      await releaseTurn(this.env, request.reader, wanted.value.replyId);
      return plan;
    }
    const planned = plan.value;
    const { messageId, replyId } = planned;
    const turn = this.ctx.storage.transactionSync(() => {
      if (create && !this.#hasChat()) foundChat(this.#sql, request.chatId, create);
      const stored = storeTurn(this.#sql, planned, request);
      this.#outbox.mark(this.#readers(), [{ type: "reply.started", messageId, replyId }]);
      return stored;
    });
    await this.#watch();
    await this.#turns.start(turn);
    this.ctx.waitUntil(this.#outbox.deliver());
    return { ok: true, value: { messageId, replyId } };
  }

  /** Founds an empty chat; a chat that exists stays as it is. */
  async found(id: string, chat: { ownerId: string; title: string; modelId: string | null; createdAt: string }): Promise<void> {
    await this.#start();
    if (this.#hasChat()) return;
    this.ctx.storage.transactionSync(() => {
      foundChat(this.#sql, id, chat);
      this.#outbox.mark(this.#readers());
    });
    await this.#watch();
    this.ctx.waitUntil(this.#outbox.deliver());
  }

  /** The chat as this reader sees it. */
  async describe(reader: Reader): Promise<Outcome<RoomDetails>> {
    const level = (await this.#open()) ? levelOf(this.#sql, reader.userId) : null;
    return level === null ? NOT_FOUND : { ok: true, value: toDetails(this.#sql, level) };
  }

  /** True when this message is already here, so that a repeated request isn't counted twice. */
  async hasMessage(reader: Reader, messageId: string): Promise<boolean> {
    return (await this.#refuse(reader, "read")) === null && findMessage(this.#sql, messageId) !== null;
  }

  /** A page of the path this reader looks at. */
  async readMessages(reader: Reader, page: PageRequest): Promise<Outcome<MessagePage>> {
    const refused = await this.#refuse(reader, "read");
    if (refused) return refused;
    const found = readPage(this.#sql, { userId: reader.userId, chatId: readChat(this.#sql).id, live: this.#turns.live }, page);
    return found ? { ok: true, value: found } : NOT_FOUND;
  }

  /** Makes the branch through this message the reader's own view, and answers its newest page. */
  async select(reader: Reader, messageId: string, limit: number): Promise<Outcome<MessagePage>> {
    const refused = await this.#refuse(reader, "mark");
    if (refused) return refused;
    if (!findMessage(this.#sql, messageId)) return NOT_FOUND;
    selectLeaf(this.#sql, reader.userId, newestLeaf(this.#sql, messageId));
    return this.readMessages(reader, { limit });
  }

  /** Changes the chat itself; an empty title is not taken. */
  async update(reader: Reader, patch: ChatPatch): Promise<Outcome<RoomDetails>> {
    const actions: Action[] = [patch.title === undefined ? "settings" : "rename", patch.model_id === undefined ? "mark" : "settings"];
    for (const action of actions) {
      const refused = await this.#refuse(reader, action);
      if (refused) return refused;
    }
    this.ctx.storage.transactionSync(() => {
      if (patch.model_id !== undefined) this.#sql.exec("UPDATE chat SET model_id = ?", patch.model_id);
      const hasTitle = patch.title !== undefined && patch.title !== "" && setTitle(this.#sql, patch.title, "user");
      this.#outbox.mark(hasTitle ? [...this.#readers(), { kind: "d1" }] : this.#readers());
    });
    await this.#watch();
    this.ctx.waitUntil(this.#outbox.deliver());
    return this.describe(reader);
  }

  /** Stops the reply in progress and keeps what was produced. */
  async stop(reader: Reader): Promise<Outcome<null>> {
    const refused = await this.#refuse(reader, "stop");
    if (refused) return refused;
    await this.#turns.stop();
    return { ok: true, value: null };
  }

  /** Ends the streams of these sessions, or all of the user's. */
  async endSessions(userId: string, sessionIds: string[] | "all"): Promise<void> {
    if (!(await this.#open())) return;
    this.#turns.cut((reader) => reader.userId === userId && (sessionIds === "all" || sessionIds.includes(reader.sessionId)));
  }

  /** Moves a guest's chat and authorship to the account that the guest signed in to. */
  async transfer(from: string, to: { userId: string; displayName: string }): Promise<void> {
    if (!(await this.#open())) return;
    this.#turns.cut((reader) => reader.userId === from);
    this.ctx.storage.transactionSync(() => {
      this.#sql.exec("UPDATE chat SET owner_id = ? WHERE owner_id = ?", to.userId, from);
      this.#sql.exec("UPDATE chat SET last_sender_id = ?, last_sender_name = ? WHERE last_sender_id = ?", to.userId, to.displayName, from);
      this.#sql.exec("UPDATE messages SET author_id = ?, author_name = ? WHERE author_id = ?", to.userId, to.displayName, from);
      this.#sql.exec("UPDATE OR REPLACE readers SET user_id = ? WHERE user_id = ?", to.userId, from);
      this.#sql.exec("UPDATE charges SET payer_id = ? WHERE payer_id = ?", to.userId, from);
      this.#sql.exec("DELETE FROM outbox WHERE target = ?", `hub:${from}`);
      this.#outbox.mark(this.#readers());
    });
    await this.#watch();
    await this.#outbox.deliver();
  }

  /** Stops the turn and forgets everything; the tombstone in D1 keeps the id from being founded again. */
  async purge(): Promise<void> {
    if (!(await this.#open())) return;
    this.#turns.cut(() => true);
    await this.#turns.stop();
    await this.lifecycle.disableAlarms();
    await this.ctx.storage.deleteAll();
  }

  #hasChat(): boolean {
    return this.#sql.exec("SELECT 1 FROM chat").toArray().length > 0;
  }

  async #open(): Promise<boolean> {
    if (!isFounded(this.#sql)) return false;
    await this.#start();
    return this.#hasChat();
  }

  async #start(): Promise<void> {
    await this.lifecycle.start();
    await this.#recover();
  }

  /** Takes up what an earlier life left, once, before anything else; not in `onStart`, which would hold back the calls of a turn that begins again. */
  #recover(): Promise<void> {
    this.#recovery ??= this.#turns.recover().then(() => {
      if (!this.#outbox.isEmpty()) this.ctx.waitUntil(this.#outbox.deliver());
    });
    return this.#recovery;
  }

  async #refuse({ userId }: Pick<Reader, "userId">, action: Action) {
    return refuse((await this.#open()) ? levelOf(this.#sql, userId) : null, action);
  }

  #readers(): Target[] {
    return [{ kind: "hub", userId: readChat(this.#sql).owner_id }];
  }

  async #watch(): Promise<void> {
    if (!this.lifecycle.jobs.get("watch")) await this.lifecycle.jobs.push({ id: "watch", fn: "watch", time: Date.now() + WATCH_MS });
  }

  async #report(target: Target, { version, news }: Pick<ChatReport, "version" | "news">): Promise<void> {
    if (target.kind === "d1") return syncTitle(this.env, readChat(this.#sql));
    const row = toRow(this.#sql, levelOf(this.#sql, target.userId) ?? "viewer");
    const charges = chargesOf(this.#sql, target.userId, row.id);
    await hubOf(this.env, target.userId).receive({ row, version, news, charges });
    if (charges.length > 0) dropCharges(this.#sql, charges);
  }

  async #title(turn: StoredTurn): Promise<void> {
    if (!isFounded(this.#sql)) return;
    const isTitled = await titleChat(this.env, this.#sql, turn.request);
    if (!isFounded(this.#sql)) return;
    const isCharged = chargesOf(this.#sql, turn.request.reader.userId, turn.request.chatId).length > 0;
    if (isTitled) this.#outbox.mark([...this.#readers(), { kind: "d1" }]);
    else if (isCharged) this.#outbox.mark(this.#readers());
    await this.#settleCosts();
    await this.#outbox.deliver();
  }

  async #settleCosts(): Promise<void> {
    const isSettled = await resolveCosts(this.env, this.#sql, readChat(this.#sql).id);
    // The chat may have been deleted while the costs were looked up.
    if (isSettled && isFounded(this.#sql)) this.#outbox.mark(this.#readers());
  }
}

const NOT_FOUND = { ok: false, code: "NOT_FOUND" } as const;

/** The right that each way of beginning a turn takes; who may edit their own may also branch from another's. */
const TURN_ACTIONS = { send: "send", edit: "edit_own", regenerate: "regenerate", continue: "send" } as const satisfies Record<
  TurnRequest["kind"],
  Action
>;
