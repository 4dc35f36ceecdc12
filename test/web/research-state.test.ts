import { expect, test } from "vitest";
import type { ToolCall, ToolPart } from "#shared/entities/tool-call.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import { toolCall } from "#test/support/sample-tool-call.ts";
import { researchState, stepsMs } from "#web/features/conversation/research/research-state.ts";

let made = 0;
const call = (tool: keyof typeof RESEARCH_TOOLS, change: Partial<ToolCall> = {}) =>
  toolCall({ id: String((made += 1)), tool: RESEARCH_TOOLS[tool], status: "done", duration_ms: 1_000, cost: 0.01, ...change });
const part = (id: string, text = ""): ToolPart => ({ id, title: id, model_id: null, text, status: "running", cost: null });
const source = (title: string) => ({ url: `https://${title}.example`, title, error: null });
const plan = call("plan");
const question = (change: Partial<ToolCall> = {}) => call("question", { input: { question: "Why?" }, ...change });
const running = (...parts: ToolPart[]) => question({ status: "running", parts, duration_ms: null, cost: null });

test("a research's state says in its headline what it is doing, and how far it is", () => {
  const headline = (calls: ToolCall[], isLive = true) => {
    const { headline: text, progress } = researchState(calls, isLive);
    return [text, progress];
  };
  const done = question({ sources: [source("a")] });
  expect(headline([call("plan", { status: "running" })])).toEqual(["Planning the research", null]);
  expect(headline([plan, done, running()])).toEqual(["Looking into 2 questions", "1 of 2 done"]);
  expect(headline([plan, done, call("gaps", { status: "running" })])).toEqual(["Checking what is missing", null]);
  expect(headline([plan, done, call("gaps"), running()])).toEqual(["Filling 1 gap", "0 of 1 done"]);
  expect(headline([plan, done, call("gaps")])).toEqual(["Writing the report", null]);
  expect(headline([plan, done, call("gaps"), done], false)).toEqual(["Researched 2 questions", null]);
  expect(headline([call("plan", { status: "failed" })], false)).toEqual(["Could not plan the research", null]);
});

test("a research's state has each question's step, then what came of it, and its sources as they come", () => {
  const searching = running(part("search"));
  const reading = running(part("search", "“stone”\n\n- [1] Rivers\n- [2] Floods"), part("read"));
  const { planned, added, sources } = researchState(
    [
      plan,
      searching,
      reading,
      question({ sources: [source("Floods"), source("Tides")] }),
      question({ status: "failed" }),
      call("gaps"),
      question(),
    ],
    true,
  );
  expect(planned.map(({ note }) => note)).toEqual(["Searching", "Reading", "2 sources", "Failed"]);
  expect(planned[1]?.found).toEqual(["Rivers", "Floods"]);
  expect(added).toHaveLength(1);
  expect(sources).toBe(3);
});

test("a research's state counts the time of questions that ran at once but once", () => {
  const calls = [plan, question({ duration_ms: 4_000 }), question({ duration_ms: 9_000 }), call("gaps"), question({ duration_ms: 3_000 })];
  expect(stepsMs(calls)).toBe(14_000);
});
