import type { MessageError } from "#shared/entities/message.ts";
import { RESEARCH_LIMIT_MS } from "#shared/research/research.ts";
import type { PromptMessage } from "#worker/platform/clients/prompt.ts";
import { promptBudget } from "#worker/people/models/prompt-budget.ts";
import { nextStep } from "./next-step.ts";
import { CUT_NOTE, splitQuestion, reportRequest } from "./report-prompt.ts";
import { toWireName } from "#worker/conversation/tools/wire-names.ts";
import { type Asked, askModel } from "../ask-model.ts";
import { promptLength } from "../cost.ts";
import type { StoredTurn } from "../stored-turn.ts";
import { endTurn, stoppedBetween, type TurnDeps, type TurnInput, type TurnResult } from "../turn.ts";

/**
 * One deep research: plans, looks into sub-questions at once, looks for gaps, and streams a report. Its steps are the reply's
 * tool calls, stored before they run, so a new life of the object goes on with the first that has not ended.
 */
export async function runResearch(
  deps: TurnDeps,
  { startedAt, workedMs, ...input }: TurnInput & Pick<StoredTurn, "startedAt" | "workedMs">,
): Promise<TurnResult> {
  const { chatId, prompt, tail, tools, signal, citations, publish } = input;
  // Its answer is the real model's, and is charged and named as such.
  const model = { ...input.model, requestedId: input.model.aggregatorId };
  const asked = splitQuestion(prompt);
  publish({ type: "model", model_id: model.requestedId });
  for (let isFresh = true; ; isFresh = false) {
    await tools.run(signal);
    if (signal.aborted) return { ...stoppedBetween(input), modelId: model.requestedId };
    const next = nextStep(tools.calls(), { ...asked, isLate: deps.now() - startedAt > RESEARCH_LIMIT_MS, isFresh });
    if (next.kind === "failed")
      return { ...stoppedBetween(input), status: "failed", modelId: model.requestedId, error: failure(next.reason) };
    if (next.kind === "calls") {
      const calls = next.calls.map((call) => ({ id: "", name: toWireName(call.tool), arguments: JSON.stringify(call.input) }));
      tools.begin({ calls, reasoningDetails: [], modelId: null, usage: null, cost: null, affectingOthers: new Set(), problems: new Map() });
      continue;
    }
    const at = deps.now();
    let room = Math.max(LEAST_FINDINGS, promptBudget(model) - promptLength([...prompt, ...tail]));
    let messages: PromptMessage[];
    let answered: Asked;
    let isBound = false;
    do {
      messages = [...prompt, reportRequest(tools.calls(), room), ...tail];
      const reserved = await tools.hold(messages, []);
      if ("code" in reserved) return { ...stoppedBetween(input), status: "interrupted", modelId: model.requestedId, error: reserved };
      ({ isBound } = reserved);
      answered = await askModel(deps, {
        request: {
          model: model.aggregatorId,
          messages,
          routerModels: null,
          sessionId: chatId,
          ...(reserved.maxTokens !== null && { maxTokens: reserved.maxTokens }),
        },
        signal,
        publish,
        isRouted: false,
        citations,
        breaks: { text: "", reasoning: input.shown().reasoning === "" ? "" : "\n\n" },
        reasonedMs: input.shown().reasoningMs,
      });
      room /= 2;
      // Characters are fewer tokens in some scripts than in others; a refused request is not paid.
    } while (answered.failure?.error.kind === "context_too_long" && answered.progress.started === null && room >= LEAST_FINDINGS);
    const isComplete = answered.failure === null && !signal.aborted && answered.progress.finishReason === "stop";
    if (next.isCut && isComplete) publish({ type: "text", text: CUT_NOTE });
    const result = endTurn(answered, { model, prompt: promptLength(messages), ms: deps.now() - at, isBound }, { ...input, model });
    // What people wait for is the whole research and not its report alone.
    const usage = result.usage && { ...result.usage, duration_ms: workedMs + deps.now() - startedAt };
    return { ...result, modelId: model.requestedId, usage };
  }
}

/** Characters of findings below which no report is worth to be written from them. */
const LEAST_FINDINGS = 4_000;

function failure(reason: string): MessageError {
  return {
    code: "RESEARCH_NOT_PLANNED",
    message: `The research could not be planned. ${reason}`.trim(),
    action: "retry",
    retryAfter: null,
  };
}
