import type { Citation, MessageUsage } from "#shared/entities/message.ts";
import type { ToolPart } from "#shared/entities/tool-call.ts";
import { readKnowledgeAddress } from "#shared/knowledge-citations.ts";
import { LEGS_PER_TURN, TOOL_OUTPUT_LENGTH, TOOL_ROUNDS } from "#shared/limits.ts";
import type { ReplyEvent } from "#shared/reply-events.ts";
import type { Complete } from "../clients/aggregator.ts";
import { AppError, type Outcome } from "../app-error.ts";
import { CHARACTERS_PER_TOKEN } from "../credits/money.ts";
import { configOf, type Env } from "../env.ts";
import type { ModelToolCall } from "../clients/tool-call-fragments.ts";
import { log } from "../log.ts";
import type { CallModel, ChatFiles, ChatMails, Connections, TodoList } from "../tools/tool.ts";
import type { OutsideRuns } from "../tools/outside/outside-runs.ts";
import { openToolbox } from "../tools/toolbox.ts";
import type { Citations } from "./citations.ts";
import { estimateAnswer, LEAST_MICROS, type TurnCost } from "./cost.ts";
import { hasBroughtForeignText } from "./foreign-text.ts";
import { checkCall, prepareCall, problemOf } from "./prepare-call.ts";
import { type Beginning, readingAt } from "./reading.ts";
import type { ReplyContent } from "./reply-content.ts";
import type { StoredCall, StoredRound } from "./round.ts";
import { type KeptSteps, type Ran, runCall } from "./run-call.ts";
import { strategyOf } from "./strategy.ts";
import type { StoredTurn } from "./stored-turn.ts";
import { readRoundPictures } from "./round-pictures.ts";
import { roundMessages, toToolCall } from "./tool-call.ts";
import type { NewRound, TurnTools } from "./turn.ts";
import { loadOnce } from "../load-once.ts";

const sessions = loadOnce(() => import("../mcp/turn-sessions.ts"));

const DAY_MS = 24 * 60 * 60_000;

/** A cost as it is charged: `callId` once, of a model or a tool. */
export type CallCharge = { callId: string; modelId: string; cost: TurnCost };

/** Where a reply keeps its rounds, so any life of the object can go on from the last one. Each write is one transaction. */
export type RoundStore = {
  rounds(): StoredRound[];
  calls(): StoredCall[];
  /** What the reply cost so far, in micro-dollars; calls whose cost has yet to be looked up at their estimates. */
  spentMicros(): number;
  find(callId: string): StoredCall | null;
  /** What a private tool has given models in this chat by the calls of the turn's reader. */
  outputsOf(tool: string): string[];
  /** Adds a round together with all that readers got before it, the sources and the cost of asking for it. */
  begin(toRound: (content: ReplyContent) => StoredRound, after: { citations: readonly Citation[]; charge: CallCharge | null }): void;
  /** Notes that a call acts outside from now on. */
  markSent(call: StoredCall): void;
  /** Stores how a call ended, its steps forgotten, with the sources where these are new. */
  end(call: StoredCall, citations: readonly Citation[] | null): void;
  /** Charges something of a call to the turn's reader, with what a model that it asked read and wrote. */
  charge(call: StoredCall, charge: CallCharge, usage: MessageUsage | null): void;
  /** What a call's steps brought; `newCitations` are stored with each. */
  steps(callId: string, onKeep: () => readonly Citation[] | null): KeptSteps;
};

export type RoundDeps = {
  env: Env;
  complete: Complete;
  todos: () => TodoList;
  mails: () => ChatMails;
  runs: OutsideRuns;
  files: () => ChatFiles;
  isOffRecord(): boolean;
  now(): number;
  store: RoundStore;
  /** Holds back what a call may cost, in micro-dollars, until it is charged. */
  reserve(request: { callId: string; amountMicros: number }): Promise<Outcome<null>>;
  live: { publish(event: ReplyEvent): void; content(): ReplyContent };
};

type Running = {
  turn: StoredTurn;
  citations: Citations;
  /** The generation with which the reply was asked for, or was last asked to go on. */
  since: number;
  /** True where the rounds so far are of the model that is asked now, which then gets its reasoning back. */
  isSameModel: boolean;
  /** True where the path that is answered holds what others wrote. */
  hasForeignText: boolean;
  beginning: Beginning;
};

/** The tools of one turn: rounds and calls are stored before they run, and readers see each change. */
export function openTurnTools(
  { env, complete, todos, mails, files, runs, isOffRecord, now, store, reserve, live }: RoundDeps,
  { turn, citations, since, isSameModel, hasForeignText, beginning }: Running,
): TurnTools {
  const { replyId, request } = turn;
  const { rounds, calls } = store;
  const toolbox = openToolbox(turn.tools, turn.connected);
  const waitsMs = (request.approvalDays ?? configOf(env).limits.approvalDays) * DAY_MS;
  let writerId = request.model.requestedId;
  let charges = 0;
  const budgetMicros = (request.kind === "send" ? request.schedule?.budgetMicros : null) ?? Number.POSITIVE_INFINITY;
  // What earlier lives of this reply spent counts too.
  let spentMicros = Number.isFinite(budgetMicros) ? store.spentMicros() : 0;
  let connections: Promise<Connections> | null = null;
  const connect = () => (connections ??= Promise.resolve(sessions()).then(({ openSessions }) => openSessions(env, request.reader.userId)));
  // What earlier lives of this reply asked counts too.
  let legs = calls().reduce((sum, { parts }) => sum + parts.filter(({ model_id: modelId }) => modelId !== null).length, 0);
  let citedCount = citations.list().length;
  // Of the knowledge that the turn began with its sections say whose words it holds.
  const given = new Set(citations.list().flatMap(({ url }) => (readKnowledgeAddress(url) ? [url] : [])));

  async function findReaching(made: readonly ModelToolCall[]): Promise<ReadonlySet<number>> {
    const place = { env, userId: request.reader.userId, chatId: request.chatId };
    const reached = await Promise.all(
      made.map(async ({ name, arguments: written }) => {
        const tool = toolbox.tools.find(({ wireName }) => wireName === name)?.id ?? name;
        const checked = checkCall(toolbox, { tool, arguments: written, editedInput: null });
        if (!checked.ok) return false;
        try {
          return (await checked.tool.reachesOthers?.(checked.input, place)) ?? false;
        } catch (cause) {
          log.warn("whom a call reaches was not found out, so it may ask first", { tool, cause });
          return true;
        }
      }),
    );
    return new Set(reached.flatMap((isReaching, at) => (isReaching ? [at] : [])));
  }

  async function findProblems(made: readonly ModelToolCall[]): Promise<ReadonlyMap<number, string>> {
    const place = { env, userId: request.reader.userId };
    const found = await Promise.all(
      made.map(({ name, arguments: written }) => {
        const tool = toolbox.tools.find(({ wireName }) => wireName === name)?.id ?? name;
        return problemOf(toolbox, { tool, arguments: written, editedInput: null }, place);
      }),
    );
    return new Map(found.flatMap((problem, at) => (problem === null ? [] : [[at, problem] as const])));
  }

  function begin({ calls: made, cost, usage, modelId, reasoningDetails, reaching, problems }: NewRound): void {
    writerId = modelId ?? writerId;
    spentMicros += cost ? microsOf(cost) : 0;
    const before = calls();
    const round = rounds().length;
    const usedIds = new Set(before.map(({ givenId }) => givenId));
    const isNotified = hasForeignText || citations.list().some(({ url }) => !given.has(url)) || before.some(hasBroughtForeignText);
    const reading = readingAt(beginning, { calls: before, citations: citations.list() });
    store.begin(
      ({ text, reasoning, reasoningMs }) => {
        const prepared = made.map((call, place) => {
          const next = prepareCall(call, {
            turn,
            toolbox,
            round,
            at: text.length,
            usedIds,
            hasForeignText: isNotified,
            reading,
            reachesOthers: reaching.has(place),
            problem: problems.get(place) ?? null,
            now: now(),
            waitsMs,
            mails,
          });
          usedIds.add(next.givenId);
          return next;
        });
        const ends = { textEnd: text.length, reasoningEnd: reasoning.length, reasoningMs };
        return { round, ...ends, reasoningDetails, usage, calls: prepared };
      },
      {
        citations: citations.list(),
        charge: cost && { callId: `${replyId}:${turn.generation}:${round}`, modelId: modelId ?? request.model.requestedId, cost },
      },
    );
    for (const call of calls().filter((stored) => stored.round === round)) {
      show(call);
      if (call.status === "waiting") keepDraft(call);
    }
  }

  /** What waits for a word is kept where its kind is kept, whatever becomes of it. */
  function keepDraft(call: StoredCall): void {
    const checked = checkCall(toolbox, call);
    if (checked.ok) checked.tool.keepDraft?.(checked.input, { callId: call.id, replyId, reader: request.reader }, mails());
  }

  function show(call: StoredCall): void {
    live.publish({ type: "tool", call: toToolCall(store.find(call.id) ?? call) });
  }

  function finish(call: StoredCall, ran: Exclude<Ran, null>, durationMs: number): void {
    const output = ran.ok ? ran.output : ran.error;
    const ended: StoredCall = {
      ...call,
      status: ran.ok ? "done" : "failed",
      delivery: "done",
      output: output.length <= TOOL_OUTPUT_LENGTH ? output : `${output.slice(0, TOOL_OUTPUT_LENGTH)}\n\n(The rest is left out.)`,
      sources: ran.sources ?? [],
      images: (ran.ok ? ran.images : undefined) ?? [],
      parts: shownParts(call.id).map((part) => (part.status === "running" ? { ...part, status: ran.ok ? "done" : "failed" } : part)),
      durationMs,
    };
    const cited = newCitations();
    store.end(ended, cited);
    showCitations(cited);
    show(ended);
  }

  /** The sources where there are more than readers got; null else. */
  function newCitations(): Citation[] | null {
    const cited = citations.list();
    return cited.length > citedCount ? cited : null;
  }

  function showCitations(cited: readonly Citation[] | null): void {
    if (cited) live.publish({ type: "citations", citations: [...cited] });
    citedCount = cited?.length ?? citedCount;
  }

  function openSteps(callId: string): KeptSteps {
    const kept = store.steps(callId, newCitations);
    return {
      find: kept.find,
      keep(step, result) {
        kept.keep(step, result);
        showCitations(newCitations());
      },
    };
  }

  function shownParts(callId: string) {
    return live.content().calls.find(({ id }) => id === callId)?.parts ?? [];
  }

  function nextCharge(call: StoredCall): string {
    charges += 1;
    return `${call.id}:${turn.generation}:${charges}`;
  }

  /** Each model that a tool asks is reserved before it starts; a strategy with steps of its own keeps to its own bounds and its one reservation. */
  async function openLeg(call: StoredCall, characters: number, asked: CallModel): Promise<string> {
    const callId = nextCharge(call);
    if (strategyOf(request).ownTools) return callId;
    legs += 1;
    if (legs > LEGS_PER_TURN) throw new AppError("INVALID_INPUT", { message: `At most ${LEGS_PER_TURN} models are asked for one answer.` });
    const amountMicros = Math.max(estimateAnswer(characters / CHARACTERS_PER_TOKEN, asked), LEAST_MICROS);
    if (spentMicros + amountMicros > budgetMicros) throw new AppError("TRIGGERED_BUDGET", { message: RUN_BUDGET });
    const reserved = await reserve({ callId, amountMicros });
    if (!reserved.ok) throw new AppError(reserved.code, { message: "There is not enough credit left to ask it." });
    return callId;
  }

  async function runOne(call: StoredCall, signal: AbortSignal): Promise<void> {
    const startedAt = now();
    const end = (ran: Exclude<Ran, null>) => finish(call, ran, now() - startedAt);
    if (call.delivery === "sent") return end({ ok: false, error: UNCERTAIN });
    const checked = checkCall(toolbox, call);
    if (!checked.ok) return end(checked);
    const { tool, input } = checked;
    const parts = new Map<string, Omit<ToolPart, "text">>();
    if (tool.actsOutside) store.markSent(call);
    const ran = await runCall(
      {
        env,
        turn,
        writerId,
        complete,
        todos: todos(),
        mails: mails(),
        runs,
        files: files(),
        connections: connect,
        isOffRecord,
        citations,
        signal,
        findPart: (id) => parts.get(id),
        showPart(part, text) {
          parts.set(part.id, part);
          live.publish({ type: "tool_part", call_id: call.id, part, text });
        },
        openLeg: (characters, asked) => openLeg(call, characters, asked),
        charge(cost, by) {
          const callId = by?.callId ?? nextCharge(call);
          spentMicros += microsOf(cost);
          store.charge(call, { callId, modelId: by?.modelId ?? tool.id, cost }, by?.usage ?? null);
        },
        steps: openSteps(call.id),
        outputsOf: (id) => store.outputsOf(id),
        earlier: () =>
          calls()
            .filter(({ status }) => status !== "running" && status !== "waiting")
            .map(toToolCall),
      },
      { tool, input, callId: call.id },
    );
    if (ran) end(ran);
  }

  return {
    offered: toolbox.tools,
    hasRounds: () => rounds().length > 0,
    // Whoever has spent a run's budget answers with what is known.
    used: () =>
      spentMicros >= budgetMicros ? TOOL_ROUNDS : rounds().filter((round) => round.calls.some((call) => call.generation >= since)).length,
    reaching: findReaching,
    problems: findProblems,
    begin,
    async run(signal) {
      for (;;) {
        const open = calls().filter(({ status }) => status === "running");
        if (open.length === 0 || signal.aborted) break;
        await Promise.all(open.map((call) => runOne(call, signal)));
      }
      return calls().some(({ status }) => status === "waiting") ? "waiting" : "answered";
    },
    async close() {
      await (await connections)?.close();
    },
    // A model that is offered no tools reads the text alone, as the answer that it goes on with.
    calls: () => calls().map(toToolCall),
    async messages() {
      if (turn.tools.length === 0) return [];
      const own = rounds();
      const pictures = await readRoundPictures(env.FILES, files(), { ...request, rounds: own });
      return roundMessages(live.content().text, own, { withReasoning: isSameModel, pictures });
    },
  };
}

/** What the model reads about a call that the budget of its schedule's run does not allow. */
const RUN_BUDGET = "What is left of this run's budget does not allow it.";

function microsOf(cost: TurnCost): number {
  return cost.known ? (cost.micros ?? 0) : cost.estimateMicros;
}

/** What the model reads about a call that had been sent when the room's life ended. */
export const UNCERTAIN = "This was interrupted after it had been sent: it may or may not have happened. It was not sent again.";
