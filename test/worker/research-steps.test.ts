import { describe, expect, test } from "vitest";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { RESEARCH_TOOLS } from "#shared/research-tools.ts";
import { toolCall } from "#test/support/sample-tool-call.ts";
import { readJson } from "#worker/research/ask-json.ts";
import { nextStep } from "#worker/research/next-step.ts";
import { ResearchPlan } from "#worker/research/research-plan.ts";
import { questionIn } from "#worker/research/report-prompt.ts";

const ASKED = { question: "Why?", background: "", isLate: false, isFresh: true };
const sub = (question: string) => ({ question, queries: [question] });
const call = (tool: keyof typeof RESEARCH_TOOLS, change: Partial<ToolCall> = {}) =>
  toolCall({ id: crypto.randomUUID(), tool: RESEARCH_TOOLS[tool], status: "done", ...change });
const plan = call("plan", { output: JSON.stringify({ questions: ["a", "b", "c"].map(sub) }) });
const looked = ["a", "b", "c"].map((name) => call("question", { input: sub(name) }));
const gaps = (...names: string[]) => call("gaps", { output: JSON.stringify({ gaps: names.map(sub) }) });

/** What a step comes to, in short. */
function stepOf(calls: ToolCall[], change: Partial<typeof ASKED> = {}): string {
  const step = nextStep(calls, { ...ASKED, ...change });
  if (step.kind === "calls") return step.calls.map(({ tool, input }) => `${tool} ${String(input["question"])}`).join(", ");
  return step.kind === "report" ? `report${step.isCut ? ", cut" : ""}` : `failed: ${step.reason}`;
}

describe("a research's next step", () => {
  test("is the plan, then its sub-questions, one look for gaps, the gaps, and the report", () => {
    expect(stepOf([])).toBe("researchPlan Why?");
    expect(stepOf([plan])).toBe("researchQuestion a, researchQuestion b, researchQuestion c");
    expect(stepOf([plan, ...looked])).toBe("researchGaps Why?");
    expect(stepOf([plan, ...looked, gaps("d")])).toBe("researchQuestion d");
    expect(stepOf([plan, ...looked, gaps("d"), call("question", { input: sub("d") })])).toBe("report");
    expect(stepOf([plan, ...looked, gaps()])).toBe("report");
  });

  test("is the report where time is up, with a note only where something is left out", () => {
    expect(stepOf([plan], { isLate: true })).toBe("report, cut");
    expect(stepOf([plan, ...looked], { isLate: true })).toBe("report, cut");
    expect(stepOf([plan, ...looked, gaps("d")], { isLate: true })).toBe("report, cut");
    expect(stepOf([plan, ...looked, gaps()], { isLate: true })).toBe("report");
  });

  test("is the report where a person stopped a sub-question, where none was found out, and where gaps could not be looked for", () => {
    const [first, ...others] = looked;
    expect(stepOf([plan, call("question", { input: first?.input, status: "stopped" }), ...others])).toBe("report");
    expect(stepOf([plan, ...looked.map((one) => ({ ...one, status: "failed" as const }))])).toBe("report");
    expect(stepOf([plan, ...looked, call("gaps", { status: "failed" })])).toBe("report");
  });

  test("ends with a plan that is none, as an imported one may be: too long, empty or no JSON", () => {
    const many = JSON.stringify({ questions: Array.from({ length: 5_000 }, (_, n) => sub(String(n))) });
    for (const output of [many, '{"questions":[]}', "not JSON", null]) {
      expect(stepOf([call("plan", { output })])).toBe("failed: Its plan cannot be read.");
    }
    expect(stepOf([plan, ...looked, call("gaps", { output: "not JSON" })])).toBe("report");
  });

  test("ends with a plan that failed, and plans again when asked again", () => {
    const failed = call("plan", { status: "failed", output: "It is busy." });
    expect(stepOf([failed], { isFresh: false })).toBe("failed: It is busy.");
    expect(stepOf([failed])).toBe("researchPlan Why?");
    expect(stepOf([call("plan", { status: "stopped" })])).toBe("researchPlan Why?");
  });
});

describe("a plan as a model writes it", () => {
  const whole = { questions: ["a", "b", "c"].map(sub) };

  test("is read from between whatever stands around it", () => {
    expect(readJson(`Here it is:\n\`\`\`json\n${JSON.stringify(whole)}\n\`\`\``, ResearchPlan)).toEqual({ ok: true, value: whole });
  });

  test.each([
    ["too few questions", { questions: whole.questions.slice(1) }],
    ["too many", { questions: Array.from({ length: 7 }, () => sub("a")) }],
    ["a field that nobody asked for", { ...whole, note: "hi" }],
    ["no queries", { questions: whole.questions.map(({ question }) => ({ question, queries: [] })) }],
  ])("is refused with %s", (_, value) => {
    expect(readJson(JSON.stringify(value), ResearchPlan).ok).toBe(false);
  });

  test("is refused where there is none", () => {
    expect(readJson("I would rather not.", ResearchPlan)).toEqual({ ok: false, error: "There is no JSON object in it." });
  });
});

test("the question is the last message, and what was said before it its background", () => {
  const prompt = [
    { role: "system" as const, content: "Rules." },
    { role: "user" as const, content: "Hello" },
    { role: "assistant" as const, content: "Hi." },
    { role: "user" as const, content: [{ type: "text" as const, text: "Why?" }] },
  ];
  expect(questionIn(prompt)).toEqual({ question: "Why?", background: "user: Hello\n\nassistant: Hi." });
});
