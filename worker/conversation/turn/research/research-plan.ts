import * as z from "zod/mini";
import { RESEARCH_QUESTIONS_MAX, RESEARCH_QUESTIONS_MIN, ResearchQuestion } from "#shared/research/research.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import { cutAtWord } from "#worker/platform/texts/cut-at-word.ts";
import type { Tool } from "#worker/conversation/tools/tool.ts";
import { askJson } from "./ask-json.ts";

const FORM = `{"questions": [{"question": "…", "queries": ["…", "…"]}]}`;

const SYSTEM = `You plan a research on the web. Split the question into ${RESEARCH_QUESTIONS_MIN} to ${RESEARCH_QUESTIONS_MAX} sub-questions that together answer it: distinct, each answerable from a few web pages, the most important first. Where the matter is contested or changing, let one ask for the other side or for what is newest. Give each one to three search queries of three to six words. Write the sub-questions in the language of the question. Today is {DATE}. Answer with JSON alone: ${FORM}`;

/** What a plan is as JSON, closed. */
export const ResearchPlan = z.strictObject({
  questions: z.array(ResearchQuestion).check(z.minLength(RESEARCH_QUESTIONS_MIN), z.maxLength(RESEARCH_QUESTIONS_MAX)),
});

const Input = z.object({
  question: z.string(),
  /** What was said before it. */
  background: z.optional(z.string()),
});

/** Splits the question into sub-questions; one that no plan could be read for is researched as it stands. */
export const researchPlan: Tool<typeof Input> = {
  id: RESEARCH_TOOLS.plan,
  description: "Plans a research.",
  input: Input,
  dollars: 0,
  actsOutside: false,
  readsOutside: false,
  timeoutMs: 150_000,
  async run({ question, background }, context) {
    const before = background ? `What was said before, for what the question refers to:\n${background}\n\n` : "";
    const asked = await askJson(context, {
      system: SYSTEM.replace("{DATE}", new Date().toISOString().slice(0, 10)),
      user: `${before}Question:\n${question}`,
      schema: ResearchPlan,
    });
    if (asked.ok) return { ok: true, output: JSON.stringify(asked.value) };
    if (!asked.isUnreadable) return { ok: false, error: asked.error };
    const oneLine = question.replaceAll(/\s+/g, " ").trim();
    return { ok: true, output: JSON.stringify({ questions: [{ question: cutAtWord(oneLine, 500), queries: [cutAtWord(oneLine, 200)] }] }) };
  },
};
