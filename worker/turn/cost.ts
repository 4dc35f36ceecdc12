import type { MessageUsage } from "#shared/entities/message.ts";
import type { CompletionUsage } from "../clients/completion-chunks.ts";
import type { PromptMessage } from "../clients/prompt.ts";
import { CHARACTERS_PER_TOKEN, computeCostMicros, toMicros } from "../credits/money.ts";
import type { TurnModel } from "./request.ts";

/** What a call cost, in micro-dollars; where its stream gave none, what to look it up by and an estimate. */
export type TurnCost = { known: true; micros: number | null } | { known: false; estimateMicros: number; generationId: string | null };

/** A call to the aggregator as far as it came; lengths in characters. */
export type CallSoFar = {
  /** Set once the provider took the request, which it may then bill. */
  started: { generationId: string | null } | null;
  usage: CompletionUsage | null;
  prompt: number;
  text: number;
  reasoning: number;
};

/** The reported cost, else one computed from the reported tokens; a cut stream reports neither, and is estimated by its characters. */
export function costOf(
  { started, usage, prompt, text, reasoning }: CallSoFar,
  model: Pick<TurnModel, "promptPrice" | "completionPrice">,
): TurnCost {
  const price = { prompt: model.promptPrice, completion: model.completionPrice };
  if (usage) {
    const tokens = { prompt: usage.prompt_tokens, completion: usage.completion_tokens };
    return { known: true, micros: usage.cost === null ? computeCostMicros(tokens, price) : toMicros(usage.cost) };
  }
  if (!started) return { known: true, micros: 0 };
  const written = text + reasoning;
  const tokens = { prompt: prompt / CHARACTERS_PER_TOKEN, completion: written / CHARACTERS_PER_TOKEN };
  return { known: false, estimateMicros: written === 0 ? 0 : (computeCostMicros(tokens, price) ?? 0), generationId: started.generationId };
}

/** What a call read and wrote, by its characters where no tokens were reported, and its milliseconds; null for one that nobody took. */
export function usageOf({ usage, started, prompt, text }: Omit<CallSoFar, "reasoning">, ms: number): MessageUsage | null {
  if (!usage && !started) return null;
  return {
    prompt_tokens: usage?.prompt_tokens ?? Math.ceil(prompt / CHARACTERS_PER_TOKEN),
    completion_tokens: usage?.completion_tokens ?? Math.ceil(text / CHARACTERS_PER_TOKEN),
    reasoning_tokens: usage?.reasoning_tokens ?? 0,
    duration_ms: ms,
  };
}

/** An answer is taken to have this many tokens (decisions, Money). */
const ASSUMED_OUTPUT_TOKENS = 1_000;

/** What a turn or a call is taken to cost at least, in micro-dollars (decisions, Money). */
export const LEAST_MICROS = toMicros(0.0001);

/** What an answer to a prompt of so many tokens may cost, in micro-dollars. */
export function estimateAnswer(promptTokens: number, model: Pick<TurnModel, "promptPrice" | "completionPrice">): number {
  const tokens = { prompt: promptTokens, completion: ASSUMED_OUTPUT_TOKENS };
  return computeCostMicros(tokens, { prompt: model.promptPrice, completion: model.completionPrice }) ?? 0;
}

/** Characters of a prompt; pictures and files are left out, as their tokens do not go by their length. */
export function promptLength(messages: readonly PromptMessage[]): number {
  return messages.reduce((length, message) => length + contentLength(message) + callsLength(message), 0);
}

function contentLength({ content }: PromptMessage): number {
  if (content === null) return 0;
  if (typeof content === "string") return content.length;
  return content.reduce((length, part) => length + (part.type === "text" ? part.text.length : 0), 0);
}

function callsLength(message: PromptMessage): number {
  if (message.role !== "assistant") return 0;
  return (message.tool_calls ?? []).reduce((length, call) => length + call.function.arguments.length, 0);
}
