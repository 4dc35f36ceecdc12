/** The model aggregator's chat completions (OpenRouter's API). */
import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import * as z from "zod/mini";
import { APP_NAME } from "#shared/app.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { AggregatorError, fromRefusal, fromThrown } from "./aggregator-errors.ts";
import { textIn } from "./chunk-shape.ts";
import { chunkReader, type CompletionEvent, type CompletionUsage, plausibleCost, readUsage } from "./completion-chunks.ts";
import { egressFetch } from "./egress.ts";
import { readEventData } from "./event-stream.ts";
import { markMessages, type PromptCaching, toSent } from "./cache-marks.ts";
import type { PromptMessage, ToolDefinition } from "./prompt.ts";
import { readUpTo } from "./read-up-to.ts";

/** Without a byte for this long, in milliseconds, a stream counts as dead; comment lines count as life. */
const STALL_MS = 75_000;
const STALL_CHECK_MS = 5_000;
/** A short completion comes within so many milliseconds. */
const SHORT_MS = 30_000;
/** What is read of a refusal. */
const REFUSAL_BYTES = 64 * 1024;

export type CompletionRequest = {
  model: string;
  messages: PromptMessage[];
  /** Sent with every request of a tool loop, the one that carries the results too. */
  tools?: ToolDefinition[];
  /** True where the model must answer without calling any more tools. */
  mustAnswer?: boolean;
  /** Ids the automatic router may choose from. */
  routerModels?: string[] | null;
  /** Groups a chat's calls at one provider, so its prompt cache is met. */
  sessionId?: string;
  maxTokens?: number;
  /** How its provider is asked to keep the prompt; absent where it does so by itself or not at all. */
  caching?: PromptCaching | undefined;
};

/** Whoever asks for a completion: its events in order, and when to leave off. What `onEvent` throws ends the reading. */
export type CompletionReader = { signal: AbortSignal; onEvent: (event: CompletionEvent) => void };

/** Streams one completion; resolves when all of it was passed on. Throws `AggregatorError`, also for a failure in mid-stream. */
export type Complete = (request: CompletionRequest, reader: CompletionReader) => Promise<void>;

/** Streams one completion from the aggregator of this deployment, as `Complete` says. */
export async function streamCompletion(env: Env, request: CompletionRequest, { signal, onEvent }: CompletionReader): Promise<void> {
  const stall = watchForStall();
  try {
    const response = await post(env, toBody(request, true), AbortSignal.any([signal, stall.signal]));
    stall.onLife();
    onEvent({ type: "started", generationId: response.headers.get("x-generation-id") });
    if (!response.body) return;
    const chunks = chunkReader(onEvent);
    await readEventData(response.body, { onLife: stall.onLife, onData: chunks.read });
    chunks.end();
  } catch (error) {
    throw stall.signal.aborted && !signal.aborted ? new AggregatorError({ kind: "stalled", cause: error }) : fromThrown(error);
  } finally {
    stall.end();
  }
}

/** Sends a completion's body as it stands and answers what comes as it comes. Throws `AggregatorError` where that is a failure. */
export async function forwardCompletion(env: Env, body: Record<string, unknown>, signal: AbortSignal): Promise<Response> {
  try {
    return await post(env, body, signal);
  } catch (error) {
    throw fromThrown(error);
  }
}

const ShortAnswer = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.optional(z.unknown()) }) })),
  usage: z.optional(z.unknown()),
});

/** One short completion without a stream: its text and usage. Throws `AggregatorError`. */
export async function complete(env: Env, request: CompletionRequest): Promise<{ text: string; usage: CompletionUsage | null }> {
  try {
    const response = await post(env, toBody(request, false), AbortSignal.timeout(SHORT_MS));
    const { choices, usage } = ShortAnswer.parse(await response.json());
    return { text: textIn(choices[0]?.message.content), usage: readUsage(usage) };
  } catch (error) {
    throw fromThrown(error);
  }
}

const Generation = z.object({ data: z.object({ total_cost: z.nullish(z.number()) }) });

/** What a call cost in US dollars by the aggregator's own books, e.g. of a stream that was cut; null while they don't say. */
export async function lookUpCost(env: Env, generationId: string): Promise<number | null> {
  const { url, key = NO_KEY } = configOf(env).aggregator;
  try {
    const response = await egressFetch(`${url}/generation?id=${encodeURIComponent(generationId)}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(10_000),
    });
    const parsed = response.ok ? Generation.safeParse(await response.json()) : null;
    return parsed?.success ? plausibleCost(parsed.data.data.total_cost) : null;
  } catch {
    // A compatible server has no such books, and a failing one is asked again by the caller.
    return null;
  }
}

/** What a server that needs no key is shown. */
const NO_KEY = "none";

/** Posts a completion's body; a refusal is thrown as what it means. The turn retries by itself, as it alone knows whether anything was shown. */
async function post(env: Env, body: object, signal: AbortSignal): Promise<Response> {
  const { aggregator, origin } = configOf(env);
  const response = await fetchOrFail(`${aggregator.url}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${aggregator.key ?? NO_KEY}`,
      "content-type": "application/json",
      accept: "application/json",
      "x-openrouter-title": APP_NAME,
      ...(origin === undefined ? {} : { "http-referer": origin }),
    },
    body: JSON.stringify(body),
    signal,
  });
  if (response.ok) return response;
  const refusal = response.body && (await readUpTo(response.body, REFUSAL_BYTES));
  throw fromRefusal(response, refusal ? new TextDecoder().decode(refusal) : "");
}

async function fetchOrFail(url: string, init: RequestInit): Promise<Response> {
  try {
    return await egressFetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new AggregatorError({ kind: "unreachable", cause });
  }
}

/** The aggregator's own fields beside OpenAI's. */
type AggregatorFields = { session_id?: string; plugins?: { id: string; allowed_models: string[] }[] };

function toBody(request: CompletionRequest, stream: boolean): ChatCompletionCreateParams & AggregatorFields {
  const { model, messages, tools = [], mustAnswer = false, routerModels, sessionId, maxTokens, caching } = request;
  return {
    model,
    messages: caching ? markMessages(messages, caching, JSON.stringify(tools).length) : messages.map(toWire),
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: "function" as const, function: tool })) }),
    ...(tools.length > 0 && mustAnswer ? { tool_choice: "none" as const } : {}),
    ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    ...(routerModels ? { plugins: [{ id: "auto-router", allowed_models: routerModels }] } : {}),
  };
}

/** A message as it is sent: without what its files are taken for. */
function toWire(message: PromptMessage): ChatCompletionMessageParam {
  if (message.role !== "user" || typeof message.content === "string") return message;
  return { ...message, content: message.content.map(toSent) };
}

/** Aborts when no byte came for a while; looks now and then, as a timer set again with each byte costs more than the byte. */
export function watchForStall(): { signal: AbortSignal; onLife: () => void; end: () => void } {
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
