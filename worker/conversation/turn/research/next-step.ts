import * as z from "zod/mini";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { RESEARCH_QUESTIONS_MAX, ResearchQuestion } from "#shared/research/research.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import { questionCalls } from "./findings.ts";
import { ResearchGaps } from "./research-gaps.ts";

/** What a research does next, by the calls that have ended. */
export type ResearchStep =
  | { kind: "calls"; calls: { tool: string; input: Record<string, unknown> }[] }
  /** `isCut` where the time was used up before all was looked into. */
  | { kind: "report"; isCut: boolean }
  | { kind: "failed"; reason: string };

type Asked = {
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
export function nextStep(calls: readonly ToolCall[], { question, background, isLate, isFresh }: Asked): ResearchStep {
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
