import type { Citation, MessageError, MessageStatus, MessageUsage } from "#shared/entities/message.ts";
import type { ReplyEvent } from "#shared/reply-events.ts";
import type { CompletionEvent, CompletionRequest, CompletionUsage, PromptMessage, ReasoningDetail } from "../clients/aggregator.ts";
import { AggregatorError } from "../clients/aggregator-errors.ts";
import { CHARACTERS_PER_TOKEN, computeCostMicros, toMicros } from "../credits/money.ts";
import { mergeReasoningDetails } from "./reasoning-details.ts";
import type { TurnModel } from "./rpc.ts";
import { EMPTY_ANSWER, explainFailure, FILTERED_ANSWER } from "./turn-errors.ts";

/** What passes by itself is asked for again at most twice, after these waits in milliseconds, and only while nothing was shown. */
const RETRY_WAITS_MS = [500, 2_000];
/** Longer waits than this many seconds are the reader's to decide. */
const LONGEST_WAIT_S = 10;

export type TurnDeps = {
  complete(request: CompletionRequest, signal: AbortSignal): AsyncIterable<CompletionEvent>;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  now(): number;
};

export type TurnInput = { chatId: string; model: TurnModel; prompt: PromptMessage[]; signal: AbortSignal };

/** What a call cost, in micro-dollars; where its stream told none, what to look it up by and what it is taken for otherwise. */
export type TurnCost = { known: true; micros: number | null } | { known: false; estimateMicros: number; generationId: string | null };

/** How a turn ended; the text and reasoning themselves are in its events. */
export type TurnResult = {
  status: Extract<MessageStatus, "done" | "stopped" | "failed" | "interrupted">;
  modelId: string | null;
  finishReason: string | null;
  reasoningMs: number | null;
  reasoningDetails: ReasoningDetail[];
  citations: Citation[];
  usage: MessageUsage | null;
  cost: TurnCost;
  error: MessageError | null;
};

type Progress = {
  modelId: string | null;
  /** Set once the provider took the request, which it may then bill. */
  started: { generationId: string | null } | null;
  text: number;
  reasoningFrom: number | null;
  reasoningMs: number | null;
  details: ReasoningDetail[];
  citations: Citation[];
  usage: CompletionUsage | null;
  finishReason: string | null;
};

/** One turn: asks the model, yields what readers see, returns how it ended. Never throws for what the aggregator does. */
export async function* runTurn(
  deps: TurnDeps,
  { chatId, model, prompt, signal }: TurnInput,
): AsyncGenerator<ReplyEvent, TurnResult, undefined> {
  const startedAt = deps.now();
  const promptLength = prompt.reduce((length, message) => length + message.content.length, 0);
  for (let attempt = 1; ; attempt += 1) {
    const progress = emptyProgress();
    const ended = { deps, model, startedAt, promptLength };
    try {
      const request = { model: model.aggregatorId, messages: prompt, routerModels: model.routerModels, sessionId: chatId };
      for await (const event of deps.complete(request, signal)) yield* absorb(progress, event, { deps, model });
      if (progress.finishReason === null) throw new AggregatorError({ kind: "cut" });
      return finish(progress, ended);
    } catch (cause) {
      const error = cause instanceof AggregatorError ? cause : new AggregatorError({ kind: "cut", cause });
      if (signal.aborted) return { ...finish(progress, ended), status: "stopped", error: null };
      const shown = progress.text > 0 || progress.reasoningFrom !== null;
      const wait = waitBefore(attempt, error, shown);
      if (wait === null) return fail(progress, error, { ...ended, attempt });
      yield { type: "retry", attempt: attempt + 1, reason: explainFailure(error, 1).message };
      await deps.sleep(wait, signal);
      if (signal.aborted) return { ...finish(progress, ended), status: "stopped", error: null };
    }
  }
}

function emptyProgress(): Progress {
  return {
    modelId: null,
    started: null,
    text: 0,
    reasoningFrom: null,
    reasoningMs: null,
    details: [],
    citations: [],
    usage: null,
    finishReason: null,
  };
}

function* absorb(progress: Progress, event: CompletionEvent, { deps, model }: { deps: TurnDeps; model: TurnModel }): Generator<ReplyEvent> {
  switch (event.type) {
    case "model":
      // A router names the model it chose; a provider's dated alias of the one that was asked is no news.
      if (model.requestedId === "auto" && progress.modelId === null) {
        progress.modelId = event.modelId;
        yield { type: "model", model_id: event.modelId };
      }
      return;
    case "reasoning":
      progress.reasoningFrom ??= deps.now();
      progress.reasoningMs = deps.now() - progress.reasoningFrom;
      yield { type: "reasoning", text: event.text, ms: progress.reasoningMs };
      return;
    case "reasoning_details":
      progress.details = mergeReasoningDetails(progress.details, event.details);
      return;
    case "text":
      if (progress.reasoningFrom !== null && progress.text === 0) {
        progress.reasoningMs = deps.now() - progress.reasoningFrom;
        yield { type: "reasoning", text: "", ms: progress.reasoningMs };
      }
      progress.text += event.text.length;
      yield { type: "text", text: event.text };
      return;
    case "citation":
      if (!progress.citations.some(({ url }) => url === event.url)) progress.citations.push({ url: event.url, title: event.title });
      return;
    case "usage":
      progress.usage = event.usage;
      return;
    case "finish":
      progress.finishReason = event.reason;
      return;
    case "started":
      progress.started = { generationId: event.generationId };
  }
}

type Ended = { deps: TurnDeps; model: TurnModel; startedAt: number; promptLength: number };

function finish(progress: Progress, { deps, model, startedAt, promptLength }: Ended): TurnResult {
  const { usage, finishReason } = progress;
  const error = finishReason === "content_filter" ? FILTERED_ANSWER : progress.text === 0 ? EMPTY_ANSWER : null;
  return {
    status: error ? "failed" : "done",
    modelId: progress.modelId,
    finishReason,
    reasoningMs: progress.reasoningMs,
    reasoningDetails: progress.details,
    citations: progress.citations,
    // A call that nobody took read and wrote nothing.
    usage: (usage || progress.started) && {
      prompt_tokens: usage?.prompt_tokens ?? Math.ceil(promptLength / CHARACTERS_PER_TOKEN),
      completion_tokens: usage?.completion_tokens ?? Math.ceil(progress.text / CHARACTERS_PER_TOKEN),
      reasoning_tokens: usage?.reasoning_tokens ?? 0,
      duration_ms: deps.now() - startedAt,
    },
    cost: costOf(progress, { model, promptLength }),
    error,
  };
}

function fail(progress: Progress, error: AggregatorError, ended: Ended & { attempt: number }): TurnResult {
  const explained = explainFailure(error, ended.attempt);
  // A partial text that could go on is kept as interrupted; what was refused for a reason is a failure.
  const canGoOn = progress.text > 0 && (error.isRetryable || error.kind === "stalled" || error.kind === "server");
  return { ...finish(progress, ended), status: canGoOn ? "interrupted" : "failed", finishReason: null, error: explained };
}

/** The reported cost, else one computed from the reported tokens; a cut stream reports neither, and is estimated by its characters. */
function costOf({ usage, text, started }: Progress, { model, promptLength }: { model: TurnModel; promptLength: number }): TurnCost {
  const price = { prompt: model.promptPrice, completion: model.completionPrice };
  if (usage) {
    const tokens = { prompt: usage.prompt_tokens, completion: usage.completion_tokens };
    return { known: true, micros: usage.cost === null ? computeCostMicros(tokens, price) : toMicros(usage.cost) };
  }
  if (!started) return { known: true, micros: 0 };
  const tokens = { prompt: promptLength / CHARACTERS_PER_TOKEN, completion: text / CHARACTERS_PER_TOKEN };
  return { known: false, estimateMicros: text === 0 ? 0 : (computeCostMicros(tokens, price) ?? 0), generationId: started.generationId };
}

/** Milliseconds to wait before asking again, or null when this failure stands. */
function waitBefore(attempt: number, error: AggregatorError, shown: boolean): number | null {
  const wait = RETRY_WAITS_MS[attempt - 1];
  if (wait === undefined || shown || !error.isRetryable) return null;
  if (error.retryAfter !== null && error.retryAfter > LONGEST_WAIT_S) return null;
  return Math.max(wait * (0.75 + Math.random() / 2), (error.retryAfter ?? 0) * 1_000);
}
