import type { Citation, MessageUsage } from "#shared/entities/message.ts";
import type { ToolPart } from "#shared/entities/tool-call.ts";
import { TOOL_OUTPUT_LENGTH } from "#shared/limits.ts";
import type { ReplyEvent } from "#shared/reply-events.ts";
import type { Complete } from "#worker/platform/clients/aggregator.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import type { ModelToolCall } from "#worker/platform/clients/tool-call-fragments.ts";
import { log } from "#worker/platform/log.ts";
import type { ChatFiles, ChatMails, Connections, TodoList, Tool } from "#worker/conversation/tools/tool.ts";
import type { OutsideRuns } from "#worker/conversation/tools/outside/outside-runs.ts";
import { mayUse } from "#worker/conversation/tools/tool-sources.ts";
import { openToolbox } from "#worker/conversation/turn/toolbox.ts";
import type { givenAddresses } from "./addresses.ts";
import type { Citations } from "#worker/library/passages/citations.ts";
import type { TurnCost } from "./cost.ts";
import { openHolds, type Reserving } from "./turn-budget.ts";
import { checkCall, prepareCall, problemOf } from "./prepare-call.ts";
import type { ReplyContent } from "./reply-content.ts";
import type { StoredCall, StoredRound } from "./round.ts";
import { type StoredSteps, type Ran, runCall } from "./run-call.ts";
import type { StoredTurn } from "./stored-turn.ts";
import { readRoundPictures } from "./round-pictures.ts";
import type { TurnRequest } from "./request.ts";
import { withoutTexts, readableRounds, roundMessages, toToolCall, withCalls } from "./tool-call.ts";
import type { NewRound, TurnTools } from "./turn.ts";
import { isUntrustedCitation } from "./untrusted-text.ts";

const DAY_MS = 24 * 60 * 60_000;

/** A cost as it is charged: `callId` once, of a model or a tool. */
export type CallCharge = { callId: string; modelId: string; cost: TurnCost };

/** Where a reply keeps its rounds, so any life of the object can go on from the last one. Each write is one transaction. */
export type RoundStore = {
  rounds(): StoredRound[];
  calls(): StoredCall[];
  /** What the reply cost so far, in micro-dollars; calls whose cost has yet to be looked up at their estimates. */
  spentMicros(): number;
  /** False once the reply's model has read untrusted text. */
  isTrusted(): boolean;
  find(callId: string): StoredCall | null;
  /** What a private tool has given models in this chat by the calls of the turn's reader. */
  outputsOf(tool: string): string[];
  /** Adds a round together with all that readers got before it, the sources and the cost of asking for it. */
  begin(toRound: (content: ReplyContent) => StoredRound, after: { citations: readonly Citation[]; charge: CallCharge | null }): void;
  /** Notes that a call acts outside from now on. */
  markSent(call: StoredCall): void;
  /** Stores how a call ended, its steps forgotten, with the sources where these are new, and that its model has read untrusted text by it. */
  end(call: StoredCall, citations: readonly Citation[] | null, read: { isUntrusted: boolean }): void;
  /** Charges something of a call to the turn's reader, with what a model that it asked read and wrote. */
  charge(call: StoredCall, charge: CallCharge, usage: MessageUsage | null): void;
  /** What a call's steps brought; `newCitations` are stored with each. */
  steps(callId: string, onKeep: () => readonly Citation[] | null): StoredSteps;
};

export type RoundDeps = Reserving & {
  env: Env;
  complete: Complete;
  /** All tools that there are. */
  tools: readonly Tool[];
  openConnections(env: Env, userId: string): Promise<Connections>;
  /** The todo list as this person's turn reads and changes it; `trustedFor` says for whom what it writes is no untrusted text. */
  todos: (by: { readerId: string; trustedFor: string | null }) => TodoList;
  mails: () => ChatMails;
  runs: OutsideRuns;
  files: () => ChatFiles;
  isOffRecord(): boolean;
  now(): number;
  store: RoundStore;
  live: { publish(event: ReplyEvent): void; content(): ReplyContent };
};

/**
 * An earlier answer's rounds as a turn's model may read them: calls of what the turn may not use say no more to it than to any reader of the
 * chat, and what a model kept of its thinking stays out where the answer is not the turn's person's own.
 */
export function roundsFor(
  { reader, sources }: Pick<TurnRequest, "reader" | "sources">,
  { rounds, isOwn }: { rounds: readonly StoredRound[]; isOwn: boolean },
): StoredRound[] {
  return readableRounds(rounds, reader.userId).map((round) => {
    const readable = withCalls(round, (call) => (mayUse(sources, call.tool) ? call : withoutTexts(call)));
    return isOwn ? readable : { ...readable, reasoningDetails: [] };
  });
}

type Running = {
  turn: StoredTurn;
  citations: Citations;
  /** The generation with which the reply was asked for, or was last asked to go on. */
  since: number;
  /** True where the rounds so far are of the model that is asked now, which then gets its reasoning back. */
  isSameModel: boolean;
  /** True where what is answered holds what others wrote, or nobody looks on. */
  hasUntrustedText: boolean;
  /** The addresses of the web that the path gives the model. */
  given: ReturnType<typeof givenAddresses>;
};

/** The tools of one turn: rounds and calls are stored before they run, and readers see each change. */
export function openTurnTools(
  { env, complete, tools, openConnections, todos, mails, files, runs, isOffRecord, now, store, reserve, reserveRound, live }: RoundDeps,
  { turn, citations, since, isSameModel, hasUntrustedText: beginsUntrusted, given }: Running,
): TurnTools {
  const { replyId, request } = turn;
  const { rounds, calls } = store;
  const toolbox = openToolbox(tools, turn.tools, turn.connected);
  const waitsMs = (request.approvalDays ?? configOf(env).limits.approvalDays) * DAY_MS;
  let writerId = request.model.requestedId;
  let charges = 0;
  const holds = openHolds({ reserve, reserveRound, spentMicros: store.spentMicros, calls, nextCharge }, { turn, toolbox, since });
  let connections: Promise<Connections> | null = null;
  const connect = () => (connections ??= openConnections(env, request.reader.userId));
  let citedCount = citations.list().length;
  const hasReadUntrusted = () => beginsUntrusted || citations.list().some(isUntrustedCitation) || !store.isTrusted();

  async function findCallsAffectingOthers(made: readonly ModelToolCall[]): Promise<ReadonlySet<number>> {
    const place = { env, userId: request.reader.userId, chatId: request.chatId };
    const affects = await Promise.all(
      made.map(async ({ name, arguments: written }) => {
        const tool = toolbox.tools.find(({ wireName }) => wireName === name)?.id ?? name;
        const checked = checkCall(toolbox, { tool, arguments: written, editedInput: null });
        if (!checked.ok) return false;
        try {
          return (await checked.tool.affectsOthers?.(checked.input, place)) ?? false;
        } catch (cause) {
          log.warn("whom a call reaches was not found out, so it may ask first", { tool, cause });
          return true;
        }
      }),
    );
    return new Set(affects.flatMap((isReaching, at) => (isReaching ? [at] : [])));
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

  function begin({ calls: made, cost, usage, modelId, reasoningDetails, affectingOthers, problems }: NewRound): void {
    writerId = modelId ?? writerId;
    const before = calls();
    const round = rounds().length;
    const usedIds = new Set(before.map(({ givenId }) => givenId));
    const knowsAddress = given({ calls: before, citations: citations.list() });
    const reading = { hasUntrustedText: hasReadUntrusted(), knowsAddress };
    store.begin(
      ({ text, reasoning, reasoningMs }) => {
        const prepared = made.map((call, place) => {
          const next = prepareCall(call, {
            turn,
            toolbox,
            round,
            at: text.length,
            usedIds,
            reading,
            isVisibleToOthers: affectingOthers.has(place),
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

  function finish(
    call: StoredCall,
    ran: Exclude<Ran, null>,
    { durationMs, isUntrusted }: { durationMs: number; isUntrusted: boolean },
  ): void {
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
    store.end(ended, cited, { isUntrusted });
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

  function openSteps(callId: string): StoredSteps {
    const storedSteps = store.steps(callId, newCitations);
    return {
      find: storedSteps.find,
      keep(step, result) {
        storedSteps.keep(step, result);
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

  async function runOne(call: StoredCall, signal: AbortSignal): Promise<void> {
    const startedAt = now();
    const end = (ran: Exclude<Ran, null>, isUntrusted = false) => finish(call, ran, { durationMs: now() - startedAt, isUntrusted });
    if (call.delivery === "sent") return end({ ok: false, error: UNCERTAIN });
    const checked = checkCall(toolbox, call);
    if (!checked.ok) return end(checked);
    const { tool, input } = checked;
    const refused = holds.refused(call);
    if (refused !== null) return end({ ok: false, error: refused });
    const parts = new Map<string, Omit<ToolPart, "text">>();
    const { userId } = request.reader;
    const hasUntrustedText = hasReadUntrusted();
    if (tool.actsOutside) store.markSent(call);
    const ran = await runCall(
      {
        env,
        turn,
        writerId,
        complete,
        todos: todos({ readerId: userId, trustedFor: hasUntrustedText ? null : userId }),
        hasUntrustedText,
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
        reserveModelCall: (asked, model) => holds.modelCall(call, asked, model),
        charge(cost, by) {
          const callId = by?.callId ?? nextCharge(call);
          holds.charged(callId);
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
    // What it answers is others' where it fails, too.
    if (ran) end(ran, tool.readsOutside || ran.isUntrusted === true);
  }

  return {
    offered: toolbox.tools,
    hasRounds: () => rounds().length > 0,
    used: () => rounds().filter((round) => round.calls.some((call) => call.generation >= since)).length,
    hold: holds.round,
    affectingOthers: findCallsAffectingOthers,
    problems: findProblems,
    begin,
    async run(signal) {
      for (;;) {
        const open = calls().filter(({ status }) => status === "running");
        if (open.length === 0 || signal.aborted) break;
        const refused = await holds.calls(open);
        if (refused) return refused;
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

/** What the model reads about a call that had been sent when the room's life ended. */
export const UNCERTAIN = "This was interrupted after it had been sent: it may or may not have happened. It was not sent again.";
