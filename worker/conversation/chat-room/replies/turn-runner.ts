import type { ReplyEvent } from "#shared/reply-events.ts";
import type { ReplyPosition } from "#shared/reply-position.ts";
import type { CompletionRequest } from "#worker/platform/clients/aggregator.ts";
import { log } from "#worker/platform/log.ts";
import { promptBudget } from "#worker/people/models/prompt-budget.ts";
import { boundAnswer, TRUNCATED_ANSWER_LENGTH } from "#worker/conversation/turn/bound-answer.ts";
import { addActivity, isImportedChat, storedTurn } from "../chat.ts";
import { chargeCall } from "../charges/charges.ts";
import { givenAddresses } from "#worker/conversation/turn/known-addresses.ts";
import { endedEarly, ENDED_EARLY } from "#worker/conversation/turn/ended-early.ts";
import { type Citations, openCitations } from "#worker/library/passages/citations.ts";
import { fitPath } from "./compaction.ts";
import { promptHoldsPrivate } from "#worker/conversation/turn/private-text.ts";
import { holdsUntrustedText } from "#worker/conversation/turn/untrusted-text.ts";
import { strategyOf } from "#worker/conversation/turn/strategy.ts";
import { seesReasoning, settledEvent, shownCitations } from "../messages/message-row.ts";
import { answersOfOwnTurns, citationsOf, readablePath, type PathRow } from "#worker/conversation/turn/path.ts";
import { costOf, paidLength, promptLength, usageOf } from "#worker/conversation/turn/cost.ts";
import { findMessage, type FindLive, hasUsedOwn, markOwn, promptPath } from "../messages/messages.ts";
import { joinSources, sourcesOfPath } from "../messages/numbered-sources.ts";
import type { Outbox, Target } from "../outbox.ts";
import { readPathFiles } from "#worker/conversation/turn/path-files.ts";
import { readRoundPictures } from "#worker/conversation/turn/round-pictures.ts";
import { type Positioned, replayStored } from "./reply-log.ts";
import { eventsBefore, planRecovery } from "./recovery.ts";
import { LiveReply } from "./reply-stream.ts";
import { promptLife } from "#worker/conversation/turn/request.ts";
import { type StoredTurn, workingSince } from "#worker/conversation/turn/stored-turn.ts";
import { shownCall, toToolCall } from "#worker/conversation/turn/tool-call.ts";
import { findCall, readCalls, readRounds } from "../messages/tool-rounds.ts";
import type { TurnDeps, TurnResult, TurnTools } from "#worker/conversation/turn/turn.ts";
import type { StreamsOpen } from "#worker/conversation/room/rpc.ts";
import { INTERNAL_FAILURE } from "#worker/conversation/turn/turn-errors.ts";
import { type QuestionContext, questionContexts } from "#worker/conversation/turn/question-context.ts";
import { buildPrompt, continueAfter, textAfter } from "#worker/conversation/turn/prompt.ts";
import type { Progress } from "#worker/conversation/turn/ask-model.ts";
import { storeRestart, storeSettlement, storeTurnState } from "./turn-store.ts";
import { readableEarlierRounds, ToolRounds } from "#worker/conversation/turn/rounds.ts";
import { reserveForChat, reserveCall, reserveRound } from "./reserve-turn.ts";
import { closeCalls, createRoundStore } from "./round-store.ts";
import type { Section } from "#worker/library/contribution.ts";
import type { StoredRound } from "#worker/conversation/turn/round.ts";
import type { PromptMessage } from "#worker/platform/clients/prompt.ts";
import type { ToolHost } from "#worker/conversation/tools/tool.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";

/** `ended` resolves to whether the turn has settled; else it waits for a person's word. */
type Running = { turn: StoredTurn; live: LiveReply; abort: AbortController; ended: Promise<boolean> };

/** What a turn answers: the reply's row, the messages before it with the rounds that its model may read and what went along with their questions, and what they cite. */
type ReadTurn = {
  reply: PathRow | undefined;
  path: PathRow[];
  rounds: Map<string, StoredRound[]>;
  questions: Map<string, QuestionContext>;
  citations: Citations;
};

function sectionsOf(questions: ReadonlyMap<string, QuestionContext>): Section[] {
  return [...questions.values()].flatMap(({ sections }) => sections);
}

type Deps = {
  storage: DurableObjectStorage;
  outbox: Outbox;
  /** What the room lends the tools of its turns. */
  host: ToolHost;
  sleep: TurnDeps["sleep"];
  /** Who learns of the chat's changes. */
  readers: () => Target[];
  /** Whether a reader sees what calls say of mail. */
  seesMail(userId: string): boolean;
  waitUntil(work: Promise<unknown>): void;
  /** Called when a turn begins to wait for a person's word. */
  onWaiting(): void;
  /** Called after a turn has settled, outside its transaction. */
  onSettled(turn: StoredTurn): Promise<void>;
};

/** `endsAt` is when the session ends unless it is used again, in epoch milliseconds. */
export type Who = { sessionId: string; userId: string; endsAt?: number | undefined };

/** Runs a room's turns: one at a time, detached from the request that began them. */
export class TurnRunner {
  readonly #deps: Deps;
  readonly #sql: SqlStorage;
  #running: Running | null = null;
  /** The turn that goes on only at a person's word. */
  #waiting: { turn: StoredTurn; live: LiveReply } | null = null;
  /** Kept for readers that reconnect right after the end; the stored message serves all later ones. */
  #last: { replyId: string; live: LiveReply } | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#sql = deps.storage.sql;
  }

  start(turn: StoredTurn, base: Positioned[] = eventsBefore(this.#sql, turn)): void {
    const live = this.#openReply(turn, base);
    if (turn.generation > 0) this.#takeUp(turn, live);
    this.#go(turn, live);
  }

  /** Stops the running or waiting turn and resolves when its text is stored; false when there is none. */
  async stop(): Promise<boolean> {
    if (!this.#running && !this.#waiting) return false;
    this.#running?.abort.abort();
    await this.#running?.ended;
    if (!this.#waiting) return true;
    const { turn, live } = this.#waiting;
    this.#settle(turn, live, { ...ENDED_EARLY, status: "stopped" });
    this.#deps.waitUntil(this.#conclude(turn, true));
    return true;
  }

  /** Notifies the readers of a turn's call that a person decided, and goes on with a turn that waited for it. */
  decided(turn: StoredTurn, callId: string): void {
    const live = (this.#waiting ?? this.#running)?.live;
    const call = findCall(this.#sql, turn.replyId, callId);
    if (!live || !call) return;
    live.publish({ type: "tool", call: toToolCall(call) });
    // What was allowed for good holds for the running turn's later rounds too.
    if (this.#running) Object.assign(this.#running.turn.request.tools.settings, turn.request.tools.settings);
    if (!this.#waiting) return;
    this.#waiting = null;
    storeTurnState(this.#sql, { ...turn, isWaiting: false });
    this.#deps.outbox.mark(this.#deps.readers(), { isPassing: true });
    this.#go({ ...turn, isWaiting: false }, live);
  }

  /** Takes up what an earlier life of this object left unsettled. */
  recover(): void {
    const turn = storedTurn(this.#sql);
    if (!turn) return;
    const recovery = planRecovery(this.#sql, turn);
    const { events } = recovery;
    if (recovery.kind === "restart") {
      const { attempts, ended, wasResumed, unpaid } = recovery;
      if (unpaid !== null) this.#chargeBroken(turn, unpaid);
      return this.start(storeRestart(this.#sql, { ...turn, attempts, ended, wasResumed, isWaiting: false }), events);
    }
    const next = recovery.kind === "rest" ? storeRestart(this.#sql, turn) : { ...turn, generation: turn.generation + 1 };
    const live = this.#openReply(next, events);
    this.#takeUp(next, live);
    if (recovery.kind === "rest") {
      this.#waiting = { turn: next, live };
      return;
    }
    this.#settle(next, live, endedEarly(turn, recovery.unpaid));
    this.#deps.waitUntil(this.#deps.outbox.deliver());
  }

  live(replyId: string): ReturnType<FindLive> {
    const found = this.#running ?? this.#waiting;
    return found?.turn.replyId === replyId ? { ...found.live.content(), workingSince: workingSince(found.turn) } : null;
  }

  /** The reply's event stream from right after `from`, behind `head`; null for a message that is none. */
  follow(
    replyId: string,
    reader: Who,
    { from, head = "" }: { from: ReplyPosition | null; head?: string },
  ): ReadableStream<Uint8Array> | null {
    const found = this.#running ?? this.#waiting;
    if (found?.turn.replyId === replyId) return found.live.follow(reader, from, head);
    if (this.#last?.replyId === replyId) return this.#last.live.follow(reader, from, head);
    const message = findMessage(this.#sql, replyId);
    if (message?.role !== "assistant") return null;
    const calls = (readCalls(this.#sql, [replyId]).get(replyId) ?? []).map(toToolCall);
    const callReader = { userId: reader.userId, seesMail: this.#deps.seesMail(reader.userId) };
    const citations = JSON.stringify(shownCitations(message, reader.userId, { calls }));
    const reasoning = seesReasoning(message, reader.userId) ? message.reasoning : null;
    return replayStored({ ...message, citations, reasoning, calls: calls.map((call) => shownCall(call, callReader)) }, from, head);
  }

  /** How many streams of the reply in progress this user has open, null where there is none. */
  streamsOf(userId: string): StreamsOpen | null {
    const found = this.#running ?? this.#waiting;
    return found && { replyId: found.turn.replyId, open: found.live.streamsOf(userId) };
  }

  cut(matches: (reader: Who) => boolean): void {
    (this.#running ?? this.#waiting)?.live.cut(matches);
  }

  moveSession(from: string, to: string): void {
    (this.#running ?? this.#waiting)?.live.moveSession(from, to);
  }

  #openReply({ replyId, generation, request }: StoredTurn, base: Positioned[]): LiveReply {
    return new LiveReply(this.#deps.storage, {
      replyId,
      generation,
      base,
      seesMail: this.#deps.seesMail,
      payerId: request.reader.userId,
      usedOwn: () => hasUsedOwn(this.#sql, replyId),
    });
  }

  /** Brings readers of an earlier generation to where this one goes on. */
  #takeUp({ replyId }: StoredTurn, live: LiveReply): void {
    const { text, reasoning } = live.content();
    live.publish({ type: "replace", text: text.length, reasoning: reasoning.length });
    for (const call of readCalls(this.#sql, [replyId]).get(replyId) ?? []) live.publish({ type: "tool", call: toToolCall(call) });
  }

  #go(turn: StoredTurn, live: LiveReply): void {
    const abort = new AbortController();
    const ended = this.#run(turn, live, abort.signal);
    this.#running = { turn, live, abort, ended };
    this.#deps.waitUntil(ended.then((isSettled) => this.#conclude(turn, isSettled)));
  }

  async #conclude(turn: StoredTurn, isSettled: boolean): Promise<void> {
    await this.#deps.outbox.deliver();
    if (isSettled) await this.#deps.onSettled(turn);
  }

  async #run(turn: StoredTurn, live: LiveReply, signal: AbortSignal): Promise<boolean> {
    const { request } = turn;
    const { host, sleep } = this.#deps;
    let tools: TurnTools | null = null;
    try {
      const read = this.#readTurn(turn);
      // What its prompt can be cited by is known before its first word.
      if (turn.contextIds.length > 0) live.publish({ type: "citations", citations: read.citations.list() });
      tools = this.#openTools(turn, live, read);
      const ownRounds = readRounds(this.#sql, [turn.replyId]).get(turn.replyId) ?? [];
      const input = {
        chatId: request.chatId,
        model: request.model,
        promptLife: promptLife(request),
        prompt: await this.#composePrompt(turn, live, read, signal),
        tail: continueAfter(textAfter(live.content().text, turn.tools.length > 0 ? ownRounds : [])),
        tools,
        citations: read.citations,
        shown: () => live.content(),
        publish: (event: ReplyEvent) => live.publish(event),
        signal,
      };
      const deps = {
        complete: boundAnswer(host.complete, input.shown),
        onDropped: (sent: CompletionRequest, progress: Progress) => this.#chargeDropped(turn, sent, progress),
        sleep,
        now: host.now,
      };
      const result = await strategyOf(request).run(deps, { ...input, startedAt: turn.startedAt, workedMs: turn.workedMs });
      if (result.status === "waiting") this.#suspend(turn, live);
      else this.#settle(turn, live, result);
      return result.status !== "waiting";
    } catch (cause) {
      log.error("turn failed", { cause });
      this.#settle(turn, live, { ...ENDED_EARLY, status: "failed", error: INTERNAL_FAILURE });
      return true;
    } finally {
      if (tools) this.#deps.waitUntil(tools.close());
    }
  }

  /** Reads what a turn answers; where that holds what is its person's alone, its reply is marked so before its model reads a word. */
  #readTurn({ request, replyId, sections, memoryIds, contextIds }: StoredTurn): ReadTurn {
    const before = promptPath(this.#sql, replyId);
    const reply = before.pop();
    const path = readablePath(request, before);
    const ids = path.map(({ id }) => id);
    const own = answersOfOwnTurns(request, path);
    const rounds = new Map(
      [...readRounds(this.#sql, ids)].map(([id, of]) => [id, readableEarlierRounds(request, { rounds: of, isOwn: own.has(id) })]),
    );
    const questions = questionContexts(request, path, { sections, memoryIds, contextIds });
    const carried = [...sections, ...sectionsOf(questions)];
    if (reply?.used_own === 0 && promptHoldsPrivate(request, { sections: carried, path, rounds })) markOwn(this.#sql, replyId);
    const earlier = sourcesOfPath(this.#sql, before, { userId: request.reader.userId, contextIds });
    const sources = joinSources([earlier, reply ? citationsOf(reply) : []]);
    return { reply, path, rounds, questions, citations: openCitations(sources) };
  }

  #openTools(turn: StoredTurn, live: LiveReply, { reply, path, rounds, questions, citations }: ReadTurn): TurnTools {
    const { request, replyId } = turn;
    const sections = [...turn.sections, ...sectionsOf(questions)];
    const { storage, host } = this.#deps;
    return new ToolRounds(
      {
        host,
        live,
        store: createRoundStore(storage, { turn, live }),
        reserve: (call) => reserveCall(host.env, this.#sql, { payer: request, replyId, ...call }),
        reserveRound: (round) => reserveRound(host.env, this.#sql, { payer: request, replyId, ...round }),
      },
      {
        turn,
        citations,
        since: reply?.generation ?? 0,
        isSameModel: reply?.model_id === request.model.requestedId,
        hasUntrustedText:
          (request.kind === "send" && request.asksAlways === true) || holdsUntrustedText(path, { sections, userId: request.reader.userId }),
        given: givenAddresses(path, { rounds, request, isFromFile: isImportedChat(this.#sql) }),
      },
    );
  }

  /** The prompt of a turn with its files and pictures, its path fitted into the room that the model has for it. */
  async #composePrompt(
    turn: StoredTurn,
    live: LiveReply,
    { path, rounds, questions }: ReadTurn,
    signal: AbortSignal,
  ): Promise<PromptMessage[]> {
    const { request, replyId, sections } = turn;
    const { storage, host } = this.#deps;
    const strategy = strategyOf(request);
    const hasTools = turn.tools.length > 0 && strategy.ownTools === null;
    const [files, pictures] = await Promise.all([
      readPathFiles(host.env.FILES, path, request),
      readRoundPictures(host.env.FILES, host.files(), { ...request, rounds: hasTools ? [...rounds.values()].flat() : [] }),
    ]);
    const asked = { modelId: request.model.requestedId, files, rounds, pictures, sections, questions, hasTools };
    const fullPrompt = buildPrompt(path, { ...asked, earlier: null });
    const fitted = await fitPath(storage, host, {
      path,
      replyId,
      request,
      room: promptBudget(request.model) * strategy.promptShare,
      lengthOf: (rows) => promptLength(rows === path ? fullPrompt : buildPrompt(rows, { ...asked, earlier: null })),
      show: (compaction) => live.publish({ type: "compaction", compaction }),
      hold: async (callId, priced) => (await reserveForChat(host.env, this.#sql, { payer: request, replyId, callId, priced })).ok,
      signal,
    });
    return fitted.path === path ? fullPrompt : buildPrompt(fitted.path, { ...asked, earlier: fitted.earlier });
  }

  /** Rests a turn until a person has decided; nothing of it but storage is needed meanwhile. */
  #suspend(turn: StoredTurn, live: LiveReply): void {
    this.#waiting = { turn: { ...turn, isWaiting: true }, live };
    this.#running = null;
    live.save(() => {
      storeTurnState(this.#sql, { ...turn, isWaiting: true });
      this.#deps.outbox.mark(this.#deps.readers(), { changes: addActivity(this.#sql, null) });
    });
    this.#deps.onWaiting();
  }

  /** Whatever cannot be stored must not keep the turn open: its beginning is then kept, and what it cost. */
  #settle(turn: StoredTurn, live: LiveReply, result: TurnResult): void {
    try {
      this.#storeEnd(turn, live, result);
    } catch (cause) {
      log.error("a reply could not be stored whole", { cause });
      live.publish({ type: "replace", text: TRUNCATED_ANSWER_LENGTH, reasoning: 0 });
      this.#storeEnd(turn, live, { ...result, status: "failed", reasoningDetails: [], citations: [], error: INTERNAL_FAILURE });
    }
  }

  #storeEnd(turn: StoredTurn, live: LiveReply, result: TurnResult): void {
    const partsOf = (callId: string) => live.content().calls.find(({ id }) => id === callId)?.parts ?? [];
    for (const call of closeCalls(this.#sql, turn.replyId, partsOf)) live.publish({ type: "tool", call: toToolCall(call) });
    const content = live.content();
    live.settle((lastSeq) => {
      const changes = storeSettlement(this.#sql, { turn, content, result, lastSeq });
      const { replyId, request } = turn;
      const { userId } = request.reader;
      const research = { status: result.status, user_id: userId };
      // What a mail or the messaging app began is answered there, and the hub reports what a schedule began.
      const isHere = request.kind !== "send" || !(request.mail ?? request.messaging ?? request.schedule);
      const isDoneHere = result.status === "done" && isHere;
      this.#deps.outbox.mark(this.#deps.readers(), {
        updates: [
          { type: "reply.ended", replyId, ...(strategyOf(request).isBackground && { research }), ...(isDoneHere && { doneFor: userId }) },
        ],
        changes,
      });
      return settledEvent(this.#sql.exec<MessageRow>("SELECT * FROM messages WHERE id = ?", turn.replyId).one());
    });
    this.#running = null;
    this.#waiting = null;
    this.#last = { replyId: turn.replyId, live };
  }

  #chargeBroken(turn: StoredTurn, text: string): void {
    const { replyId, generation, request } = turn;
    const { cost, usage } = endedEarly(turn, text);
    this.#deps.storage.transactionSync(() =>
      chargeCall(this.#sql, {
        callId: `${replyId}:${generation}:broken`,
        turn,
        what: "round",
        modelId: request.model.aggregatorId,
        cost,
        usage,
      }),
    );
  }

  /** What was begun and is asked for once more is paid as far as it was billed. */
  #chargeDropped(turn: StoredTurn, { messages, tools = [] }: CompletionRequest, progress: Progress): void {
    if (!progress.started) return;
    const { replyId, request } = turn;
    const sent = { ...progress, prompt: paidLength(messages, tools) };
    this.#deps.storage.transactionSync(() =>
      chargeCall(this.#sql, {
        callId: `${replyId}:${turn.generation}:dropped:${crypto.randomUUID()}`,
        turn,
        what: "round",
        modelId: request.model.aggregatorId,
        cost: costOf(sent, request.model),
        usage: usageOf(sent, 0),
      }),
    );
  }
}
