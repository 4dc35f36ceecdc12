import { describe, expect, test } from "vitest";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import { toolCall } from "#test/support/sample-tool-call.ts";
import { readJson } from "#worker/conversation/turn/research/ask-json.ts";
import { nextStep, splitQuestion, reportRequest } from "#worker/conversation/turn/research/run-research.ts";
import { ResearchPlan } from "#worker/conversation/turn/research/research-plan.ts";
import { cutAtWord } from "#worker/platform/texts/cut-at-word.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";

const ASKED = { question: "Why?", background: "", isLate: false, isFresh: true };
const sub = (question: string) => ({ question, queries: [question] });
const call = (tool: keyof typeof RESEARCH_TOOLS, change: Partial<ToolCall> = {}) =>
  toolCall({ id: crypto.randomUUID(), tool: RESEARCH_TOOLS[tool], status: "done", ...change });
const plan = call("plan", { output: JSON.stringify({ questions: ["a", "b", "c"].map(sub) }) });
const answered = ["a", "b", "c"].map((name) => call("question", { input: sub(name) }));
const gaps = (...names: string[]) => call("gaps", { output: JSON.stringify({ gaps: names.map(sub) }) });

/** What a step comes to, in short. */
function stepOf(calls: ToolCall[], change: Partial<typeof ASKED> = {}): string {
  const step = nextStep(calls, { ...ASKED, ...change });
  if (step.kind === "calls") return step.calls.map(({ tool, input }) => `${tool} ${String(input["question"])}`).join(", ");
  return step.kind === "report" ? `report${step.isCut ? ", cut" : ""}` : `failed: ${step.reason}`;
}

test("a research's next step is the plan, then its sub-questions, one look for gaps, the gaps, and the report", () => {
  expect(stepOf([])).toBe("researchPlan Why?");
  expect(stepOf([plan])).toBe("researchQuestion a, researchQuestion b, researchQuestion c");
  expect(stepOf([plan, ...answered])).toBe("researchGaps Why?");
  expect(stepOf([plan, ...answered, gaps("d")])).toBe("researchQuestion d");
  expect(stepOf([plan, ...answered, gaps("d"), call("question", { input: sub("d") })])).toBe("report");
  expect(stepOf([plan, ...answered, gaps()])).toBe("report");
});

test("a research's next step is the report where time is up, with a note only where something is left out", () => {
  expect(stepOf([plan], { isLate: true })).toBe("report, cut");
  expect(stepOf([plan, ...answered], { isLate: true })).toBe("report, cut");
  expect(stepOf([plan, ...answered, gaps("d")], { isLate: true })).toBe("report, cut");
  expect(stepOf([plan, ...answered, gaps()], { isLate: true })).toBe("report");
});

test("a research's next step is the report where a person stopped a sub-question, where none was found out, and where gaps could not be looked for", () => {
  const [first, ...others] = answered;
  expect(stepOf([plan, call("question", { input: first?.input, status: "stopped" }), ...others])).toBe("report");
  expect(stepOf([plan, ...answered.map((one) => ({ ...one, status: "failed" as const }))])).toBe("report");
  expect(stepOf([plan, ...answered, call("gaps", { status: "failed" })])).toBe("report");
});

test("a research's next step ends with a plan that is none, as an imported one may be: too long, empty or no JSON", () => {
  const many = JSON.stringify({ questions: Array.from({ length: 5_000 }, (_, n) => sub(String(n))) });
  for (const output of [many, '{"questions":[]}', "not JSON", null]) {
    expect(stepOf([call("plan", { output })])).toBe("failed: Its plan cannot be read.");
  }
  expect(stepOf([plan, ...answered, call("gaps", { output: "not JSON" })])).toBe("report");
});

test("a research's next step ends with a plan that failed, and plans again when asked again", () => {
  const failed = call("plan", { status: "failed", output: "It is busy." });
  expect(stepOf([failed], { isFresh: false })).toBe("failed: It is busy.");
  expect(stepOf([failed])).toBe("researchPlan Why?");
  expect(stepOf([call("plan", { status: "stopped" })])).toBe("researchPlan Why?");
});

describe("a plan as a model writes it", () => {
  const fullPlan = { questions: ["a", "b", "c"].map(sub) };

  test("a plan as a model writes it is read from between whatever stands around it", () => {
    expect(readJson(`Here it is:\n\`\`\`json\n${JSON.stringify(fullPlan)}\n\`\`\``, ResearchPlan)).toEqual({ ok: true, value: fullPlan });
  });

  test.each([
    ["too few questions", { questions: fullPlan.questions.slice(1) }],
    ["too many", { questions: Array.from({ length: 7 }, () => sub("a")) }],
    ["a field that nobody asked for", { ...fullPlan, note: "hi" }],
    ["no queries", { questions: fullPlan.questions.map(({ question }) => ({ question, queries: [] })) }],
  ])("a plan as a model writes it is refused with %s", (_, value) => {
    expect(readJson(JSON.stringify(value), ResearchPlan).ok).toBe(false);
  });

  test("a plan as a model writes it is refused where there is none", () => {
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
  expect(splitQuestion(prompt)).toEqual({ question: "Why?", background: "user: Hello\n\nassistant: Hi." });
});

test("a long question is cut between words, and a file in it keeps both its marks", () => {
  const words = "lantern ".repeat(1_000);
  const file = `The file:\n<file-0a1b2c3d>\n${words}\n</file-0a1b2c3d>`;
  const asked = (text: string) => ({ role: "user" as const, content: [text, file].map((part) => ({ type: "text" as const, text: part })) });
  const { question, background } = splitQuestion([asked(words), asked(`${words} Why?`)]);
  expect(question.length).toBeLessThanOrEqual(12_000 + 2);
  expect(question).toMatch(/ Why\?\n\nThe file:\n<file-0a1b2c3d>\n(lantern )+lantern…\n<\/file-0a1b2c3d>$/);
  expect(background.length).toBeLessThanOrEqual(6_000);
  expect(background).toMatch(/^…lantern /);
});

test.each([
  ["one two three", 9, "one two…"],
  ["one two three", 8, "one two…"],
  ["one two three", 7, "one…"],
  ["灯籠灯籠灯籠", 4, "灯籠灯…"],
  ["ab😀cd", 4, "ab…"],
  ["short", 5, "short"],
  ["any", 0, ""],
])("%s in %i characters is cut to %s", (text, limit, cut) => {
  expect(cutAtWord(text, limit)).toBe(cut);
});

describe("the findings of a report", () => {
  const note = (n: number) => `- Statement ${n} with its words [${n}]`;
  const notes = (from: number, count: number) => Array.from({ length: count }, (_, n) => note(from + n)).join("\n");
  const finding = (question: string, text: string) => call("question", { input: sub(question), output: quoteUntrusted(text) });
  const calls = [finding("short", note(1)), finding("long", notes(2, 300)), finding("longer", notes(400, 900))];
  const contentOf = (room: number) => reportRequest(calls, room).content;

  test("the findings of a report fit the room that there is: long ones are shortened by whole lines, numbers and marks kept, short ones are whole", () => {
    const uncut = contentOf(Number.POSITIVE_INFINITY);
    const room = 12_000;
    const cut = contentOf(room);
    expect(uncut.length).toBeGreaterThan(3 * room);
    expect(cut.length).toBeLessThanOrEqual(room);
    expect(cut.length).toBeGreaterThan(0.9 * room);
    const lines = cut.split("\n").filter((line) => line.startsWith("- "));
    expect(lines).toEqual(lines.map((line) => note(Number(/Statement (\d+)/.exec(line)?.[1]))));
    const numbers = new Set(lines.map((line) => Number(/\[(\d+)\]$/.exec(line)?.[1])));
    expect([numbers.has(1), numbers.has(2), numbers.has(400)]).toEqual([true, true, true]);
    const opened = Array.from(cut.matchAll(/^<(quoted-\w+)>$/gm), ([, mark]) => mark);
    const closed = Array.from(cut.matchAll(/^<\/(quoted-\w+)>$/gm), ([, mark]) => mark);
    expect(opened).toHaveLength(3);
    expect(closed).toEqual(opened);
    expect(cut.match(/^…$/gm)).toHaveLength(2);
  });

  test("the findings of a report that are more than there is room for leave out the last", () => {
    const many = Array.from({ length: 1_000 }, (_, n) => finding(`Question ${n}?`, notes(n, 50)));
    const cut = reportRequest(many, 10_000).content;
    expect(cut.length).toBeLessThanOrEqual(10_000);
    expect(cut).toContain("Question 0?");
    expect(cut).not.toContain("Question 20?");
  });
});
