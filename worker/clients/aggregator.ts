/** The model aggregator's chat completions (OpenRouter's API), through the openai SDK. */
import type { OpenAI } from "openai";
import * as z from "zod/mini";
import { APP_NAME } from "#shared/app.ts";
import type { Env } from "../env.ts";
import { AggregatorError, fromMidStream, fromThrown } from "./aggregator-errors.ts";
import { reachOut } from "./egress.ts";
import { readEventData } from "./event-stream.ts";
import type { PromptMessage, ReasoningDetail, ToolDefinition } from "./prompt.ts";
import { readTextChunk } from "./text-chunk.ts";
import { assembleToolCalls, type ModelToolCall, type ToolCallAssembler, ToolCallFragment } from "./tool-call-fragments.ts";

/** OpenRouter's API, without a slash at its end. */
export const DEFAULT_URL = "https://openrouter.ai/api/v1";
/** Without a byte for this long, in milliseconds, a stream counts as dead; comment lines count as life (quality.md, rule 5). */
const STALL_MS = 75_000;
const STALL_CHECK_MS = 5_000;
/** The aggregator's last event, which is no JSON. */
const LAST_EVENT = "[DONE]";

/** No single call costs more, in US dollars: the longest context at the dearest price is a tenth of it. */
const HIGHEST_COST = 1_000;
/** No call has more tokens: twice the longest context there is. */
const MOST_TOKENS = 20_000_000;

export type CompletionRequest = {
  model: string;
  messages: PromptMessage[];
  /** Sent with every request of a tool loop, the one that carries the results too. */
  tools?: ToolDefinition[];
  /** True where the model must answer without calling any more tools. */
  mustAnswer?: boolean;
  /** Ids the automatic router may choose from. */
  routerModels?: string[] | null;
  /** Groups a chat's calls at one provider, so that its prompt cache is met. */
  sessionId?: string;
  maxTokens?: number;
};

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
  usage: z.nullish(
    z.object({
      prompt_tokens: z.nullish(z.number()),
      completion_tokens: z.nullish(z.number()),
      cost: z.nullish(z.number()),
      completion_tokens_details: z.nullish(z.object({ reasoning_tokens: z.nullish(z.number()) })),
    }),
  ),
});
type Chunk = z.infer<typeof Chunk>;

/** Whoever asks for a completion: its events in order, and when to leave off. What `onEvent` throws ends the reading. */
export type CompletionReader = { signal: AbortSignal; onEvent: (event: CompletionEvent) => void };

/** Streams one completion; resolves when all of it was told. Throws `AggregatorError`, also for a failure in mid-stream. */
export type Complete = (request: CompletionRequest, reader: CompletionReader) => Promise<void>;

/** Streams one completion from the aggregator of this deployment, as `Complete` says. */
export async function streamCompletion(env: Env, request: CompletionRequest, { signal, onEvent }: CompletionReader): Promise<void> {
  const stall = watchForStall();
  try {
    const client = await openClient(env);
    const response = await client.chat.completions
      .create(toBody(request, true), { signal: AbortSignal.any([signal, stall.signal]) })
      .asResponse();
    stall.onLife();
    onEvent({ type: "started", generationId: response.headers.get("x-generation-id") });
    if (!response.body) return;
    const chunks = chunkReader(onEvent);
    await readEventData(response.body, {
      onLife: stall.onLife,
      onData(events) {
        chunks.read(events);
        return events.at(-1) === LAST_EVENT ? "no more" : chunks.hasFinished() ? "ending" : "going on";
      },
    });
  } catch (error) {
    throw stall.signal.aborted && !signal.aborted ? new AggregatorError({ kind: "stalled", cause: error }) : fromThrown(error);
  } finally {
    stall.end();
  }
}

/** One short completion without a stream: its text and usage. Throws `AggregatorError`. */
export async function complete(env: Env, request: CompletionRequest): Promise<{ text: string; usage: CompletionUsage | null }> {
  try {
    const client = await openClient(env);
    const answer = await client.chat.completions.create(toBody(request, false), { timeout: 30_000 });
    const { data } = Chunk.safeParse({ usage: answer.usage });
    return { text: answer.choices[0]?.message.content ?? "", usage: toUsage(data?.usage) };
  } catch (error) {
    throw fromThrown(error);
  }
}

const Generation = z.object({ data: z.object({ total_cost: z.nullish(z.number()) }) });

/** What a call cost in US dollars by the aggregator's own books, e.g. of a stream that was cut; null while they don't say. */
export async function lookUpCost(env: Env, generationId: string): Promise<number | null> {
  const url = `${env.AGGREGATOR_URL ?? DEFAULT_URL}/generation?id=${encodeURIComponent(generationId)}`;
  try {
    const response = await reachOut(url, {
      headers: { authorization: `Bearer ${env.OPENROUTER_API_KEY ?? "none"}` },
      signal: AbortSignal.timeout(10_000),
    });
    const parsed = response.ok ? Generation.safeParse(await response.json()) : null;
    return parsed?.success ? plausibleCost(parsed.data.data.total_cost) : null;
  } catch {
    // A compatible server has no such books, and a failing one is asked again by the caller.
    return null;
  }
}

type ChunkReader = { read(events: string[]): void; hasFinished(): boolean };

/**
 * Reads the chunks of one stream; one that is of no known shape is passed over, one that is no JSON breaks it off. Pieces of text
 * that come together are told as one, and what came before a failure is told before it.
 */
function chunkReader(onEvent: CompletionReader["onEvent"]): ChunkReader {
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

function toUsage(usage: Chunk["usage"]): CompletionUsage | null {
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
function plausibleCost(dollars: number | null | undefined): number | null {
  return dollars != null && dollars >= 0 && dollars <= HIGHEST_COST ? dollars : null;
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

let opened: { settings: string; client: OpenAI } | null = null;

/** The client of these settings, made once: it holds no connection and nothing of a request. */
async function openClient(env: Env): Promise<OpenAI> {
  const settings = JSON.stringify([env.AGGREGATOR_URL, env.OPENROUTER_API_KEY, env.APP_ORIGIN]);
  if (opened?.settings !== settings) opened = { settings, client: await makeClient(env) };
  return opened.client;
}

/** The SDK comes with the first question: evaluating it was a quarter of the Worker's start (docs/benchmark.md). */
async function makeClient(env: Env): Promise<OpenAI> {
  const { OpenAI } = await import("openai");
  return new OpenAI({
    apiKey: env.OPENROUTER_API_KEY ?? "none",
    baseURL: env.AGGREGATOR_URL ?? DEFAULT_URL,
    // The turn retries by itself, as it alone knows whether anything was shown.
    maxRetries: 0,
    timeout: 15 * 60_000,
    defaultHeaders: {
      "X-OpenRouter-Title": APP_NAME,
      ...(env.APP_ORIGIN ? { "HTTP-Referer": env.APP_ORIGIN } : {}),
    },
    fetch: reachOut,
  });
}

function toBody<S extends boolean>(request: CompletionRequest, stream: S) {
  const { model, messages, tools = [], mustAnswer = false, routerModels, sessionId, maxTokens } = request;
  return {
    model,
    messages,
    stream,
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: "function" as const, function: tool })) }),
    ...(tools.length > 0 && mustAnswer ? { tool_choice: "none" as const } : {}),
    ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    ...(routerModels ? { plugins: [{ id: "auto-router", allowed_models: routerModels }] } : {}),
  };
}

/** Aborts when no byte came for a while; looks now and then, as a timer set anew with each byte costs more than the byte. */
function watchForStall(): { signal: AbortSignal; onLife: () => void; end: () => void } {
  const controller = new AbortController();
  let lifeAt = Date.now();
  const timer = setInterval(() => {
    if (Date.now() - lifeAt >= STALL_MS) controller.abort();
  }, STALL_CHECK_MS);
  return {
    signal: controller.signal,
    onLife() {
      lifeAt = Date.now();
    },
    end: () => clearInterval(timer),
  };
}
