import type { ReplyEvent } from "#shared/reply-events.ts";
import type { Complete, CompletionRequest } from "#worker/platform/clients/aggregator.ts";
import { AggregatorError } from "#worker/platform/clients/aggregator-errors.ts";
import type { CompletionEvent, CompletionUsage } from "#worker/platform/clients/completion-chunks.ts";
import type { ReasoningDetail } from "#worker/platform/clients/prompt.ts";
import type { ModelToolCall } from "#worker/platform/clients/tool-call-fragments.ts";
import type { Citations } from "#worker/library/passages/citations.ts";
import { explainFailure } from "./turn-errors.ts";

/** The fields that arrive in fragments; all others come whole. */
const STREAMED_FIELDS = ["text", "summary", "data"] as const;

/** Adds a chunk's details: fragments with the same index and type are one detail, in the order of their first fragment. */
function mergeReasoningDetails(details: ReasoningDetail[], added: ReasoningDetail[]): ReasoningDetail[] {
  const merged = details.map((detail) => ({ ...detail }));
  for (const addition of added) {
    const same = merged.find((detail) => detail.type === addition.type && detail.index !== undefined && detail.index === addition.index);
    if (!same) {
      merged.push({ ...addition });
      continue;
    }
    const joined = Object.entries(addition).map(([key, value]) => {
      const previous = same[key];
      const isStreamed = STREAMED_FIELDS.some((name) => name === key);
      return [
        key,
        isStreamed && typeof previous === "string" && typeof value === "string" ? previous + value : (value ?? previous),
      ] as const;
    });
    // A field's name is the service's: none is assigned to, as one of them sets an object's prototype.
    merged[merged.indexOf(same)] = { ...same, ...Object.fromEntries(joined) };
  }
  return merged;
}

/** What passes by itself is asked for again at most twice, after these waits in milliseconds, and only while nothing was shown. */
const RETRY_WAITS_MS = [500, 2_000];
/** Longer waits than this many seconds are the reader's to decide. */
const LONGEST_WAIT_S = 10;

export type AskDeps = {
  complete: Complete;
  /** Takes what a request came to that is made once more, as its provider may bill it all the same. */
  onDropped(request: CompletionRequest, progress: Progress): void;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  now(): number;
};

/** What one request to the model brought; `text` and `reasoning` count characters, times are milliseconds. */
export type Progress = {
  modelId: string | null;
  /** Set once the provider took the request, which it may then bill. */
  started: { generationId: string | null } | null;
  text: number;
  reasoning: number;
  reasoningFrom: number | null;
  reasoningMs: number | null;
  details: ReasoningDetail[];
  calls: ModelToolCall[];
  usage: CompletionUsage | null;
  finishReason: string | null;
};

/** How asking ended: `failure` is null for a whole answer and for one that was stopped. */
export type Asked = { progress: Progress; failure: { error: AggregatorError; attempts: number } | null };

type Question = {
  request: CompletionRequest;
  signal: AbortSignal;
  /** Takes what readers see. */
  publish: (event: ReplyEvent) => void;
  /** True where the router's choice is news. */
  isRouted: boolean;
  citations: Citations;
  /** What sets this answer's text and reasoning off from what the readers already hold, empty where nothing needs to. */
  breaks: { text: string; reasoning: string };
  /** Milliseconds that the reply has been reasoned about before. */
  reasonedMs: number;
};

/** Asks the model once, again after what passes by itself, and publishes what readers see. Never throws for what the aggregator does. */
export async function askModel(deps: AskDeps, question: Question): Promise<Asked> {
  const { request, signal, publish } = question;
  for (let attempts = 1; ; attempts += 1) {
    const progress = emptyProgress();
    const ownFaults: unknown[] = [];
    const onEvent = (event: CompletionEvent) => {
      try {
        absorb(progress, event, { now: deps.now, question });
      } catch (cause) {
        ownFaults.push(cause);
        throw cause;
      }
    };
    try {
      await deps.complete(request, { signal, onEvent });
      if (progress.finishReason === null) throw new AggregatorError({ kind: "cut" });
      return { progress, failure: null };
    } catch (cause) {
      // What fails here and not at the aggregator is none of its failures, and asking again does not help.
      if (ownFaults.length > 0) throw ownFaults[0];
      if (signal.aborted) return { progress, failure: null };
      const error = cause instanceof AggregatorError ? cause : new AggregatorError({ kind: "cut", cause });
      const shown = progress.text > 0 || progress.reasoningFrom !== null;
      const wait = waitBefore(attempts, error, shown);
      if (wait === null) return { progress, failure: { error, attempts } };
      deps.onDropped(request, progress);
      publish({ type: "retry", attempt: attempts + 1, reason: explainFailure(error, { attempts: 1, model: request.model }).message });
      await deps.sleep(wait, signal);
      if (signal.aborted) return { progress, failure: null };
    }
  }
}

function emptyProgress(): Progress {
  return {
    modelId: null,
    started: null,
    text: 0,
    reasoning: 0,
    reasoningFrom: null,
    reasoningMs: null,
    details: [],
    calls: [],
    usage: null,
    finishReason: null,
  };
}

function absorb(progress: Progress, event: CompletionEvent, { now, question }: { now: () => number; question: Question }): void {
  const { breaks, reasonedMs, publish } = question;
  switch (event.type) {
    case "model":
      // A router names the model it chose; a provider's dated alias of the one that was asked is no news.
      if (question.isRouted && progress.modelId === null) {
        progress.modelId = event.modelId;
        publish({ type: "model", model_id: event.modelId });
      }
      return;
    case "reasoning": {
      const before = progress.reasoningFrom === null ? breaks.reasoning : "";
      progress.reasoningFrom ??= now();
      progress.reasoningMs = reasonedMs + now() - progress.reasoningFrom;
      progress.reasoning += event.text.length;
      publish({ type: "reasoning", text: before + event.text, ms: progress.reasoningMs });
      return;
    }
    case "reasoning_details":
      progress.details = mergeReasoningDetails(progress.details, event.details);
      return;
    case "text": {
      const before = progress.text === 0 ? breaks.text : "";
      if (progress.reasoningFrom !== null && progress.text === 0) {
        progress.reasoningMs = reasonedMs + now() - progress.reasoningFrom;
        publish({ type: "reasoning", text: "", ms: progress.reasoningMs });
      }
      progress.text += event.text.length;
      publish({ type: "text", text: before + event.text });
      return;
    }
    case "tool_calls":
      progress.calls = event.calls;
      return;
    case "citation":
      question.citations.cite({ url: event.url, title: event.title });
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

/** Milliseconds to wait before asking again, or null when this failure stands. */
function waitBefore(attempt: number, error: AggregatorError, shown: boolean): number | null {
  const wait = RETRY_WAITS_MS[attempt - 1];
  if (wait === undefined || shown || !error.isRetryable) return null;
  if (error.retryAfter !== null && error.retryAfter > LONGEST_WAIT_S) return null;
  return Math.max(wait * (0.75 + Math.random() / 2), (error.retryAfter ?? 0) * 1_000);
}
