import { createHash, randomUUID } from "node:crypto";
import { sendJson, untilDisconnected, type Exchange } from "../simulator.ts";
import { chooseModel } from "./choose-model.ts";
import { noDirectives, parseDirectives, type FaultDirective } from "./directives.ts";
import { isTitleRequest } from "./demo/title.ts";
import { isRewriteRequest } from "./demo/rewrite.ts";
import { isSummaryRequest, summaryFault } from "./demo/summary.ts";
import { isStatusFault, type FaultName, type StreamFault } from "./faults.ts";
import { fileAnnotations, parseFiles, parsingCost } from "./file-parser.ts";
import { annotationsOf, frames, midStreamError, nativeFinish, type Identity, type Progress } from "./frames.ts";
import type { WireModel } from "./models/build-model.ts";
import { currentRound, planAnswer, type Plan } from "./plan.ts";
import { type CacheUse, refuseMarks } from "./prompt-cache.ts";
import { mergeDetails } from "./reasoning.ts";
import { ChatRequest, lastUserMessage, textOf, wordsOf } from "./request.ts";
import { faultOf, paceOf } from "./settings.ts";
import type { AggregatorState } from "./state.ts";
import { invalidRequest, statusFault, type ErrorAnswer } from "./status-faults.ts";
import { usageOf } from "./usage.ts";
import { promptTokensOf, refuseMessages } from "./validate-messages.ts";
import { pause, writeStream, type Pace } from "./write-stream.ts";

type Answer = {
  request: ChatRequest;
  plan: Plan;
  identity: Identity;
  fault: StreamFault | null;
  pace: Pace;
  promptTokens: number;
  cacheUse: CacheUse;
  progress: Progress;
};

/** `POST /chat/completions`: reads the request, finds what it asks to go wrong, and answers. */
export async function answerChat(state: AggregatorState, exchange: Exchange): Promise<void> {
  const { response, record, disconnected } = exchange;
  const parsed = ChatRequest.safeParse(record.body);
  if (!parsed.success)
    return refuse(exchange, invalidRequest(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ")));
  const request = parsed.data;
  const prompt = wordsOf(lastUserMessage(request.messages).message);
  const isTitle = isTitleRequest(systemText(request), (request.tools?.length ?? 0) > 0);
  const isSummary = isSummaryRequest(systemText(request));
  const isRewrite = isRewriteRequest(systemText(request));
  const directives = isTitle || isSummary || isRewrite ? noDirectives(prompt) : parseDirectives(prompt);
  const round = currentRound(request, directives);

  const asked = `${request.session_id ?? ""}\n${prompt}`;
  const fault = holdingFault(state, exchange, asked, isSummary ? summaryFault(prompt) : (round?.fault ?? null));
  if (fault !== null && isStatusFault(fault)) return refuse(exchange, statusFault(fault, { model: request.model ?? "", prompt }));
  if (fault === "hang") return untilDisconnected(disconnected);
  if (fault === "cut-before") return void response.socket?.destroy();

  const chosen = chooseModel(request, hash(prompt));
  if ("refusal" in chosen) return refuse(exchange, chosen.refusal);
  const { model } = chosen;
  const refusal = refuseMessages(request, model) ?? refuseMarks(request, model);
  if (refusal) return refuse(exchange, refusal);
  const isChecked = directives.checkReasoning || record.headers["x-sim-check"] === "reasoning";
  const checked = isChecked ? state.reasoning.check(model.id, request.messages) : null;
  if (checked && "problem" in checked) return refuse(exchange, invalidRequest(checked.problem));
  const reasoningNote = checked && directives.checkReasoning ? `Reasoning came back unmodified: ${checked.unmodified}.` : null;

  const variant = hash(model.id) + state.timesAsked(`${model.id}\n${prompt}`);
  const plan = planAnswer({ request, model, directives, round, isTitle, isSummary, isRewrite, variant, reasoningNote });
  const identity: Identity = {
    id: `gen-${Math.floor(Date.now() / 1000)}-${randomUUID().replaceAll("-", "").slice(0, 20)}`,
    created: Math.floor(Date.now() / 1000),
    model,
    provider: model.name.split(": ")[0] ?? "",
  };
  const progress: Progress = { text: "", reasoning: "", details: [], completion: 0, reasoningTokens: 0 };
  const pace = paceOf(state.pace, state.control, record, directives);
  const promptTokens = promptTokensOf(request);
  const cacheUse = state.promptCache.use(request, model, { account: record.headers.authorization ?? "", tokens: promptTokens });
  const answer: Answer = { request, plan, identity, fault, pace, promptTokens, cacheUse, progress };
  const startedAt = performance.now();
  response.setHeader("X-Generation-Id", identity.id);
  if (request.stream) await stream(answer, exchange);
  else await answerAtOnce(answer, exchange);
  settle(state, answer, { cancelled: disconnected.aborted && !response.writableFinished, elapsedMs: performance.now() - startedAt });
}

function refuse({ response }: Exchange, { status, body, headers }: ErrorAnswer): void {
  if (typeof body !== "string") return sendJson(response, status, body, headers);
  response.writeHead(status, { "Content-Type": "text/html", ...headers }).end(body);
}

function systemText(request: ChatRequest): string {
  return textOf(request.messages.find(({ role }) => role === "system" || role === "developer"));
}

function hash(text: string): number {
  return createHash("sha256").update(text).digest().readUInt16BE(0);
}

/** The fault that holds now: the control's before the header's before the prompt's. */
function holdingFault(state: AggregatorState, { record }: Exchange, asked: string, fromPrompt: FaultDirective | null): FaultName | null {
  const fault = faultOf(state.control.chatFault) ?? faultOf(record.headers["x-sim-fault"]) ?? fromPrompt;
  // The marks of what is quoted differ whenever the same is asked.
  const same = asked.replaceAll(/\bquoted-[0-9a-f]{8}\b/g, "quoted");
  return fault && state.faultHolds(`${fault.name}\n${same}`, fault.times) ? fault.name : null;
}

function countsOf({ promptTokens, cacheUse, progress }: Answer) {
  return { ...cacheUse, prompt: promptTokens, completion: progress.completion, reasoning: progress.reasoningTokens };
}

async function stream(answer: Answer, { response, record, disconnected }: Exchange): Promise<void> {
  const { request, plan, identity, fault, pace, progress } = answer;
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
  const steps = frames({
    plan,
    identity,
    fault,
    progress,
    excludeReasoning: request.reasoning?.exclude === true,
    echo: request.debug?.echo_upstream_body ? record.body : undefined,
    usage: () => usageOf(identity.model, countsOf(answer)),
    isUsageAsked: request.stream_options?.include_usage === true,
  });
  await writeStream({ response, steps, pace, fault, disconnected });
  if (fault === "hang-mid-stream") await untilDisconnected(disconnected);
}

async function answerAtOnce(answer: Answer, { response, disconnected }: Exchange): Promise<void> {
  const { request, plan, identity, fault, pace, progress } = answer;
  const steps = [
    ...frames({
      plan,
      identity,
      fault: fault === "empty" ? "empty" : null,
      progress,
      excludeReasoning: false,
      echo: undefined,
      usage: () => ({}),
      isUsageAsked: false,
    }),
  ];
  const tokens = steps.filter((step) => "paced" in step && step.paced).length;
  await pause(pace.firstTokenMs + (pace.tokensPerSecond > 0 ? (tokens / pace.tokensPerSecond) * 1000 : 0), disconnected);
  if (fault === "hang-mid-stream") return untilDisconnected(disconnected);
  if (fault === "cut") return void response.socket?.destroy();
  const isError = fault === "error-mid-stream" || fault === "error-mid-stream-string-code";
  const finish = isError ? "error" : fault === "length" ? "length" : fault === "content-filter" ? "content_filter" : plan.finish;
  const files = parseFiles(request);
  const annotations = [...annotationsOf(plan), ...fileAnnotations(files)];
  const usage = usageOf(identity.model, countsOf(answer));
  const isExcluded = request.reasoning?.exclude === true || progress.reasoning === "";
  const message = {
    role: "assistant",
    content: progress.text === "" && plan.calls.length > 0 ? null : progress.text,
    refusal: null,
    reasoning: isExcluded ? null : progress.reasoning,
    ...(annotations.length > 0 ? { annotations } : {}),
    ...(isExcluded ? {} : { reasoning_details: mergeDetails(progress.details) }),
    ...(plan.calls.length > 0
      ? {
          tool_calls: plan.calls.map((call, index) => ({
            index,
            id: call.id,
            type: "function",
            function: { name: call.name, arguments: call.arguments },
          })),
        }
      : {}),
  };
  sendJson(response, 200, {
    id: identity.id,
    object: "chat.completion",
    created: identity.created,
    model: identity.model.id,
    provider: identity.provider,
    choices: [
      {
        index: 0,
        finish_reason: finish,
        native_finish_reason: nativeFinish(identity.model.id, finish),
        message,
        ...(isError ? { error: midStreamError(fault) } : {}),
      },
    ],
    ...(fault === "no-usage" ? {} : { usage: { ...usage, cost: usage.cost + parsingCost(files) } }),
    system_fingerprint: null,
    service_tier: null,
  });
}

function settle(state: AggregatorState, answer: Answer, { cancelled, elapsedMs }: { cancelled: boolean; elapsedMs: number }): void {
  const { request, plan, identity, fault, pace, progress } = answer;
  const model: WireModel = identity.model;
  const calls = plan.calls.map((call) => ({
    id: call.id,
    type: "function" as const,
    function: { name: call.name, arguments: call.arguments },
  }));
  state.reasoning.remember(model.id, {
    role: "assistant",
    content: progress.text,
    tool_calls: calls,
    reasoning_details: mergeDetails(progress.details),
  });
  state.ledger.add({
    id: identity.id,
    created: identity.created,
    model,
    provider: identity.provider,
    counts: countsOf(answer),
    streamed: request.stream === true,
    cancelled,
    finish: cancelled ? null : plan.finish,
    native: cancelled ? null : nativeFinish(model.id, plan.finish),
    latencyMs: pace.firstTokenMs,
    generationMs: elapsedMs,
    sessionId: request.session_id ?? null,
    isLate: fault === "late-generation",
  });
}
