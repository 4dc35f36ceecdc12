/** Chat completions for other programs: asked with a key, paid with its owner's credits, and kept nowhere but in the ledger. */
import * as z from "zod/mini";
import { DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import { AppError, unwrap } from "#worker/platform/errors/app-error.ts";
import { admitKey } from "#worker/people/api-keys/admit-key.ts";
import { AggregatorError, fromThrown } from "#worker/platform/clients/aggregator-errors.ts";
import { forwardCompletion, lookUpCost, watchForStall } from "#worker/platform/clients/aggregator.ts";
import { chunkReader, type CompletionEvent, type CompletionUsage, readUsage } from "#worker/platform/clients/completion-chunks.ts";
import { readUpTo } from "#worker/platform/clients/read-up-to.ts";
import { CHARACTERS_PER_TOKEN, toMicros } from "#worker/platform/spending/money.ts";
import type { Caller, Env, ModelSettings } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { type ResolvedModel, resolveModel } from "#worker/people/models/resolve-model.ts";
import { costOf, priceAnswer } from "#worker/conversation/turn/cost.ts";
import { sleep } from "#worker/conversation/turn/sleep.ts";
import type { Longest } from "#worker/platform/spending/holds.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { toFailure } from "./errors.ts";
import { type CompletionBody, lengthOfPrompt, longestWanted, picturesIn, toAggregatorBody } from "./request.ts";
import { Chunk } from "#worker/platform/clients/chunk-shape.ts";
import { readEventData } from "#worker/platform/clients/event-stream.ts";

/** A streamed completion on its way through: passed on as it comes, and read for what it costs. */

/** Milliseconds without an event after which a comment keeps the connection from being taken for dead. */
const QUIET_MS = 10_000;
/** No answer is longer than so many bytes on the wire. */
const ANSWER_BYTES = 32 * 1024 * 1024;
/** A reader who is so many bytes behind does not read. */
const BEHIND_BYTES = 4 * 1024 * 1024;

type Relay = {
  from: ReadableStream<Uint8Array>;
  to: WritableStream<Uint8Array>;
  /** Whether the program asked for the usage at the end. */
  hasUsage: boolean;
  /** Hears of every read. */
  onLife: () => void;
  /** The reader is gone: nothing more needs to come. */
  onLeft: () => void;
  onEvent: (event: CompletionEvent) => void;
  /** A failure in mid-stream as the data of its last event. */
  describe: (error: unknown) => string;
};

/** Passes a stream's events on until it ends; resolves also where it broke, which its reader learns. Rejects where the reader left. */
async function relayStream({ from, to, hasUsage, onLife, onLeft, onEvent, describe }: Relay): Promise<void> {
  const writer = to.getWriter();
  const encoder = new TextEncoder();
  const chunks = chunkReader(onEvent);
  let writtenAt = Date.now();
  let bytes = 0;
  let behind = 0;
  let left: Error | null = null;

  function leave(cause: unknown): void {
    left ??= new Error("The reader left.", { cause });
    onLeft();
  }

  function write(text: string): void {
    const { byteLength } = encoder.encode(text);
    bytes += byteLength;
    behind += byteLength;
    writtenAt = Date.now();
    writer.write(encoder.encode(text)).then(() => (behind -= byteLength), leave);
    if (behind > BEHIND_BYTES) leave(new Error("The reader does not read."));
  }

  writer.closed.catch(leave);
  const timer = setInterval(() => {
    if (Date.now() - writtenAt >= QUIET_MS) write(": waiting\n\n");
  }, QUIET_MS);
  try {
    await readEventData(from, {
      onLife,
      onData(events) {
        if (left !== null) return "no more";
        const state = chunks.read(events);
        const passed = events.filter((data) => hasUsage || !isUsageAlone(data));
        if (passed.length > 0) write(passed.map((data) => `data: ${data}\n\n`).join(""));
        if (bytes > ANSWER_BYTES) throw new AggregatorError({ kind: "endless" });
        return state;
      },
    });
    chunks.end();
  } catch (error) {
    if (left === null) write(`data: ${describe(error)}\n\ndata: [DONE]\n\n`);
  } finally {
    clearInterval(timer);
  }
  if (left === null) return writer.close();
  await writer.abort(left).catch(() => undefined);
  throw left;
}

/** Whether an event is the one that only holds the usage, which not every program expects. */
function isUsageAlone(data: string): boolean {
  if (!data.includes('"usage"')) return false;
  try {
    const { data: chunk } = Chunk.safeParse(JSON.parse(data));
    return chunk?.usage != null && !chunk.choices?.length;
  } catch {
    return false;
  }
}

const PATH = "/v1/chat/completions";
/** The aggregator writes its books some seconds after a call that was cut: it is asked after these waits, in milliseconds. */
const LOOK_UP_WAITS_MS = [500, 2_000, 5_000];
/** A charge that does not arrive is sent again after these waits, in milliseconds; it is entered once. */
const CHARGE_WAITS_MS = [0, 500, 3_000];
/** An answer that is no stream comes within so many milliseconds, and is no longer than so many bytes. */
const ANSWER_TIMEOUT_MS = 10 * 60_000;
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;

type Input = {
  env: Env;
  caller: Caller;
  settings: ModelSettings;
  body: CompletionBody;
  requestId: string;
  /** Keeps the work going when the program that asked has left. */
  waitUntil: (work: Promise<unknown>) => void;
};

type Call = { env: Env; caller: Caller; callId: string; model: ResolvedModel; prompt: number };
type Progress = { started: { generationId: string | null } | null; usage: CompletionUsage | null; text: number; reasoning: number };

/** Asks a model, and answers what it writes as it comes. Throws AppError and AggregatorError before the answer begins. */
export async function completeFor({ env, caller, settings, body, requestId, waitUntil }: Input): Promise<Response> {
  const { allowlist, preferred } = settings;
  if (body.model === DEEP_RESEARCH_MODEL_ID) throw new AppError("MODEL_NOT_FOUND", { message: "A research is asked for in a chat." });
  const model = await resolveModel(env, { requested: body.model, caller, allowlist, preferred });
  const call = { env, caller, model, callId: `completion:${crypto.randomUUID()}`, prompt: promptOf(body, model) };
  const { maxTokens } = await hold(call, { limit: longestWanted(body), pictures: picturesIn(body) });
  const progress: Progress = { started: null, usage: null, text: 0, reasoning: 0 };
  const asking = { env, body, model, maxTokens, progress, requestId };
  // Whoever leaves in the middle has their answer paid all the same: the work goes on without them for a while.
  const { answer, ended } = body.stream ? stream(asking) : completeAtOnce(asking);
  waitUntil(ended.then(() => settle(call, progress)));
  return answer;
}

/** Characters that the model reads: no more than it holds. */
function promptOf(body: CompletionBody, { contextLength }: ResolvedModel): number {
  return Math.min(lengthOfPrompt(body), (contextLength ?? Number.POSITIVE_INFINITY) * CHARACTERS_PER_TOKEN);
}

type Asking = {
  env: Env;
  body: CompletionBody;
  model: ResolvedModel;
  maxTokens: number | null;
  progress: Progress;
  requestId: string;
};
/** `ended` resolves when nothing more comes, however it went. */
type Answering = { answer: Promise<Response>; ended: Promise<unknown> };

const Answer = z.looseObject({
  error: z.optional(z.unknown()),
  usage: z.optional(z.unknown()),
  choices: z.optional(z.array(z.unknown())),
});

function completeAtOnce({ progress, ...asking }: Asking): Answering {
  async function ask(): Promise<Response> {
    const from = await begin({ progress, ...asking }, AbortSignal.timeout(ANSWER_TIMEOUT_MS));
    const bytes = await readUpTo(from, ANSWER_BYTES_MAX);
    if (bytes === null) throw new AggregatorError({ kind: "endless" });
    const text = new TextDecoder().decode(bytes);
    progress.text = text.length;
    const { data } = Answer.safeParse(parseJson(text));
    if (!data || data.error !== undefined || !data.choices) throw new AggregatorError({ kind: "server" });
    progress.usage = readUsage(data.usage);
    return new Response(text, { headers: { "content-type": "application/json", "cache-control": "no-store" } });
  }
  const answer = ask();
  return { answer, ended: answer.catch(() => undefined) };
}

function stream(asking: Asking): Answering {
  const { body, progress, requestId } = asking;
  const stall = watchForStall();
  const left = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const begun = begin(asking, AbortSignal.any([stall.signal, left.signal])).catch((error: unknown) => {
    throw stall.signal.aborted ? new AggregatorError({ kind: "stalled", cause: error }) : error;
  });
  const relayed = begun.then((from) =>
    relayStream({
      from,
      to: writable,
      hasUsage: body.stream_options?.include_usage ?? false,
      onLife: stall.onLife,
      onLeft: () => left.abort(),
      onEvent: (event) => note(progress, event),
      describe(error) {
        const failure = stall.signal.aborted ? new AggregatorError({ kind: "stalled" }) : fromThrown(error);
        return JSON.stringify({ error: toFailure(failure, { path: PATH, requestId }).error });
      },
    }),
  );
  const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" };
  return {
    answer: begun.then(() => new Response(readable, { headers })),
    ended: relayed.catch(() => undefined).then(() => stall.end()),
  };
}

/** The answer's bytes once the provider took the request. */
async function begin(
  { env, body, model, maxTokens, progress }: Omit<Asking, "requestId">,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  try {
    const response = await forwardCompletion(env, toAggregatorBody(body, model, maxTokens), signal);
    progress.started = { generationId: response.headers.get("x-generation-id") };
    if (!response.body) throw new AggregatorError({ kind: "cut" });
    return response.body;
  } catch (error) {
    // Nobody knows how far a request came that was given up: it is paid as one that was read.
    if (signal.aborted) progress.started ??= { generationId: null };
    throw error;
  }
}

/** Counts the call against the key's month, reserves what it may cost, and answers how long its answer may be. */
async function hold({ env, caller, callId, model, prompt }: Call, wanted: { limit: number | null; pictures: number }): Promise<Longest> {
  await admitKey(env, caller, callId);
  const hub = hubOf(env, caller.userId);
  const reservation = await hub.reserveCall({
    replyId: callId,
    generation: 0,
    ...priceAnswer(prompt / CHARACTERS_PER_TOKEN, model, wanted),
  });
  if (!reservation.ok) await hub.release({ replyId: callId, generation: 0 });
  return unwrap(reservation);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON is no answer.
    return null;
  }
}

function note(progress: Progress, event: CompletionEvent): void {
  if (event.type === "usage") progress.usage = event.usage;
  if (event.type === "text") progress.text += event.text.length;
  if (event.type === "reasoning") progress.reasoning += event.text.length;
}

/** Enters what the call cost; what nobody took costs nothing. A hold that stays, as nothing arrives, is entered by the ledger when it lapses. */
async function settle({ env, caller, callId, model, prompt }: Call, progress: Progress): Promise<void> {
  const hub = hubOf(env, caller.userId);
  if (!progress.started) return hub.release({ replyId: callId, generation: 0 });
  const cost = costOf({ ...progress, prompt }, model);
  const amountMicros = cost.known ? (cost.micros ?? 0) : await lookUp(env, cost);
  const { usage } = progress;
  const tokens = usage
    ? usage.prompt_tokens + usage.completion_tokens
    : Math.ceil((prompt + progress.text + progress.reasoning) / CHARACTERS_PER_TOKEN);
  const entry = {
    callId,
    replyId: callId,
    chatId: "",
    what: "completion" as const,
    modelId: model.id,
    amountMicros,
    isHouse: false,
    tokens,
  };
  for (const wait of CHARGE_WAITS_MS) {
    await sleep(wait);
    try {
      return await hubOf(env, caller.userId).charge(entry, callId);
    } catch (cause) {
      log.error("a completion was not charged", { cause });
    }
  }
}

async function lookUp(env: Env, cost: { estimateMicros: number; generationId: string | null }): Promise<number> {
  for (const wait of cost.generationId === null ? [] : LOOK_UP_WAITS_MS) {
    await sleep(wait);
    const dollars = await lookUpCost(env, cost.generationId ?? "");
    if (dollars !== null) return toMicros(dollars);
  }
  return cost.estimateMicros;
}
