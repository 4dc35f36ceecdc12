import type { MessageUsage } from "#shared/entities/message.ts";
import type { ToolCall, ToolPart } from "#shared/entities/tool-call.ts";
import type { CompletionReader, CompletionRequest } from "#worker/platform/clients/aggregator.ts";
import { toMicros } from "#worker/platform/spending/money.ts";
import { log } from "#worker/platform/log.ts";
import {
  type CallModel,
  type Connections,
  type TodoList,
  TOOL_TIMEOUT_MS,
  type Tool,
  type ToolContext,
  type ToolHost,
  type ToolResult,
} from "#worker/conversation/tools/tool.ts";
import type { Citations } from "#worker/library/passages/citations.ts";
import { type CallSoFar, costOf, promptLength, type TurnCost, usageOf } from "./cost.ts";
import type { StoredTurn } from "./stored-turn.ts";

/** What the steps of a running call have brought, so a new life of the object does none of them twice. */
export type StoredSteps = {
  /** Undefined for a step that is not done. */
  find(step: string): unknown;
  /** `result` must be JSON. */
  keep(step: string, result: unknown): void;
};

type Deps = {
  host: ToolHost;
  turn: StoredTurn;
  writerId: string;
  todos: TodoList;
  /** Whether the call's model has read untrusted text. */
  hasUntrustedText: boolean;
  connections(): Promise<Connections>;
  citations: Citations;
  showPart(part: Omit<ToolPart, "text">, text: string): void;
  /** Lets a model be asked for so many tokens at most; answers the id that it is charged by, and how many it may answer. Throws `AppError` where nothing may be spent on it. */
  reserveModelCall(
    request: Pick<CompletionRequest, "messages" | "maxTokens">,
    asked: CallModel,
  ): Promise<{ callId: string; maxTokens: number | null }>;
  /** Enters what something of the call cost; `by` is the model that was asked and what it read and wrote, null for what is no model's. */
  charge(cost: TurnCost, by: { callId: string; modelId: string; usage: MessageUsage | null } | null): void;
  steps: StoredSteps;
  outputsOf(tool: string): string[];
  earlier(): ToolCall[];
  signal: AbortSignal;
};

/** How a call ended; null where it was stopped. */
export type Ran = ToolResult | null;

/** Runs a tool within its time. Whatever goes wrong is reported to the model and ends no turn; what comes after the end has no effect. */
export async function runCall(deps: Deps, { tool, input, callId }: { tool: Tool; input: unknown; callId: string }): Promise<Ran> {
  const limitMs = tool.timeoutMs ?? TOOL_TIMEOUT_MS;
  const ending = new AbortController();
  const signal = AbortSignal.any([deps.signal, ending.signal]);
  const { promise: ended, resolve: end } = Promise.withResolvers<Ran>();
  const timer = setTimeout(
    () => end({ ok: false, error: `This took longer than ${Math.ceil(limitMs / 1_000)} seconds and was given up.` }),
    limitMs,
  );
  const onStop = () => end(null);
  deps.signal.addEventListener("abort", onStop, { once: true });
  try {
    const context = openContext(deps, { callId, signal });
    return await Promise.race([ended, tool.run(input, context)]);
  } catch (cause) {
    if (deps.signal.aborted) return null;
    log.error("a tool failed", { tool: tool.id, cause });
    return { ok: false, error: "The tool failed for a reason of its own." };
  } finally {
    clearTimeout(timer);
    deps.signal.removeEventListener("abort", onStop);
    ending.abort();
  }
}

function openContext(deps: Deps, { callId, signal }: { callId: string; signal: AbortSignal }): ToolContext {
  const { host, turn, todos, citations } = deps;
  const { chatId, reader, model } = turn.request;
  const parts = new Map<string, Omit<ToolPart, "text">>();
  return {
    env: host.env,
    chatId,
    replyId: turn.replyId,
    callId,
    reader,
    model,
    writerId: deps.writerId,
    signal,
    todos,
    hasUntrustedText: deps.hasUntrustedText,
    mails: host.mails(),
    runs: host.runs,
    files: host.files(),
    connections: () => deps.connections(),
    isOffRecord: () => host.isOffRecord(),
    knowledgeIds: turn.contextIds,
    cite: (source) => citations.cite(source),
    part({ text = "", ...change }) {
      if (signal.aborted) return;
      const shown = { ...(parts.get(change.id) ?? NEW_PART), ...change };
      parts.set(shown.id, shown);
      deps.showPart(shown, text);
    },
    complete: (request, asked, asker) =>
      completeForTool(
        deps,
        { request: { ...request, model: asked.aggregatorId, sessionId: chatId }, asked },
        { ...asker, signal: AbortSignal.any([signal, asker.signal]) },
      ),
    charge: (dollars) => deps.charge({ known: true, micros: toMicros(dollars) }, null),
    async once(step, result, work) {
      const storedResult = deps.steps.find(step);
      if (storedResult !== undefined) return result.parse(storedResult);
      const value = await work();
      signal.throwIfAborted();
      deps.steps.keep(step, value);
      return value;
    },
    outputsOf: (tool) => deps.outputsOf(tool),
    earlier: () => deps.earlier(),
  };
}

const NEW_PART = { title: "", model_id: null, status: "running", cost: null } as const;

/** Asks a model for a tool and charges the turn's reader, however it ends. */
async function completeForTool(
  deps: Deps,
  { request, asked }: { request: CompletionRequest; asked: CallModel },
  { signal, onEvent }: CompletionReader,
): Promise<void> {
  const progress: Omit<CallSoFar, "prompt"> = { started: null, usage: null, text: 0, reasoning: 0 };
  const { callId, maxTokens } = await deps.reserveModelCall(request, asked);
  try {
    await deps.host.complete(maxTokens === null ? request : { ...request, maxTokens }, {
      signal,
      onEvent(event) {
        if (event.type === "started") progress.started = { generationId: event.generationId };
        if (event.type === "usage") progress.usage = event.usage;
        if (event.type === "text") progress.text += event.text.length;
        if (event.type === "reasoning") progress.reasoning += event.text.length;
        onEvent(event);
      },
    });
  } finally {
    const sent = { ...progress, prompt: promptLength(request.messages) };
    // How long it took is part of the call's own time.
    deps.charge(costOf(sent, asked), { callId, modelId: asked.requestedId, usage: usageOf(sent, 0) });
  }
}
