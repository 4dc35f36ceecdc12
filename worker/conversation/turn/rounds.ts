import type { Citation, MessageError, MessageUsage } from "#shared/entities/message.ts";
import type { ToolCall, ToolPart } from "#shared/entities/tool-call.ts";
import { TOOL_OUTPUT_LENGTH } from "#shared/limits.ts";
import type { ReplyEvent } from "#shared/reply-events.ts";
import type { PromptMessage, ToolDefinition } from "#worker/platform/clients/prompt.ts";
import { configOf } from "#worker/platform/env.ts";
import type { ModelToolCall } from "#worker/platform/clients/tool-call-fragments.ts";
import { log } from "#worker/platform/log.ts";
import { cutQuote } from "#worker/platform/texts/untrusted.ts";
import type { Connections, ToolHost } from "#worker/conversation/tools/tool.ts";
import { mayUse } from "#worker/conversation/tools/tool-sources.ts";
import { openToolbox, type Toolbox, type ToolData } from "#worker/conversation/turn/toolbox.ts";
import type { givenAddresses } from "./known-addresses.ts";
import type { Citations } from "#worker/library/passages/citations.ts";
import { promptLength, type TurnCost } from "./cost.ts";
import { type Holds, openHolds, type Reserving } from "./turn-budget.ts";
import { checkCall, prepareCall, problemOf } from "./prepare-call.ts";
import type { ReplyContent } from "./reply-content.ts";
import { LEAST_OUTPUT, type StoredCall, type StoredRound } from "./round.ts";
import { type StoredSteps, type Ran, runCall } from "./run-call.ts";
import type { StoredTurn } from "./stored-turn.ts";
import { readRoundPictures } from "./round-pictures.ts";
import type { TurnRequest } from "./request.ts";
import { withoutTexts, readableRounds, roundMessages, toToolCall, withCalls } from "./tool-call.ts";
import type { NewRound, ReservedRound, TurnTools } from "./turn.ts";
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

type Deps = Reserving & {
  host: ToolHost;
  store: RoundStore;
  live: { publish(event: ReplyEvent): void; content(): ReplyContent };
};

/**
 * An earlier answer's rounds as a turn's model may read them: calls of what the turn may not use say no more to it than to any reader of the
 * chat, and what a model kept of its thinking stays out where the answer is not the turn's person's own.
 */
export function readableEarlierRounds(
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
export class ToolRounds implements TurnTools {
  /** What the model may call; empty where it is offered nothing. */
  readonly offered: readonly ToolData[];
  readonly #host: ToolHost;
  readonly #store: RoundStore;
  readonly #live: Deps["live"];
  readonly #running: Running;
  readonly #turn: StoredTurn;
  readonly #citations: Citations;
  readonly #toolbox: Toolbox;
  readonly #holds: Holds;
  readonly #waitsMs: number;
  #writerId: string;
  #charges = 0;
  /** Characters that are kept of what a call answers: a later round reads it as this one does, so providers keep the prompt. */
  #outputLimit = TOOL_OUTPUT_LENGTH;
  #connections: Promise<Connections> | null = null;
  /** How many sources the readers got. */
  #citedCount: number;

  constructor({ host, store, live, reserve, reserveRound }: Deps, running: Running) {
    const { turn, citations, since } = running;
    this.#host = host;
    this.#store = store;
    this.#live = live;
    this.#running = running;
    this.#turn = turn;
    this.#citations = citations;
    this.#citedCount = citations.list().length;
    this.#writerId = turn.request.model.requestedId;
    this.#waitsMs = (turn.request.approvalDays ?? configOf(host.env).limits.approvalDays) * DAY_MS;
    this.#toolbox = openToolbox(host.tools, turn.tools, turn.connected);
    this.offered = this.#toolbox.tools;
    this.#holds = openHolds(
      {
        reserve,
        reserveRound,
        spentMicros: () => store.spentMicros(),
        calls: () => store.calls(),
        nextCharge: (call) => this.#nextCharge(call),
      },
      { turn, toolbox: this.#toolbox, since },
    );
  }

  hasRounds(): boolean {
    return this.#store.rounds().length > 0;
  }

  used(): number {
    return this.#store.rounds().filter((round) => round.calls.some((call) => call.generation >= this.#running.since)).length;
  }

  async affectingOthers(made: readonly ModelToolCall[]): Promise<ReadonlySet<number>> {
    const place = { env: this.#host.env, userId: this.#turn.request.reader.userId, chatId: this.#turn.request.chatId };
    const affects = await Promise.all(
      made.map(async ({ name, arguments: written }) => {
        const tool = this.#toolbox.tools.find(({ wireName }) => wireName === name)?.id ?? name;
        const checked = checkCall(this.#toolbox, { tool, arguments: written, editedInput: null });
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

  async problems(made: readonly ModelToolCall[]): Promise<ReadonlyMap<number, string>> {
    const place = { env: this.#host.env, userId: this.#turn.request.reader.userId };
    const found = await Promise.all(
      made.map(({ name, arguments: written }) => {
        const tool = this.#toolbox.tools.find(({ wireName }) => wireName === name)?.id ?? name;
        return problemOf(this.#toolbox, { tool, arguments: written, editedInput: null }, place);
      }),
    );
    return new Map(found.flatMap((problem, at) => (problem === null ? [] : [[at, problem] as const])));
  }

  begin({ calls: made, cost, usage, modelId, reasoningDetails, affectingOthers, problems }: NewRound): void {
    this.#writerId = modelId ?? this.#writerId;
    const before = this.#store.calls();
    const round = this.#store.rounds().length;
    const usedIds = new Set(before.map(({ givenId }) => givenId));
    const knowsAddress = this.#running.given({ calls: before, citations: this.#citations.list() });
    const reading = { hasUntrustedText: this.#hasReadUntrusted(), knowsAddress };
    this.#store.begin(
      ({ text, reasoning, reasoningMs }) => {
        const prepared = made.map((call, place) => {
          const next = prepareCall(call, {
            turn: this.#turn,
            toolbox: this.#toolbox,
            round,
            at: text.length,
            usedIds,
            reading,
            isVisibleToOthers: affectingOthers.has(place),
            problem: problems.get(place) ?? null,
            now: this.#host.now(),
            waitsMs: this.#waitsMs,
            mails: this.#host.mails,
          });
          usedIds.add(next.givenId);
          return next;
        });
        const ends = { textEnd: text.length, reasoningEnd: reasoning.length, reasoningMs };
        return { round, ...ends, reasoningDetails, usage, calls: prepared };
      },
      {
        citations: this.#citations.list(),
        charge: cost && {
          callId: `${this.#turn.replyId}:${this.#turn.generation}:${round}`,
          modelId: modelId ?? this.#turn.request.model.requestedId,
          cost,
        },
      },
    );
    for (const call of this.#store.calls().filter((stored) => stored.round === round)) {
      this.#show(call);
      if (call.status === "waiting") this.#keepDraft(call);
    }
  }

  async run(signal: AbortSignal, room = Number.POSITIVE_INFINITY): Promise<"answered" | "waiting" | MessageError> {
    for (;;) {
      const open = this.#store.calls().filter(({ status }) => status === "running");
      if (open.length === 0 || signal.aborted) break;
      this.#outputLimit = this.#shareOf(room, open.length);
      const refused = await this.#holds.calls(open);
      if (refused) return refused;
      await Promise.all(open.map((call) => this.#runOne(call, signal)));
    }
    return this.#store.calls().some(({ status }) => status === "waiting") ? "waiting" : "answered";
  }

  hold(messages: readonly PromptMessage[], tools: readonly ToolDefinition[]): Promise<ReservedRound | MessageError> {
    return this.#holds.round(messages, tools);
  }

  async messages(): Promise<PromptMessage[]> {
    // A model that is offered no tools reads the text alone, as the answer that it goes on with.
    if (this.#turn.tools.length === 0) return [];
    const own = this.#store.rounds();
    const pictures = await readRoundPictures(this.#host.env.FILES, this.#host.files(), { ...this.#turn.request, rounds: own });
    return roundMessages(this.#live.content().text, own, { withReasoning: this.#running.isSameModel, pictures });
  }

  calls(): ToolCall[] {
    return this.#store.calls().map(toToolCall);
  }

  async close(): Promise<void> {
    await (await this.#connections)?.close();
  }

  /** What each of so many calls may answer, in characters: half of what is left of the `room` for all rounds, so later ones find some, too. */
  #shareOf(room: number, calls: number): number {
    const used = promptLength(
      roundMessages(this.#live.content().text, this.#store.rounds(), { withReasoning: false, pictures: new Map() }),
    );
    return Math.min(TOOL_OUTPUT_LENGTH, Math.max(LEAST_OUTPUT, Math.floor((room - used) / 2 / calls)));
  }

  /** What waits for a word is kept where its kind is kept, whatever becomes of it. */
  #keepDraft(call: StoredCall): void {
    const checked = checkCall(this.#toolbox, call);
    const place = { callId: call.id, replyId: this.#turn.replyId, reader: this.#turn.request.reader };
    if (checked.ok) checked.tool.keepDraft?.(checked.input, place, this.#host.mails());
  }

  #show(call: StoredCall): void {
    this.#live.publish({ type: "tool", call: toToolCall(this.#store.find(call.id) ?? call) });
  }

  #finish(call: StoredCall, ran: Exclude<Ran, null>, { durationMs, isUntrusted }: { durationMs: number; isUntrusted: boolean }): void {
    const output = ran.ok ? ran.output : ran.error;
    const ended: StoredCall = {
      ...call,
      status: ran.ok ? "done" : "failed",
      delivery: "done",
      output: output.length <= this.#outputLimit ? output : `${cutQuote(output, this.#outputLimit)}\n\n(The rest is left out.)`,
      sources: ran.sources ?? [],
      images: (ran.ok ? ran.images : undefined) ?? [],
      parts: this.#shownParts(call.id).map((part) => (part.status === "running" ? { ...part, status: ran.ok ? "done" : "failed" } : part)),
      durationMs,
    };
    const cited = this.#newCitations();
    this.#store.end(ended, cited, { isUntrusted });
    this.#showCitations(cited);
    this.#show(ended);
  }

  /** The sources where there are more than readers got; null else. */
  #newCitations(): Citation[] | null {
    const cited = this.#citations.list();
    return cited.length > this.#citedCount ? cited : null;
  }

  #showCitations(cited: readonly Citation[] | null): void {
    if (cited) this.#live.publish({ type: "citations", citations: [...cited] });
    this.#citedCount = cited?.length ?? this.#citedCount;
  }

  #openSteps(callId: string): StoredSteps {
    const { find, keep } = this.#store.steps(callId, () => this.#newCitations());
    return {
      find,
      keep: (step, result) => {
        keep(step, result);
        this.#showCitations(this.#newCitations());
      },
    };
  }

  #shownParts(callId: string): ToolPart[] {
    return this.#live.content().calls.find(({ id }) => id === callId)?.parts ?? [];
  }

  #nextCharge(call: StoredCall): string {
    this.#charges += 1;
    return `${call.id}:${this.#turn.generation}:${this.#charges}`;
  }

  async #runOne(call: StoredCall, signal: AbortSignal): Promise<void> {
    const startedAt = this.#host.now();
    const end = (ran: Exclude<Ran, null>, isUntrusted = false) =>
      this.#finish(call, ran, { durationMs: this.#host.now() - startedAt, isUntrusted });
    if (call.delivery === "sent") return end({ ok: false, error: UNCERTAIN });
    const checked = checkCall(this.#toolbox, call);
    if (!checked.ok) return end(checked);
    const { tool, input } = checked;
    const refused = this.#holds.refused(call);
    if (refused !== null) return end({ ok: false, error: refused });
    const { userId } = this.#turn.request.reader;
    const hasUntrustedText = this.#hasReadUntrusted();
    if (tool.actsOutside) this.#store.markSent(call);
    const ran = await runCall(
      {
        host: this.#host,
        turn: this.#turn,
        writerId: this.#writerId,
        todos: this.#host.todos({ readerId: userId, trustedFor: hasUntrustedText ? null : userId }),
        hasUntrustedText,
        connections: () => this.#connect(),
        citations: this.#citations,
        signal,
        showPart: (part, text) => this.#live.publish({ type: "tool_part", call_id: call.id, part, text }),
        reserveModelCall: (asked, model) => this.#holds.modelCall(call, asked, model),
        charge: (cost, by) => {
          const callId = by?.callId ?? this.#nextCharge(call);
          this.#holds.charged(callId);
          this.#store.charge(call, { callId, modelId: by?.modelId ?? tool.id, cost }, by?.usage ?? null);
        },
        steps: this.#openSteps(call.id),
        outputsOf: (id) => this.#store.outputsOf(id),
        earlier: () =>
          this.#store
            .calls()
            .filter(({ status }) => status !== "running" && status !== "waiting")
            .map(toToolCall),
      },
      { tool, input, callId: call.id },
    );
    // What it answers is others' where it fails, too.
    if (ran) end(ran, tool.readsOutside || ran.isUntrusted === true);
  }

  #connect(): Promise<Connections> {
    return (this.#connections ??= this.#host.openConnections(this.#host.env, this.#turn.request.reader.userId));
  }

  /** True once the model has read untrusted text, or where its turn began with it. */
  #hasReadUntrusted(): boolean {
    return this.#running.hasUntrustedText || this.#citations.list().some(isUntrustedCitation) || !this.#store.isTrusted();
  }
}

/** What the model reads about a call that had been sent when the room's life ended. */
export const UNCERTAIN = "This was interrupted after it had been sent: it may or may not have happened. It was not sent again.";
