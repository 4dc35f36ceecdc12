/** What the chunks of a streamed completion amount to, whatever server wrote them. */
import { log } from "#worker/platform/log.ts";
import { fromMidStream } from "./aggregator-errors.ts";
import {
  annotatedSources,
  Chunk,
  type Delta,
  fragmentsIn,
  listedSources,
  parseUsage,
  reasoningIn,
  textIn,
  thinkingIn,
  usageIn,
  type WireSource,
  type WireUsage,
} from "./chunk-shape.ts";
import type { ReasoningDetail } from "./prompt.ts";
import { assembleToolCalls, isCompleteCall, type ModelToolCall } from "./tool-call-fragments.ts";

/** By far the commonest chunk of a stream is a fragment of text and nothing else: it is read by hand, as the schema takes twenty times as long. */

/** Fields that say nothing to us; any other one, unless null, is for the schema to judge. */
const OF_CHUNK = new Set(["id", "object", "created", "model", "provider", "choices", "system_fingerprint", "service_tier"]);
const OF_CHOICE = new Set(["index", "delta"]);
const OF_DELTA = new Set(["role", "content"]);

/** The model and the text of a chunk that says nothing else; null for every other one. */
function readTextChunk(chunk: unknown): { model: string; text: string; index: number } | null {
  if (!isPlain(chunk, OF_CHUNK)) return null;
  const { model, choices } = chunk;
  if (typeof model !== "string" || !Array.isArray(choices) || choices.length !== 1) return null;
  const choice: unknown = choices[0];
  if (!isPlain(choice, OF_CHOICE)) return null;
  const { delta, index = 0 } = choice;
  if (!isPlain(delta, OF_DELTA)) return null;
  const { content } = delta;
  return typeof content === "string" && typeof index === "number" ? { model, text: content, index } : null;
}

function isPlain(value: unknown, known: ReadonlySet<string>): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  // Parsed JSON inherits nothing that could be listed, and a list of pairs costs more than the rest of this file.
  for (const name in value) if (!known.has(name) && Reflect.get(value, name) !== null) return false;
  return true;
}

/** The aggregator's last event, which is no JSON. */
const LAST_EVENT = "[DONE]";
/** No single call costs more, in US dollars: the longest context at the dearest price is a tenth of it. */
const HIGHEST_COST = 1_000;
/** No call has more tokens: twice the longest context there is. */
const MOST_TOKENS = 20_000_000;
/** How many of xAI's units of money make a US dollar. */
const TICKS_PER_DOLLAR = 10_000_000_000;

export type CompletionUsage = {
  prompt_tokens: number;
  completion_tokens: number;
  reasoning_tokens: number;
  /** Of the prompt's: what was read from the provider's cache, and what was written to it. */
  cached_tokens: number;
  cache_write_tokens: number;
  /** US dollars as the aggregator reports them; null where it doesn't. */
  cost: number | null;
};

/** What a completion's stream amounts to, whatever the frames looked like. */
export type CompletionEvent =
  | { type: "started"; generationId: string | null }
  | { type: "model"; modelId: string }
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | { type: "reasoning_details"; details: ReasoningDetail[] }
  /** All calls of the answer, once, right before its end. */
  | { type: "tool_calls"; calls: ModelToolCall[] }
  /** Each source once. */
  | { type: "citation"; url: string; title: string | null }
  | { type: "usage"; usage: CompletionUsage }
  /** Last of all; missing where the stream ended before the answer did. */
  | { type: "finish"; reason: string };

type ChunkReader = {
  /** Reads what arrived together, and says whether more is to come: from `ending` on only the end of the stream is. */
  read(events: string[]): "going on" | "ending" | "no more";
  /** Reports what is known only once the stream has ended by itself. */
  end(): void;
};

/**
 * Reads the chunks of one stream; one that cannot be read is passed over. Chunks of text that come together are passed on as one, and what
 * came before a failure is passed on before it.
 */
export function chunkReader(onEvent: (event: CompletionEvent) => void): ChunkReader {
  let model = "";
  let text = "";
  let hasText = false;
  let hasReasoning = false;
  let isEnding = false;
  let isDone = false;
  let finishReason: string | null = null;
  let first: number | null = null;
  let unreadable = 0;
  const toolCalls = assembleToolCalls();
  const cited = new Set<string>();

  function flush(): void {
    const shown = text;
    text = "";
    if (shown !== "") onEvent({ type: "text", text: shown });
  }

  function say(textChunk: string): void {
    text += textChunk;
    hasText ||= textChunk !== "";
  }

  function notify(event: CompletionEvent): void {
    flush();
    onEvent(event);
  }

  function nameModel(id: string | null | undefined): void {
    if (id && id !== model) notify({ type: "model", modelId: (model = id) });
  }

  function cite({ url, title }: WireSource): void {
    // Perplexity names all of them with every fragment.
    if (cited.has(url)) return;
    cited.add(url);
    notify({ type: "citation", url, title });
  }

  /** Where a server gives several answers at once, the one that it began with counts. */
  function isOurs(index: number | null | undefined): boolean {
    return (index ?? 0) === (first ??= index ?? 0);
  }

  function readChunk(chunk: Chunk): void {
    const choices = chunk.choices?.filter(({ index }) => isOurs(index)) ?? [];
    const failure = chunk.error ?? choices.find((choice) => choice.error)?.error;
    if (failure) throw fromMidStream(failure);
    for (const { delta, finish_reason: reason } of choices) {
      if (delta) readDelta(delta);
      if (reason === "error") throw fromMidStream(null);
      if (reason) finishReason = reason;
    }
    for (const source of listedSources(chunk)) cite(source);
    const usage = toUsage(usageIn(chunk));
    if (usage) notify({ type: "usage", usage });
    isEnding ||= finishReason !== null || (usage !== null && !chunk.choices?.length);
  }

  function readDelta(delta: Delta): void {
    const plain = delta.reasoning || delta.reasoning_content || thinkingIn(delta.content);
    hasReasoning ||= plain !== "";
    // Where reasoning comes both ways, its fragments repeat what came already.
    const reasoning = hasReasoning ? plain : reasoningIn(delta.reasoning_details);
    if (reasoning !== "") notify({ type: "reasoning", text: reasoning });
    if (delta.reasoning_details?.length) notify({ type: "reasoning_details", details: delta.reasoning_details });
    say(textIn(delta.content) + (delta.refusal ?? ""));
    for (const source of annotatedSources(delta)) cite(source);
    toolCalls.add(fragmentsIn(delta));
  }

  return {
    read(events) {
      try {
        for (const data of events) {
          isDone ||= data === LAST_EVENT;
          if (isDone) return "no more";
          const json = parseJson(data);
          const textChunk = readTextChunk(json);
          const chunk = textChunk ? null : Chunk.safeParse(json).data;
          nameModel(textChunk?.model ?? chunk?.model);
          if (textChunk) say(isOurs(textChunk.index) ? textChunk.text : "");
          else if (chunk) readChunk(chunk);
          else unreadable += 1;
        }
      } finally {
        flush();
      }
      return isEnding ? "ending" : "going on";
    },
    end() {
      if (unreadable > 0) log.warn("chunks of a stream could not be read", { model, unreadable });
      const calls = toolCalls.calls();
      // Some servers never say why they ended. Their last event says that they have; without it, calls that are whole do.
      const hasEnded = isDone ? hasText || calls.length > 0 : calls.length > 0 && calls.every(isCompleteCall);
      const reason = finishReason ?? (hasEnded ? "stop" : null);
      if (reason === null) return;
      if (calls.length > 0) notify({ type: "tool_calls", calls });
      notify({ type: "finish", reason: toFinishReason(reason) });
    },
  };
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    // A chunk that is no JSON is as good as one of no known shape.
    return null;
  }
}

/** The words of some servers for what OpenRouter says in others. */
const FINISH_REASONS = new Map([
  ["function_call", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["max_tokens", "length"],
  ["model_length", "length"],
  ["end_turn", "stop"],
  ["eos", "stop"],
]);

function toFinishReason(reason: string): string {
  return FINISH_REASONS.get(reason) ?? reason;
}

/** The usage of an answer that was no stream; null where it gives none that is possible. */
export function readUsage(value: unknown): CompletionUsage | null {
  return toUsage(parseUsage(value));
}

function toUsage(usage: WireUsage | null): CompletionUsage | null {
  if (!usage) return null;
  const prompt = usage.prompt_tokens ?? usage.input_tokens;
  const completion = usage.completion_tokens ?? usage.output_tokens;
  const cost = costIn(usage);
  if (prompt == null && completion == null && cost == null) return null;
  const counts = {
    prompt_tokens: Math.max(0, prompt ?? 0),
    completion_tokens: Math.max(0, completion ?? 0),
    reasoning_tokens: Math.max(0, usage.completion_tokens_details?.reasoning_tokens ?? 0),
    cached_tokens: Math.max(0, usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0),
    cache_write_tokens: Math.max(0, usage.prompt_tokens_details?.cache_write_tokens ?? 0),
  };
  // Where no cost is given it is computed from them, so one impossible count makes all of it worthless.
  const isPlausible = Object.values(counts).every((tokens) => tokens <= MOST_TOKENS);
  return isPlausible ? { ...counts, cost: plausibleCost(cost) } : null;
}

function costIn({ cost, cost_in_usd_ticks: ticks }: WireUsage): number | null {
  if (cost != null) return typeof cost === "number" ? cost : cost.total_cost;
  return ticks == null ? null : ticks / TICKS_PER_DOLLAR;
}

/** A cost that no call can have counts as none: below zero it would fill the ledger, and without bound empty it. */
export function plausibleCost(dollars: number | null | undefined): number | null {
  return dollars != null && dollars >= 0 && dollars <= HIGHEST_COST ? dollars : null;
}
