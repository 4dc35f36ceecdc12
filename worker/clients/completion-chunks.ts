/** The chunks of a streamed completion, as OpenRouter and those compatible with it write them. */
import * as z from "zod/mini";
import { fromMidStream } from "./aggregator-errors.ts";
import type { ReasoningDetail } from "./prompt.ts";
import { readTextChunk } from "./text-chunk.ts";
import { assembleToolCalls, type ModelToolCall, type ToolCallAssembler, ToolCallFragment } from "./tool-call-fragments.ts";

/** The aggregator's last event, which is no JSON. */
export const LAST_EVENT = "[DONE]";
/** No single call costs more, in US dollars: the longest context at the dearest price is a tenth of it. */
const HIGHEST_COST = 1_000;
/** No call has more tokens: twice the longest context there is. */
const MOST_TOKENS = 20_000_000;

export type CompletionUsage = {
  prompt_tokens: number;
  completion_tokens: number;
  reasoning_tokens: number;
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
  | { type: "citation"; url: string; title: string | null }
  | { type: "usage"; usage: CompletionUsage }
  | { type: "finish"; reason: string };

const Annotation = z.object({
  type: z.literal("url_citation"),
  url_citation: z.object({ url: z.string(), title: z.nullish(z.string()) }),
});

const Usage = z.object({
  prompt_tokens: z.nullish(z.number()),
  completion_tokens: z.nullish(z.number()),
  cost: z.nullish(z.number()),
  completion_tokens_details: z.nullish(z.object({ reasoning_tokens: z.nullish(z.number()) })),
});

const Chunk = z.object({
  model: z.nullish(z.string()),
  error: z.nullish(z.unknown()),
  choices: z.nullish(
    z.array(
      z.object({
        finish_reason: z.nullish(z.string()),
        error: z.nullish(z.unknown()),
        delta: z.nullish(
          z.object({
            content: z.nullish(z.string()),
            refusal: z.nullish(z.string()),
            reasoning: z.nullish(z.string()),
            reasoning_details: z.nullish(z.array(z.record(z.string(), z.unknown()))),
            annotations: z.nullish(z.array(z.unknown())),
            tool_calls: z.nullish(z.array(ToolCallFragment)),
          }),
        ),
      }),
    ),
  ),
  usage: z.nullish(Usage),
});
type Chunk = z.infer<typeof Chunk>;

type ChunkReader = { read(events: string[]): void; hasFinished(): boolean };

/**
 * Reads the chunks of one stream; one that is of no known shape is passed over, one that is no JSON breaks it off. Pieces of text
 * that come together are told as one, and what came before a failure is told before it.
 */
export function chunkReader(onEvent: (event: CompletionEvent) => void): ChunkReader {
  let model = "";
  let text = "";
  let isFinished = false;
  const toolCalls = assembleToolCalls();

  function flush(): void {
    const told = text;
    text = "";
    if (told !== "") onEvent({ type: "text", text: told });
  }

  function tell(event: CompletionEvent): void {
    if (event.type === "text") {
      text += event.text;
      return;
    }
    flush();
    isFinished ||= event.type === "finish";
    onEvent(event);
  }

  return {
    hasFinished: () => isFinished,
    read(events) {
      try {
        for (const data of events) {
          if (data === LAST_EVENT) return;
          const json: unknown = JSON.parse(data);
          const piece = readTextChunk(json);
          const chunk = piece ?? Chunk.safeParse(json).data;
          if (!chunk) continue;
          if (chunk.model && chunk.model !== model) tell({ type: "model", modelId: (model = chunk.model) });
          if (!piece) readChunk(chunk, toolCalls, tell);
          else text += piece.text;
        }
      } finally {
        flush();
      }
    },
  };
}

function readChunk(chunk: Chunk, toolCalls: ToolCallAssembler, tell: (event: CompletionEvent) => void): void {
  const failure = chunk.error ?? chunk.choices?.find((choice) => choice.error)?.error;
  if (failure) throw fromMidStream(failure);
  for (const { delta, finish_reason } of chunk.choices ?? []) {
    if (delta?.reasoning) tell({ type: "reasoning", text: delta.reasoning });
    if (delta?.reasoning_details?.length) tell({ type: "reasoning_details", details: delta.reasoning_details });
    const text = (delta?.content ?? "") + (delta?.refusal ?? "");
    if (text !== "") tell({ type: "text", text });
    for (const value of delta?.annotations ?? []) {
      const annotation = Annotation.safeParse(value);
      if (annotation.success && isWebAddress(annotation.data.url_citation.url)) tell(toCitation(annotation.data));
    }
    if (delta?.tool_calls?.length) toolCalls.add(delta.tool_calls);
    if (finish_reason) {
      const calls = toolCalls.calls();
      if (calls.length > 0) tell({ type: "tool_calls", calls });
      tell({ type: "finish", reason: finish_reason });
    }
  }
  const usage = toUsage(chunk.usage);
  if (usage) tell({ type: "usage", usage });
}

function toCitation({ url_citation: { url, title } }: z.infer<typeof Annotation>): CompletionEvent {
  return { type: "citation", url, title: title ?? null };
}

/** The usage of an answer that was no stream; null where it tells none that can be. */
export function readUsage(told: unknown): CompletionUsage | null {
  return toUsage(Usage.safeParse(told).data);
}

function toUsage(usage: z.infer<typeof Usage> | null | undefined): CompletionUsage | null {
  if (!usage) return null;
  const told = {
    prompt_tokens: Math.max(0, usage.prompt_tokens ?? 0),
    completion_tokens: Math.max(0, usage.completion_tokens ?? 0),
    reasoning_tokens: Math.max(0, usage.completion_tokens_details?.reasoning_tokens ?? 0),
  };
  // As a cost is computed from them where none is told, one that no call can have makes all of it worthless.
  const isPlausible = Object.values(told).every((tokens) => tokens <= MOST_TOKENS);
  return isPlausible ? { ...told, cost: plausibleCost(usage.cost) } : null;
}

/** A cost that no call can have counts as none: below zero it would fill the ledger, and without bound empty it. */
export function plausibleCost(dollars: number | null | undefined): number | null {
  return dollars != null && dollars >= 0 && dollars <= HIGHEST_COST ? dollars : null;
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}
