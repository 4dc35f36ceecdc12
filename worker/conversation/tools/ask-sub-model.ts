import type { CompletionEvent, CompletionUsage } from "#worker/platform/clients/completion-chunks.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { AggregatorError, type AggregatorFailure } from "#worker/platform/clients/aggregator-errors.ts";
import { computeCostMicros, fromMicros } from "#worker/platform/spending/money.ts";
import { log } from "#worker/platform/log.ts";
import type { CallModel, ToolContext } from "./tool.ts";

/** What a model that a tool asked has answered; `modelId` names the one that a router chose. */
export type Asked = { ok: true; text: string; modelId: string } | { ok: false; error: string; modelId: string };

type Question = {
  /** The part that shows the answer while it comes; null shows none of it. */
  part: { id: string; title: string } | null;
  model: CallModel & { routerModels?: string[] | null };
  system: string;
  user: string;
  /** Milliseconds; what came by then is kept as broken off. */
  timeoutMs: number;
};

/** Far more than an answer needs, so a model that never ends does not cost without bound. */
export const SUB_ANSWER_TOKENS_MAX = 8_000;
/** Characters at which a model that keeps no limit is left. */
const MAX_LENGTH = 100_000;

/** Asks a model and shows its answer as a part while it comes. Never throws for what the model does. */
export async function askSubModel(context: ToolContext, { part, model, system, user, timeoutMs }: Question): Promise<Asked> {
  const { requestedId, routerModels } = model;
  const enough = new AbortController();
  const signal = AbortSignal.any([context.signal, enough.signal, AbortSignal.timeout(timeoutMs)]);
  const startedAt = Date.now();
  let text = "";
  let modelId = requestedId;
  let usage: CompletionUsage | null = null;
  let finishReason: string | null = null;

  function show(change: Omit<Parameters<ToolContext["part"]>[0], "id">): void {
    if (part) context.part({ id: part.id, ...change });
  }

  function end(failure: string | null): Asked {
    const shown = failure === null ? "" : `${text === "" ? "" : "\n\n"}${failure}`;
    const status = failure === null ? "done" : "failed";
    show({ text: shown, model_id: modelId, status, cost: costOf(usage, model), duration_ms: Date.now() - startedAt });
    if (failure !== null && text.trim() === "") return { ok: false, error: failure, modelId };
    return { ok: true, text: failure === null ? text : `${text}\n\n(${failure})`, modelId };
  }

  function take(event: CompletionEvent): void {
    if (enough.signal.aborted) return;
    if (event.type === "text") {
      text += event.text;
      show({ text: event.text });
      if (text.length > MAX_LENGTH) enough.abort();
    } else if (event.type === "model" && requestedId === "auto") modelId = event.modelId;
    else if (event.type === "usage") ({ usage } = event);
    else if (event.type === "finish") finishReason = event.reason;
  }

  show({ ...part, model_id: requestedId, text: "", status: "running", cost: null });
  try {
    const request = {
      messages: [
        { role: "system" as const, content: system },
        { role: "user" as const, content: user },
      ],
      routerModels,
      maxTokens: SUB_ANSWER_TOKENS_MAX,
    };
    await context.complete(request, model, { signal, onEvent: take });
  } catch (cause) {
    if (context.signal.aborted) throw cause;
    if (enough.signal.aborted) return end(CUT);
    if (cause instanceof AppError) return end(cause.message);
    if (!(cause instanceof AggregatorError)) throw cause;
    log.warn("a model that a tool asked has failed", { model: requestedId, cause });
    return end(signal.aborted ? "It did not answer in time." : (FAILURES.get(cause.kind) ?? "It could not be reached."));
  }
  if (finishReason === "content_filter") return end("Its provider withheld the answer.");
  if (finishReason === "length" || enough.signal.aborted) return end(CUT);
  return end(text.trim() === "" ? "It answered nothing." : null);
}

const CUT = "The answer was cut at its longest.";

const FAILURES: ReadonlyMap<AggregatorFailure, string> = new Map([
  ["stalled", "It did not answer in time."],
  ["timeout", "It did not answer in time."],
  ["rate_limited", "It is busy right now."],
  ["overloaded", "It is busy right now."],
  ["provider_down", "Its provider is down right now."],
  ["moderated", "Its provider refused the question."],
  ["context_too_long", "The text is too long for it."],
  ["too_large", "The text is too long for it."],
  ["out_of_credits", "It is not available right now."],
]);

function costOf(usage: CompletionUsage | null, { promptPrice, completionPrice }: CallModel): number | null {
  if (usage === null) return null;
  if (usage.cost !== null) return usage.cost;
  const tokens = { prompt: usage.prompt_tokens, completion: usage.completion_tokens };
  const micros = computeCostMicros(tokens, { prompt: promptPrice, completion: completionPrice });
  return micros === null ? null : fromMicros(micros);
}
