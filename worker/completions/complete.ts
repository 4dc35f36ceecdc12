/** Chat completions for other programs: asked with a key, paid with its owner's credits, and kept nowhere but in the ledger. */
import * as z from "zod/mini";
import { AggregatorError, fromThrown } from "../clients/aggregator-errors.ts";
import { forwardCompletion, lookUpCost, watchForStall } from "../clients/aggregator.ts";
import { type CompletionEvent, type CompletionUsage, readUsage } from "../clients/completion-chunks.ts";
import { readUpTo } from "../clients/read-up-to.ts";
import { AppError, unwrap } from "../app-error.ts";
import { admitKey } from "../api-keys/admit-key.ts";
import { CHARACTERS_PER_TOKEN, toMicros } from "../credits/money.ts";
import type { Caller, Env, ModelSettings } from "../env.ts";
import { log } from "../log.ts";
import { DEEP_RESEARCH_MODEL_ID } from "#shared/entities/model.ts";
import { type ResolvedModel, resolveModel } from "../models/resolve-model.ts";
import { costOf, estimateAnswer, LEAST_MICROS } from "../turn/cost.ts";
import { sleep } from "../turn/sleep.ts";
import { hubOf } from "../user-hub/stub.ts";
import { toFailure } from "./errors.ts";
import { relayStream } from "./relay.ts";
import { type CompletionBody, lengthOfPrompt, toAggregatorBody } from "./request.ts";

const PATH = "/v1/chat/completions";
/** The aggregator writes its books some seconds after a call that was cut: it is asked after these waits, in milliseconds. */
const LOOK_UP_WAITS_MS = [500, 2_000, 5_000];
/** An answer that is no stream comes within so many milliseconds, and is no longer than so many bytes. */
const WHOLE_MS = 10 * 60_000;
const WHOLE_BYTES = 32 * 1024 * 1024;

type Input = {
  env: Env;
  caller: Caller;
  settings: ModelSettings;
  body: CompletionBody;
  /** Keeps the work going when the program that asked has left. */
  waitUntil: (work: Promise<unknown>) => void;
};

type Call = { env: Env; caller: Caller; callId: string; model: ResolvedModel; prompt: number };
type Progress = { started: { generationId: string | null } | null; usage: CompletionUsage | null; text: number; reasoning: number };

/** Asks a model, and answers what it writes as it comes. Throws AppError and AggregatorError before the answer begins. */
export async function completeFor({ env, caller, settings, body, waitUntil }: Input): Promise<Response> {
  const { allowlist, preferred } = settings;
  if (body.model === DEEP_RESEARCH_MODEL_ID) throw new AppError("MODEL_NOT_FOUND", { message: "A research is asked for in a chat." });
  const model = await resolveModel(env, { requested: body.model, caller, allowlist, preferred });
  const call = { env, caller, model, callId: `completion:${crypto.randomUUID()}`, prompt: lengthOfPrompt(body) };
  await hold(call);
  const progress: Progress = { started: null, usage: null, text: 0, reasoning: 0 };
  const stall = watchForStall();
  const ended = async () => {
    stall.end();
    await settle(call, progress);
  };
  try {
    const signal = body.stream ? stall.signal : AbortSignal.timeout(WHOLE_MS);
    const response = await forwardCompletion(env, toAggregatorBody(body, model), signal);
    progress.started = { generationId: response.headers.get("x-generation-id") };
    if (!response.body) throw new AggregatorError({ kind: "cut" });
    if (!body.stream) return await readAnswer(response.body, { progress, end: () => waitUntil(ended()) });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const relayed = relayStream({
      from: response.body,
      to: writable,
      hasUsage: body.stream_options?.include_usage ?? false,
      onLife: stall.onLife,
      onEvent: (event) => note(progress, event),
      describe: (error) =>
        JSON.stringify({
          error: toFailure(stall.signal.aborted ? new AggregatorError({ kind: "stalled" }) : fromThrown(error), PATH).error,
        }),
    });
    // Whoever left has stopped the answer; what came is paid all the same.
    waitUntil(relayed.catch(() => undefined).then(ended));
    return new Response(readable, { headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" } });
  } catch (error) {
    waitUntil(ended());
    throw body.stream && stall.signal.aborted ? new AggregatorError({ kind: "stalled", cause: error }) : error;
  }
}

/** Counts the call against the key's month and holds back what it may cost. */
async function hold({ env, caller, callId, model, prompt }: Call): Promise<void> {
  await admitKey(env, caller, callId);
  const amountMicros = Math.max(estimateAnswer(prompt / CHARACTERS_PER_TOKEN, model), LEAST_MICROS);
  const hub = hubOf(env, caller.userId);
  const held = await hub.reserve({ replyId: callId, amountMicros });
  if (!held.ok) await hub.release({ replyId: callId, generation: 0 });
  unwrap(held);
}

const Answer = z.looseObject({
  error: z.optional(z.unknown()),
  usage: z.optional(z.unknown()),
  choices: z.optional(z.array(z.unknown())),
});

async function readAnswer(from: ReadableStream<Uint8Array>, { progress, end }: { progress: Progress; end: () => void }): Promise<Response> {
  const bytes = await readUpTo(from, WHOLE_BYTES);
  if (bytes === null) throw new AggregatorError({ kind: "endless" });
  const text = new TextDecoder().decode(bytes);
  const { data } = Answer.safeParse(parseJson(text));
  if (!data || data.error !== undefined || !data.choices) throw new AggregatorError({ kind: "server" });
  progress.usage = readUsage(data.usage);
  progress.text = text.length;
  end();
  return new Response(text, { headers: { "content-type": "application/json", "cache-control": "no-store" } });
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

/** Enters what the call cost; what nobody took costs nothing. */
async function settle({ env, caller, callId, model, prompt }: Call, progress: Progress): Promise<void> {
  const hub = hubOf(env, caller.userId);
  try {
    if (!progress.started) {
      await hub.release({ replyId: callId, generation: 0 });
      return;
    }
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
    await hub.charge(entry, callId);
  } catch (cause) {
    // The answer is out; what was held for it lapses by itself.
    log.error("a completion was not charged", { cause });
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
