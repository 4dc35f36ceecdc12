import type { ReplyEvent } from "#shared/reply-events.ts";
import type { ReplyPosition } from "#shared/reply-position.ts";
import type { CompletionRequest } from "#worker/platform/clients/aggregator.ts";
import { log } from "#worker/platform/log.ts";
import { promptBudget } from "#worker/people/models/prompt-budget.ts";
import { boundAnswer, TRUNCATED_ANSWER_LENGTH } from "#worker/conversation/turn/bound-answer.ts";
import { addActivity, isImportedChat, storedTurn } from "../chat.ts";
import { chargeCall } from "../charges/charges.ts";
import { givenAddresses } from "#worker/conversation/turn/addresses.ts";
import { endedEarly, ENDED_EARLY } from "#worker/conversation/turn/ended-early.ts";
import { openCitations } from "#worker/library/passages/citations.ts";
import { fitPath } from "./compaction.ts";
import { promptHoldsPrivate } from "#worker/conversation/turn/own-text.ts";
import { holdsUntrustedText } from "#worker/conversation/turn/untrusted-text.ts";
import { strategyOf } from "#worker/conversation/turn/strategy.ts";
import { seesReasoning, settledEvent, shownCitations } from "../messages/message-row.ts";
import { citationsOf, answersOfOwnTurns, pathFor } from "#worker/conversation/turn/path.ts";
import { costOf, paidLength, promptLength, usageOf } from "#worker/conversation/turn/cost.ts";
import { findMessage, type FindLive, hasUsedOwn, markOwn, promptPath } from "../messages/messages.ts";
import type { Outbox, Target } from "../outbox.ts";
import { readPathFiles } from "#worker/conversation/turn/path-files.ts";
import { readRoundPictures } from "#worker/conversation/turn/round-pictures.ts";
import { type Positioned, replayStored } from "./reply-log.ts";
import { eventsBefore, planRecovery } from "./recovery.ts";
import { type LiveReply, openReply } from "./reply-stream.ts";
import { type StoredTurn, workingSince } from "#worker/conversation/turn/stored-turn.ts";
import { shownCall, toToolCall } from "#worker/conversation/turn/tool-call.ts";
import { findCall, readCalls, readRounds } from "../messages/tool-rounds.ts";
import type { TurnDeps, TurnResult } from "#worker/conversation/turn/turn.ts";
import type { StreamsOpen } from "#worker/conversation/room/rpc.ts";
import { INTERNAL_FAILURE } from "#worker/conversation/turn/turn-errors.ts";
import { buildPrompt, continueAfter, textAfter } from "#worker/conversation/turn/prompt.ts";
import type { Progress } from "#worker/conversation/turn/ask-model.ts";
import { storeRestart, storeSettlement, storeTurnState } from "./turn-store.ts";
import { openTurnTools, type RoundDeps, roundsFor } from "#worker/conversation/turn/rounds.ts";
import { reserveForChat, reserveCall, reserveRound } from "./reserve-turn.ts";
import { closeCalls, createRoundStore } from "./round-store.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";

/** `ended` resolves to whether the turn has settled; else it waits for a person's word. */
type Running = { turn: StoredTurn; live: LiveReply; abort: AbortController; ended: Promise<boolean> };

type Deps = {
  storage: DurableObjectStorage;
  outbox: Outbox;
  turnDeps: Omit<TurnDeps, "onDropped"> &
    Pick<RoundDeps, "env" | "tools" | "openConnections" | "todos" | "mails" | "files" | "runs" | "isOffRecord">;
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

/** Runs turns: one at a time, detached from the request that began them. */
export type TurnRunner = {
  start(turn: StoredTurn): void;
  /** Stops the running or waiting turn and resolves when its text is stored; false when there is none. */
  stop(): Promise<boolean>;
  /** Notifies the readers of a turn's call that a person decided, and goes on with a turn that waited for it. */
  decided(turn: StoredTurn, callId: string): void;
  /** Takes up what an earlier life of this object left unsettled. */
  recover(): void;
  live: FindLive;
  /** The reply's event stream from right after `from`, behind `head`; null for a message that is none. */
  follow(replyId: string, reader: Who, place: { from: ReplyPosition | null; head?: string }): ReadableStream<Uint8Array> | null;
  /** How many streams of the reply in progress this user has open, null where there is none. */
  streamsOf(userId: string): StreamsOpen | null;
  cut(matches: (reader: Who) => boolean): void;
  moveSession(from: string, to: string): void;
};

/** The runner of one room. */
export function createTurnRunner(deps: Deps): TurnRunner {
  const { storage, outbox } = deps;
  const { sql } = storage;
  let running: Running | null = null;
  /** The turn that goes on only at a person's word. */
  let waiting: { turn: StoredTurn; live: LiveReply } | null = null;
  /** Kept for readers that reconnect right after the end; the stored message serves all later ones. */
  let last: { replyId: string; live: LiveReply } | null = null;

  function start(turn: StoredTurn, base: Positioned[] = eventsBefore(sql, turn)): void {
    const live = openReply(storage, {
      replyId: turn.replyId,
      generation: turn.generation,
      base,
      seesMail: deps.seesMail,
      payerId: turn.request.reader.userId,
      usedOwn: () => hasUsedOwn(sql, turn.replyId),
    });
    if (turn.generation > 0) takeUp(turn, live);
    go(turn, live);
  }

  /** Brings readers of an earlier generation to where this one goes on. */
  function takeUp({ replyId }: StoredTurn, live: LiveReply): void {
    const { text, reasoning } = live.content();
    live.publish({ type: "replace", text: text.length, reasoning: reasoning.length });
    for (const call of readCalls(sql, [replyId]).get(replyId) ?? []) live.publish({ type: "tool", call: toToolCall(call) });
  }

  function go(turn: StoredTurn, live: LiveReply): void {
    const abort = new AbortController();
    const ended = run(turn, live, abort.signal);
    running = { turn, live, abort, ended };
    deps.waitUntil(ended.then((isSettled) => conclude(turn, isSettled)));
  }

  async function conclude(turn: StoredTurn, isSettled: boolean): Promise<void> {
    await outbox.deliver();
    if (isSettled) await deps.onSettled(turn);
  }

  async function run(turn: StoredTurn, live: LiveReply, signal: AbortSignal): Promise<boolean> {
    const { request, replyId } = turn;
    const strategy = strategyOf(request);
    let close = async () => {};
    try {
      const before = promptPath(sql, replyId);
      const reply = before.pop();
      const path = pathFor(request, before);
      const ids = path.map(({ id }) => id);
      const own = answersOfOwnTurns(request, path);
      const rounds = new Map([...readRounds(sql, ids)].map(([id, of]) => [id, roundsFor(request, { rounds: of, isOwn: own.has(id) })]));
      if (reply?.used_own === 0 && promptHoldsPrivate(request, { sections: turn.sections, path, rounds })) markOwn(sql, replyId);
      const citations = openCitations(reply && citationsOf(reply));
      // What its prompt can be cited by is known before its first word.
      if (turn.contextIds.length > 0) live.publish({ type: "citations", citations: citations.list() });
      const tools = openTurnTools(
        {
          ...deps.turnDeps,
          live,
          store: createRoundStore(storage, { turn, live }),
          reserve: (call) => reserveCall(deps.turnDeps.env, sql, { payer: request, replyId, ...call }),
          reserveRound: (round) => reserveRound(deps.turnDeps.env, sql, { payer: request, replyId, ...round }),
        },
        {
          turn,
          citations,
          since: reply?.generation ?? 0,
          isSameModel: reply?.model_id === request.model.requestedId,
          hasUntrustedText:
            (request.kind === "send" && request.asksAlways === true) ||
            holdsUntrustedText(path, { sections: turn.sections, userId: request.reader.userId }),
          given: givenAddresses(path, { rounds, request, isFromFile: isImportedChat(sql) }),
        },
      );
      close = () => tools.close();
      const ownRounds = readRounds(sql, [replyId]).get(replyId) ?? [];
      const stored = deps.turnDeps.env.FILES;
      const hasTools = turn.tools.length > 0 && strategy.ownTools === null;
      const [files, pictures] = await Promise.all([
        readPathFiles(stored, path, request),
        readRoundPictures(stored, deps.turnDeps.files(), { ...request, rounds: hasTools ? [...rounds.values()].flat() : [] }),
      ]);
      const asked = {
        modelId: request.model.requestedId,
        files,
        rounds,
        pictures,
        sections: turn.sections,
        hasTools,
      };
      const fullPrompt = buildPrompt(path, { ...asked, earlier: null });
      const fitted = await fitPath(storage, deps.turnDeps, {
        path,
        replyId,
        request,
        room: promptBudget(request.model) * strategy.promptShare,
        lengthOf: (rows) => promptLength(rows === path ? fullPrompt : buildPrompt(rows, { ...asked, earlier: null })),
        show: (compaction) => live.publish({ type: "compaction", compaction }),
        hold: async (callId, priced) => (await reserveForChat(deps.turnDeps.env, sql, { payer: request, replyId, callId, priced })).ok,
        signal,
      });
      const input = {
        chatId: request.chatId,
        model: request.model,
        prompt: fitted.path === path ? fullPrompt : buildPrompt(fitted.path, { ...asked, earlier: fitted.earlier }),
        tail: continueAfter(textAfter(live.content().text, turn.tools.length > 0 ? ownRounds : [])),
        tools,
        citations,
        shown: () => live.content(),
        publish: (event: ReplyEvent) => live.publish(event),
        signal,
      };
      const turnDeps = {
        ...deps.turnDeps,
        complete: boundAnswer(deps.turnDeps.complete, input.shown),
        onDropped: (sent: CompletionRequest, progress: Progress) => chargeDropped(turn, sent, progress),
      };
      const result = await strategy.run(turnDeps, { ...input, startedAt: turn.startedAt, workedMs: turn.workedMs });
      if (result.status === "waiting") suspend(turn, live);
      else settle(turn, live, result);
      return result.status !== "waiting";
    } catch (cause) {
      log.error("turn failed", { cause });
      settle(turn, live, { ...ENDED_EARLY, status: "failed", error: INTERNAL_FAILURE });
      return true;
    } finally {
      deps.waitUntil(close());
    }
  }

  /** Rests a turn until a person has decided; nothing of it but storage is needed meanwhile. */
  function suspend(turn: StoredTurn, live: LiveReply): void {
    waiting = { turn: { ...turn, isWaiting: true }, live };
    running = null;
    live.save(() => {
      storeTurnState(sql, { ...turn, isWaiting: true });
      outbox.mark(deps.readers(), { changes: addActivity(sql, null) });
    });
    deps.onWaiting();
  }

  /** Whatever cannot be stored must not keep the turn open: its beginning is then kept, and what it cost. */
  function settle(turn: StoredTurn, live: LiveReply, result: TurnResult): void {
    try {
      storeEnd(turn, live, result);
    } catch (cause) {
      log.error("a reply could not be stored whole", { cause });
      live.publish({ type: "replace", text: TRUNCATED_ANSWER_LENGTH, reasoning: 0 });
      storeEnd(turn, live, { ...result, status: "failed", reasoningDetails: [], citations: [], error: INTERNAL_FAILURE });
    }
  }

  function storeEnd(turn: StoredTurn, live: LiveReply, result: TurnResult): void {
    const partsOf = (callId: string) => live.content().calls.find(({ id }) => id === callId)?.parts ?? [];
    for (const call of closeCalls(sql, turn.replyId, partsOf)) live.publish({ type: "tool", call: toToolCall(call) });
    const content = live.content();
    live.settle((lastSeq) => {
      const changes = storeSettlement(sql, { turn, content, result, lastSeq });
      const { replyId, request } = turn;
      const { userId } = request.reader;
      const research = { status: result.status, user_id: userId };
      // What a mail or the messaging app began is answered there, and the hub reports what a schedule began.
      const isHere = request.kind !== "send" || !(request.mail ?? request.messaging ?? request.schedule);
      const isDoneHere = result.status === "done" && isHere;
      outbox.mark(deps.readers(), {
        updates: [
          { type: "reply.ended", replyId, ...(strategyOf(request).isBackground && { research }), ...(isDoneHere && { doneFor: userId }) },
        ],
        changes,
      });
      return settledEvent(sql.exec<MessageRow>("SELECT * FROM messages WHERE id = ?", turn.replyId).one());
    });
    running = null;
    waiting = null;
    last = { replyId: turn.replyId, live };
  }

  function recover(): void {
    const turn = storedTurn(sql);
    if (!turn) return;
    const recovery = planRecovery(sql, turn);
    const { events } = recovery;
    if (recovery.kind === "restart") {
      const { attempts, ended, wasResumed, unpaid } = recovery;
      if (unpaid !== null) chargeBroken(turn, unpaid);
      return start(storeRestart(sql, { ...turn, attempts, ended, wasResumed, isWaiting: false }), events);
    }
    const next = recovery.kind === "rest" ? storeRestart(sql, turn) : { ...turn, generation: turn.generation + 1 };
    const live = openReply(storage, {
      replyId: turn.replyId,
      generation: next.generation,
      base: events,
      seesMail: deps.seesMail,
      payerId: turn.request.reader.userId,
      usedOwn: () => hasUsedOwn(sql, turn.replyId),
    });
    takeUp(next, live);
    if (recovery.kind === "rest") {
      waiting = { turn: next, live };
      return;
    }
    settle(next, live, endedEarly(turn, recovery.unpaid));
    deps.waitUntil(outbox.deliver());
  }

  function chargeBroken(turn: StoredTurn, text: string): void {
    const { replyId, generation, request } = turn;
    const { cost, usage } = endedEarly(turn, text);
    storage.transactionSync(() =>
      chargeCall(sql, { callId: `${replyId}:${generation}:broken`, turn, what: "round", modelId: request.model.aggregatorId, cost, usage }),
    );
  }

  /** What was begun and is asked for once more is paid as far as it was billed. */
  function chargeDropped(turn: StoredTurn, { messages, tools = [] }: CompletionRequest, progress: Progress): void {
    if (!progress.started) return;
    const { replyId, request } = turn;
    const sent = { ...progress, prompt: paidLength(messages, tools) };
    storage.transactionSync(() =>
      chargeCall(sql, {
        callId: `${replyId}:${turn.generation}:dropped:${crypto.randomUUID()}`,
        turn,
        what: "round",
        modelId: request.model.aggregatorId,
        cost: costOf(sent, request.model),
        usage: usageOf(sent, 0),
      }),
    );
  }

  return {
    start,
    recover,
    async stop() {
      if (!running && !waiting) return false;
      running?.abort.abort();
      await running?.ended;
      if (!waiting) return true;
      const { turn, live } = waiting;
      settle(turn, live, { ...ENDED_EARLY, status: "stopped" });
      deps.waitUntil(conclude(turn, true));
      return true;
    },
    decided(turn, callId) {
      const live = (waiting ?? running)?.live;
      const call = findCall(sql, turn.replyId, callId);
      if (!live || !call) return;
      live.publish({ type: "tool", call: toToolCall(call) });
      // What was allowed for good holds for the running turn's later rounds too.
      if (running) Object.assign(running.turn.request.tools.settings, turn.request.tools.settings);
      if (!waiting) return;
      waiting = null;
      storeTurnState(sql, { ...turn, isWaiting: false });
      outbox.mark(deps.readers(), { isPassing: true });
      go({ ...turn, isWaiting: false }, live);
    },
    live(replyId) {
      const found = running ?? waiting;
      return found?.turn.replyId === replyId ? { ...found.live.content(), workingSince: workingSince(found.turn) } : null;
    },
    follow(replyId, reader, { from, head = "" }) {
      const found = running ?? waiting;
      if (found?.turn.replyId === replyId) return found.live.follow(reader, from, head);
      if (last?.replyId === replyId) return last.live.follow(reader, from, head);
      const message = findMessage(sql, replyId);
      if (message?.role !== "assistant") return null;
      const calls = (readCalls(sql, [replyId]).get(replyId) ?? []).map(toToolCall);
      const callReader = { userId: reader.userId, seesMail: deps.seesMail(reader.userId) };
      const citations = JSON.stringify(shownCitations(message, reader.userId, { calls }));
      const reasoning = seesReasoning(message, reader.userId) ? message.reasoning : null;
      return replayStored({ ...message, citations, reasoning, calls: calls.map((call) => shownCall(call, callReader)) }, from, head);
    },
    streamsOf(userId) {
      const found = running ?? waiting;
      return found && { replyId: found.turn.replyId, open: found.live.streamsOf(userId) };
    },
    cut(matches) {
      (running ?? waiting)?.live.cut(matches);
    },
    moveSession(from, to) {
      (running ?? waiting)?.live.moveSession(from, to);
    },
  };
}
