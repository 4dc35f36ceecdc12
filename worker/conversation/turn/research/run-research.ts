import * as z from "zod/mini";
import type { MessageError } from "#shared/entities/message.ts";
import { RESEARCH_LIMIT_MS, RESEARCH_QUESTIONS_MAX, ResearchQuestion } from "#shared/research/research.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import type { PromptMessage } from "#worker/platform/clients/prompt.ts";
import { promptBudget } from "#worker/people/models/prompt-budget.ts";
import { toWireName } from "#worker/conversation/tools/wire-names.ts";
import { cutAtWord, cutBeforeWord } from "#worker/platform/texts/cut-at-word.ts";
import { cutQuote } from "#worker/platform/texts/untrusted.ts";
import { type Asked, askModel } from "../ask-model.ts";
import { promptLength } from "../cost.ts";
import { withoutAdded } from "../question-context.ts";
import type { StoredTurn } from "../stored-turn.ts";
import { endTurn, stoppedBetween, type TurnDeps, type TurnInput, type TurnResult } from "../turn.ts";
import { describeFindings, questionCalls } from "./findings.ts";
import { ResearchGaps } from "./research-gaps.ts";

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

const TASK = `Now write the report that answers my last message, from these findings of a research on the web. Begin with the answer itself in two or three sentences, without any heading before it or words about the research. Then sections with headings of their own, where a table or a list helps with one. Weigh the sources: say where they disagree and which has the better reasons. Put the numbers that the findings carry, like [3], right after each statement that rests on them, and invent none. End with a section on what stays uncertain: what was not found out, what rests on one weak source, what may have changed. Write in the language of my message.`;

/** Has a model write a research's report, from as much of the findings as fits `room` characters beside the task itself. */
export function reportRequest(calls: readonly ToolCall[], room: number): { role: "user"; content: string } {
  return { role: "user", content: `${TASK}\n\n${describeFindings(calls, room - TASK.length) || "Nothing could be found out."}` };
}

/** What stands under a report whose research met its limit. */
const CUT_NOTE = `\n\n*The research stopped looking after ${RESEARCH_LIMIT_MS / 60_000} minutes, its limit: what is above rests on what was found by then.*`;

/** Characters of what was said before a question that its plan is made with, and of the question with its files. */
const BACKGROUND_CHARACTERS = 6_000;
const QUESTION_CHARACTERS = 12_000;

/** The question of a conversation and what was said before it. */
export function splitQuestion(prompt: readonly PromptMessage[]): { question: string; background: string } {
  const at = prompt.findLastIndex(({ role }) => role === "user");
  const before = prompt.slice(0, at).flatMap((message) => {
    const text = textsOf(message).map(withoutAdded).join("\n\n");
    return (message.role === "user" || message.role === "assistant") && text !== "" ? [`${message.role}: ${text}`] : [];
  });
  return {
    question: fit(textsOf(prompt[at]).map(withoutAdded), QUESTION_CHARACTERS).join("\n\n"),
    background: cutBeforeWord(before.join("\n\n"), BACKGROUND_CHARACTERS),
  };
}

/** As much of these texts as fits, in their order; a file's quote keeps its marks. */
function fit(texts: readonly string[], limit: number): string[] {
  let room = limit;
  return texts.flatMap((text) => {
    if (room <= 0) return [];
    const shortened = cutQuote(text, room, cutAtWord);
    room -= shortened.length;
    return [shortened];
  });
}

function textsOf(message: PromptMessage | undefined): string[] {
  const content = message?.content ?? "";
  if (typeof content === "string") return [content];
  return content.flatMap((part) => (part.type === "text" ? [part.text] : []));
}

/** What a research does next, by the calls that have ended. */
type ResearchStep =
  | { kind: "calls"; calls: { tool: string; input: Record<string, unknown> }[] }
  /** `isCut` where the time was used up before all was looked into. */
  | { kind: "report"; isCut: boolean }
  | { kind: "failed"; reason: string };

type StepInput = {
  question: string;
  /** What was said before the question. */
  background: string;
  /** True once the time for looking into things is used up. */
  isLate: boolean;
  /** True where this run has not begun a step yet. */
  isFresh: boolean;
};

/** A plan of the length that was agreed, or of the question alone; an imported one may be anything. */
const Planned = z.object({ questions: z.array(ResearchQuestion).check(z.minLength(1), z.maxLength(RESEARCH_QUESTIONS_MAX)) });

/** Decides the next step: the plan, its sub-questions, one look for gaps, the gaps, the report. */
export function nextStep(calls: readonly ToolCall[], { question, background, isLate, isFresh }: StepInput): ResearchStep {
  const plan = calls.findLast(({ tool }) => tool === RESEARCH_TOOLS.plan);
  if (!plan || (plan.status !== "done" && isFresh)) {
    const input = { question, ...(background !== "" && { background }) };
    return { kind: "calls", calls: [{ tool: RESEARCH_TOOLS.plan, input }] };
  }
  if (plan.status !== "done") return { kind: "failed", reason: plan.output ?? "" };
  const planned = read(Planned, plan.output)?.questions;
  if (!planned) return { kind: "failed", reason: "Its plan cannot be read." };
  const asked = questionCalls(calls);
  if (asked.length === 0) return isLate ? { kind: "report", isCut: true } : lookInto(planned);
  const found = asked.some(({ status }) => status === "done");
  // What a person stopped is not taken up again when they ask to go on: the report says what it lacks.
  const isStopped = asked.some(({ status }) => status === "stopped");
  const check = calls.find(({ tool }) => tool === RESEARCH_TOOLS.gaps);
  if (!found || isStopped) return { kind: "report", isCut: false };
  if (!check) {
    if (isLate) return { kind: "report", isCut: true };
    return { kind: "calls", calls: [{ tool: RESEARCH_TOOLS.gaps, input: { question } }] };
  }
  const gaps = (check.status === "done" && read(ResearchGaps, check.output)?.gaps) || [];
  if (gaps.length === 0 || asked.length > planned.length) return { kind: "report", isCut: false };
  return isLate ? { kind: "report", isCut: true } : lookInto(gaps);
}

function lookInto(questions: readonly ResearchQuestion[]): ResearchStep {
  return { kind: "calls", calls: questions.map((input) => ({ tool: RESEARCH_TOOLS.question, input: { ...input } })) };
}

function read<S extends z.ZodMiniType>(schema: S, output: string | null): z.output<S> | null {
  try {
    return schema.safeParse(JSON.parse(output ?? "")).data ?? null;
  } catch {
    // An imported call's output need not be JSON.
    return null;
  }
}
