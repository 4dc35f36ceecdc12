import type { Citation, MessageError, MessageStatus, MessageUsage } from "#shared/entities/message.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { TOOL_CALLS_PER_ROUND, TOOL_ROUNDS } from "#shared/limits.ts";
import type { ReplyEvent } from "#shared/reply-events.ts";
import type { PromptMessage, ReasoningDetail, ToolDefinition } from "#worker/platform/clients/prompt.ts";
import type { Priced } from "#worker/platform/spending/longest-answer.ts";
import { type ToolData, toDefinition } from "#worker/conversation/turn/toolbox.ts";
import type { ModelToolCall } from "#worker/platform/clients/tool-call-fragments.ts";
import type { PromptCaching } from "#worker/platform/clients/cache-marks.ts";
import { smallestMarkedPrompt } from "#worker/people/models/prompt-caching.ts";
import { promptBudget } from "#worker/people/models/prompt-budget.ts";
import { askModel, type AskDeps, type Asked, type Progress } from "./ask-model.ts";
import type { Citations } from "#worker/library/passages/citations.ts";
import { costOf, paidLength, promptLength, usageOf, type TurnCost } from "./cost.ts";
import type { TurnRequest } from "./request.ts";
import type { TurnModel } from "#worker/people/models/turn-model.ts";
import { LEAST_OUTPUT } from "./round.ts";
import type { StoredTurn } from "./stored-turn.ts";
import { ANSWER_BOUND, EMPTY_ANSWER, explainFailure, FILTERED_ANSWER, ROUNDS_USED, THOUGHT_ONLY, unpaidError } from "./turn-errors.ts";
import { cutQuote } from "#worker/platform/texts/untrusted.ts";

/**
 * A reply's rounds in `room` characters: where they have more, as they were made for a model that reads more, the answers of its calls are cut,
 * the oldest first.
 */
function fitRounds(rounds: PromptMessage[], room: number): PromptMessage[] {
  let over = promptLength(rounds) - room;
  if (over <= 0) return rounds;
  return rounds.map((message) => {
    if (over <= 0 || message.role !== "tool" || message.content.length <= LEAST_OUTPUT) return message;
    const content = cutQuote(message.content, Math.max(LEAST_OUTPUT, message.content.length - over));
    over -= message.content.length - content.length;
    return { ...message, content };
  });
}

/** A model's answer that asks for tools. */
export type NewRound = {
  calls: ModelToolCall[];
  reasoningDetails: ReasoningDetail[];
  modelId: string | null;
  usage: MessageUsage | null;
  /** Null where no model was asked. */
  cost: TurnCost | null;
  /** The places of those of its calls that change what other people read. */
  affectingOthers: ReadonlySet<number>;
  /** Why some of its calls cannot be made as things stand, by their places. */
  problems: ReadonlyMap<number, string>;
};

/** A reply's rounds of tool calls: kept in storage, so any life of the object can go on from the last one. */
export type TurnTools = {
  /** What the model may call; empty where it is offered nothing. */
  offered: readonly ToolData[];
  /** True once the reply has had a round. */
  hasRounds(): boolean;
  /** How many rounds there were since the reply was asked for, or was last asked to go on. */
  used(): number;
  /** The places of those of these calls that change what other people read. */
  affectingOthers(calls: readonly ModelToolCall[]): Promise<ReadonlySet<number>>;
  /** Why some of these calls cannot be made as things stand, by their places. */
  problems(calls: readonly ModelToolCall[]): Promise<ReadonlyMap<number, string>>;
  /** Stores a round with its cost before anything of it runs. */
  begin(round: NewRound): void;
  /** Runs what is left to run, and keeps so much of what it answers that all rounds stay within `room` characters; `waiting` where calls need a person's word first, and why nothing was run where it cannot be paid. */
  run(signal: AbortSignal, room?: number): Promise<"answered" | "waiting" | MessageError>;
  /** Lets the model be asked with this prompt: how long it may answer, and whether nothing would be left to ask it again; else why it cannot be paid. */
  hold(messages: readonly PromptMessage[], tools: readonly ToolDefinition[]): Promise<ReservedRound | MessageError>;
  /** All rounds as the model gets them back. */
  messages(): Promise<PromptMessage[]>;
  /** All calls as they now stand, in order. */
  calls(): ToolCall[];
  /** Ends what was opened for calls. */
  close(): Promise<void>;
};

/** How long an answer may be in tokens, null where nothing bounds it; `isBound` where more was not reserved for it, `isLast` where nothing would be left to go on after it. */
export type ReservedRound = { maxTokens: number | null; isBound: boolean; isLast: boolean };

export type TurnDeps = AskDeps;

/** Of the room for a prompt, what calls may answer at least, however long the conversation: half of what is kept free beside it. */
const ROUNDS_SHARE = 1 / 8;

export type TurnInput = {
  chatId: string;
  model: TurnModel;
  prompt: PromptMessage[];
  /** How long after each use a provider is asked to keep it. */
  promptLife: PromptCaching["life"];
  /** Asks a reply that broke off in its text to go on; holds until the next round. */
  tail: PromptMessage[];
  tools: TurnTools;
  citations: Citations;
  /** What the readers hold now. */
  shown: () => { text: string; reasoning: string; reasoningMs: number };
  /** Takes what readers see. */
  publish: (event: ReplyEvent) => void;
  signal: AbortSignal;
};

/** How a turn ended; the text, reasoning and calls themselves are in its events. */
export type TurnResult = {
  status: Extract<MessageStatus, "done" | "stopped" | "failed" | "interrupted">;
  modelId: string | null;
  finishReason: string | null;
  reasoningDetails: ReasoningDetail[];
  citations: Citation[];
  /** Of the last request alone, as each round is stored with its own. */
  usage: MessageUsage | null;
  cost: TurnCost;
  error: MessageError | null;
};

/** How a turn comes to its answer. */
export type TurnStrategy = {
  /** The tools that it runs itself, unknown to its model; null where the model calls those that were chosen. */
  ownTools: readonly string[] | null;
  /** The part of a prompt that the conversation may take. */
  promptShare: number;
  /** True where it goes on after its last word in a new instance of the object, where nobody may ask for it. */
  isBackground: boolean;
  /** What it may cost with a prompt of so many tokens and pictures. */
  price(request: Pick<TurnRequest, "model">, prompt: { tokens: number; pictures: number }): Priced;
  run(deps: TurnDeps, input: TurnInput & Pick<StoredTurn, "startedAt" | "workedMs">): Promise<TurnResult | { status: "waiting" }>;
};

/** One turn: asks the model, runs the tools it calls, asks again; publishes what readers see and answers how it ended. */
export async function runTurn(deps: TurnDeps, input: TurnInput): Promise<TurnResult | { status: "waiting" }> {
  const { chatId, model, prompt, tools, signal } = input;
  const minimum = smallestMarkedPrompt(model);
  const caching = minimum === null ? undefined : { life: input.promptLife, minimum };
  let { tail } = input;
  for (;;) {
    const budget = promptBudget(model);
    const room = Math.max(budget - promptLength([...prompt, ...tail]), budget * ROUNDS_SHARE);
    const outcome = await tools.run(signal, room);
    if (signal.aborted) return stoppedBetween(input);
    if (outcome === "waiting") return { status: "waiting" };
    if (outcome !== "answered") return endedUnpaid(input, outcome);
    const messages = [...prompt, ...fitRounds(await tools.messages(), room), ...tail];
    const offered = tools.offered.map(toDefinition);
    const reserved = await tools.hold(messages, offered);
    if (signal.aborted) return stoppedBetween(input);
    if ("code" in reserved) return endedUnpaid(input, reserved);
    const mustAnswer = reserved.isLast || tools.used() >= TOOL_ROUNDS;
    const request = {
      model: model.aggregatorId,
      messages,
      routerModels: model.routerModels,
      sessionId: chatId,
      caching,
      ...(reserved.maxTokens !== null && { maxTokens: reserved.maxTokens }),
      ...(offered.length > 0 && { tools: offered, mustAnswer }),
    };
    const startedAt = deps.now();
    const before = input.shown();
    const asked = await askModel(deps, {
      request,
      signal,
      publish: input.publish,
      isRouted: model.requestedId === "auto",
      citations: input.citations,
      breaks: tail.length === 0 ? { text: breakAfter(before.text), reasoning: breakAfter(before.reasoning) } : { text: "", reasoning: "" },
      reasonedMs: before.reasoningMs,
    });
    const { progress } = asked;
    const spent = { model, prompt: paidLength(messages, offered), ms: deps.now() - startedAt, isBound: reserved.isBound };
    const wantsTools = progress.calls.length > 0 && (progress.finishReason === "tool_calls" || progress.finishReason === "stop");
    const calls = wantsTools ? progress.calls.slice(0, TOOL_CALLS_PER_ROUND) : [];
    const [affectingOthers, problems] = await Promise.all([tools.affectingOthers(calls), tools.problems(calls)]);
    if (asked.failure || signal.aborted || !wantsTools) return endTurn(asked, spent, input);
    if (mustAnswer)
      return {
        ...finish(progress, spent, input),
        status: "interrupted",
        error: reserved.isLast ? unpaidError("TRIGGERED_BUDGET") : ROUNDS_USED,
      };
    tools.begin({
      calls,
      affectingOthers,
      problems,
      reasoningDetails: progress.details,
      modelId: progress.modelId,
      usage: usageOf({ ...progress, prompt: spent.prompt }, spent.ms),
      cost: costOf({ ...progress, prompt: spent.prompt }, model),
    });
    tail = [];
  }
}

/** The lines between one round's text and the next one's. */
function breakAfter(text: string): string {
  return text === "" || text.endsWith("\n\n") ? "" : "\n\n";
}

/** What a request took: its model, its prompt's characters, milliseconds, and whether what is left to spend bounded its answer. */
export type Spent = { model: TurnModel; prompt: number; ms: number; isBound: boolean };

/** How a turn ends with a model's answer that asks for no tools, or with none. */
export function endTurn({ progress, failure }: Asked, spent: Spent, input: TurnInput): TurnResult {
  const result = finish(progress, spent, input);
  if (input.signal.aborted) return { ...result, status: "stopped", error: null };
  if (!failure) return result;
  const { error, attempts } = failure;
  // What could go on is kept as interrupted; what was refused for a reason is a failure.
  const canGoOn =
    (progress.text > 0 || input.tools.hasRounds()) && (error.isRetryable || error.kind === "stalled" || error.kind === "server");
  const why = explainFailure(error, { attempts, model: spent.model.aggregatorId });
  return { ...result, status: canGoOn ? "interrupted" : "failed", finishReason: null, error: why };
}

function finish(progress: Progress, spent: Spent, { tools, citations, shown }: TurnInput): TurnResult {
  const { finishReason } = progress;
  const isEmpty = progress.text === 0 && !(tools.hasRounds() && shown().text !== "");
  const isCut = finishReason === "length";
  const empty = isCut ? THOUGHT_ONLY : EMPTY_ANSWER;
  const failure = finishReason === "content_filter" ? FILTERED_ANSWER : isEmpty ? empty : null;
  const error = failure ?? (isCut && spent.isBound ? ANSWER_BOUND : null);
  return {
    status: failure ? "failed" : "done",
    modelId: progress.modelId,
    finishReason,
    reasoningDetails: progress.details,
    citations: citations.list(),
    usage: usageOf({ ...progress, prompt: spent.prompt }, spent.ms),
    cost: costOf({ ...progress, prompt: spent.prompt }, spent.model),
    error,
  };
}

/** How a turn ends whose next step cannot be paid: with what is there. */
function endedUnpaid(input: TurnInput, error: MessageError): TurnResult {
  const hasSomething = input.tools.hasRounds() || input.shown().text !== "";
  return { ...stoppedBetween(input), status: hasSomething ? "interrupted" : "failed", error };
}

/** How a turn ends that is stopped while tools run, when the model is not being asked. */
export function stoppedBetween({ citations }: Pick<TurnInput, "citations">): TurnResult {
  return {
    status: "stopped",
    modelId: null,
    finishReason: null,
    reasoningDetails: [],
    citations: citations.list(),
    usage: null,
    cost: { known: true, micros: 0 },
    error: null,
  };
}
