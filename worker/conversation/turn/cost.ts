import type { MessageUsage } from "#shared/entities/message.ts";
import type { CompletionUsage } from "#worker/platform/clients/completion-chunks.ts";
import { dataUrlBytes } from "#worker/platform/clients/data-url.ts";
import type { PromptMessage, PromptPart, ToolDefinition } from "#worker/platform/clients/prompt.ts";
import { pictureLength } from "#worker/platform/spending/carried-length.ts";
import type { Priced } from "#worker/platform/spending/longest-answer.ts";
import { CHARACTERS_PER_TOKEN, computeCostMicros, toMicros } from "#worker/platform/spending/money.ts";
import type { TurnModel } from "#worker/people/models/turn-model.ts";

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
  model: Pick<TurnModel, "promptPrice" | "completionPrice" | "fees">,
): TurnCost {
  const { fees } = model;
  const price = {
    prompt: model.promptPrice,
    completion: model.completionPrice,
    request: fees?.request,
    cached: fees?.cacheReadToken,
    cacheWrite: fees?.cacheWriteToken,
  };
  if (usage) {
    const tokens = {
      prompt: usage.prompt_tokens,
      completion: usage.completion_tokens,
      cached: usage.cached_tokens,
      cacheWrite: usage.cache_write_tokens,
    };
    return { known: true, micros: usage.cost === null ? computeCostMicros(tokens, price) : toMicros(usage.cost) };
  }
  if (!started) return { known: true, micros: 0 };
  // What was taken was read, whether or not a word came of it.
  const tokens = { prompt: prompt / CHARACTERS_PER_TOKEN, completion: (text + reasoning) / CHARACTERS_PER_TOKEN };
  return { known: false, estimateMicros: computeCostMicros(tokens, price) ?? 0, generationId: started.generationId };
}

/** What a call read and wrote, by its characters where no tokens were reported, and its milliseconds; null for one that nobody took. */
export function usageOf({ usage, started, prompt, text }: Omit<CallSoFar, "reasoning">, ms: number): MessageUsage | null {
  if (!usage && !started) return null;
  return {
    prompt_tokens: usage?.prompt_tokens ?? Math.ceil(prompt / CHARACTERS_PER_TOKEN),
    completion_tokens: usage?.completion_tokens ?? Math.ceil(text / CHARACTERS_PER_TOKEN),
    reasoning_tokens: usage?.reasoning_tokens ?? 0,
    ...(usage && usage.cached_tokens > 0 && { cached_tokens: usage.cached_tokens }),
    ...(usage && usage.cache_write_tokens > 0 && { cache_write_tokens: usage.cache_write_tokens }),
    duration_ms: ms,
  };
}

/** What a model's answer is priced by: `assumedPrice` holds where no price is known. */
export type AnsweringModel = Pick<TurnModel, "promptPrice" | "completionPrice" | "contextLength" | "maxOutput" | "assumedPrice" | "fees">;

/** What an answer to a prompt of so many tokens may cost, with `extraMicros` besides; `limit` is the most tokens that are wanted of it, and `pictures` how many are in the prompt. */
export function priceAnswer(
  estimate: number,
  model: AnsweringModel,
  { extraMicros = 0, limit = null, pictures = 0 }: { extraMicros?: number; limit?: number | null; pictures?: number } = {},
): Priced {
  // A longer prompt than it holds no model reads.
  const promptSize = Math.min(estimate, model.contextLength ?? Number.POSITIVE_INFINITY);
  const { promptPrice, completionPrice, assumedPrice, fees } = model;
  const price =
    promptPrice === null || completionPrice === null ? (assumedPrice ?? FREE) : { prompt: promptPrice, completion: completionPrice };
  // What a model reads and writes together it has to hold; characters are more tokens in some scripts than in others.
  const room = model.contextLength === null ? null : Math.max(LEAST_ROOM, Math.floor((model.contextLength - promptSize) * ROOM_SHARE));
  const limits = [model.maxOutput, room, limit].filter((tokens) => tokens !== null);
  const read = promptSize * Math.max(price.prompt, fees?.cacheWriteToken ?? 0);
  // A picture's fee is what its tokens cost, where it is no more than that.
  const picture = Math.max(0, (fees?.picture ?? 0) - (pictureLength(0) / CHARACTERS_PER_TOKEN) * price.prompt);
  return {
    amountMicros: (read + (fees?.request ?? 0) + pictures * picture) * MICROS + extraMicros,
    answer: {
      tokenMicros: Math.max(price.completion, fees?.reasoningToken ?? 0) * MICROS,
      maxTokens: limits.length === 0 ? null : Math.min(...limits),
    },
  };
}

const MICROS = 1_000_000;
const FREE = { prompt: 0, completion: 0 };
/** Tokens that are asked for however little room a prompt seems to leave, and the share of the room that is asked for. */
const LEAST_ROOM = 1_000;
const ROOM_SHARE = 3 / 4;

/** What a model reads of a prompt and its tools, in tokens by their characters. */
export function promptTokens(messages: readonly PromptMessage[], tools: readonly ToolDefinition[] = []): number {
  return paidLength(messages, tools) / CHARACTERS_PER_TOKEN;
}

/** The same in characters, with what pictures and files are taken for. */
export function paidLength(messages: readonly PromptMessage[], tools: readonly ToolDefinition[]): number {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return parts.reduce((length, part) => length + carriedLength(part), promptLength(messages) + toolsLength(tools));
}

/** How many pictures are in a prompt. */
export function picturesIn(messages: readonly PromptMessage[]): number {
  return messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(({ type }) => type === "image_url") : [])).length;
}

function carriedLength(part: PromptPart): number {
  if (part.type === "text") return 0;
  return part.type === "file" ? part.characters : pictureLength(dataUrlBytes(part.image_url.url));
}

/** Characters of what a model reads about its tools. */
export function toolsLength(tools: readonly ToolDefinition[]): number {
  return tools.length === 0 ? 0 : JSON.stringify(tools).length;
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
