import * as z from "zod/mini";
import { RESEARCH_GAPS_MAX, ResearchQuestion } from "#shared/research/research.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import { promptBudget } from "#worker/people/models/prompt-budget.ts";
import type { Tool } from "#worker/conversation/tools/tool.ts";
import { askJson } from "./ask-json.ts";
import { describeFindings } from "./findings.ts";

const FORM = `{"gaps": [{"question": "…", "queries": ["…", "…"]}]}`;

const SYSTEM = `You check what a research has found so far. Name at most ${RESEARCH_GAPS_MAX} gaps: what the question still needs and the findings do not have, contradict each other on, or rest on one weak source for, and that another web search may well bring. Each is a sub-question with one to three search queries of three to six words that were not used before. Where nothing important is missing, name none. Answer with JSON alone: ${FORM}, or {"gaps": []}`;

/** What gaps are as JSON, closed. */
export const ResearchGaps = z.strictObject({ gaps: z.array(ResearchQuestion).check(z.maxLength(RESEARCH_GAPS_MAX)) });

const Input = z.object({ question: z.string() });

/** Looks for what the findings leave open. */
export const researchGaps: Tool<typeof Input> = {
  id: RESEARCH_TOOLS.gaps,
  description: "Checks what a research has left open.",
  input: Input,
  dollars: 0,
  actsOutside: false,
  readsOutside: false,
  timeoutMs: 150_000,
  async run({ question }, context) {
    const room = promptBudget(context.model) - SYSTEM.length - question.length;
    const user = `Question:\n${question}\n\nFindings:\n\n${describeFindings(context.earlier(), room)}`;
    const asked = await askJson(context, { system: SYSTEM, user, schema: ResearchGaps });
    // What could not be checked is no gap that could be searched for: the report is written from what there is.
    if (!asked.ok) return { ok: false, error: asked.error };
    return { ok: true, output: JSON.stringify(asked.value) };
  },
};
