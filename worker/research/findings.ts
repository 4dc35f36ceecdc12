import type { ToolCall } from "#shared/entities/tool-call.ts";
import { ResearchQuestion } from "#shared/research.ts";
import { RESEARCH_TOOLS } from "#shared/research-tools.ts";

/** A research's sub-questions with what each brought, as a model reads it; what is quoted from pages is already marked as such. */
export function describeFindings(calls: readonly ToolCall[]): string {
  return questionCalls(calls)
    .map((call) => `Sub-question:\n${questionOf(call)}\n${call.status === "done" ? (call.output ?? "") : `Not found out: ${whyNot(call)}`}`)
    .join("\n\n");
}

/** The calls that look into a sub-question, in order. */
export function questionCalls<C extends Pick<ToolCall, "tool">>(calls: readonly C[]): C[] {
  return calls.filter(({ tool }) => tool === RESEARCH_TOOLS.question);
}

function questionOf({ input }: ToolCall): string {
  return ResearchQuestion.safeParse(input).data?.question ?? "";
}

function whyNot({ status, output }: ToolCall): string {
  return status === "failed" && output !== null ? output : "it was stopped.";
}
