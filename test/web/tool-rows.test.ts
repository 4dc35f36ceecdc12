import { describe, expect, test } from "vitest";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { toolCall as callOf } from "#test/support/sample-tool-call.ts";
import { groupCalls } from "#web/features/conversation/turns/tool-inserts.tsx";
import { citedNumbers } from "#shared/markdown/citation-marks.ts";
import { TOOL_CATEGORIES } from "#worker/people/tool-settings/categories.ts";
import { automaticNote, optionalAmong, toggled, toolCountText } from "#web/features/conversation/tools/optional-categories.ts";
import { humanize } from "#web/features/conversation/tools/humanize.ts";
import { isKnownTool, presenterOf } from "#web/features/conversation/tools/presenters/registry.ts";
import { isEmptyInput, readable } from "#web/features/conversation/tools/tool-input.ts";
import { toolLineOf, tailOf } from "#web/features/conversation/tools/tool-line.ts";
import { id } from "./message-factory.ts";

const LENA = { id: id(9), display_name: "Lena" };

function toolCall(change: Partial<ToolCall> = {}): ToolCall {
  return callOf({
    id: id(1),
    tool: "parallelWebSearch",
    input: { objective: "Find the law", search_queries: ["notice period", "law"] },
    status: "done",
    output: "",
    duration_ms: 1_240,
    ...change,
  });
}

/** A row as one text: verb, what about, figures. */
function row(change: Partial<ToolCall>): string {
  const { verb, about, stats } = toolLineOf(toolCall(change), id(8));
  return [verb, about, ...stats].filter(Boolean).join(" | ");
}

describe("a tool's row", () => {
  const page = (url: string, error: string | null = null) => ({ url, title: null, error });

  test("a tool's row says who decided, but not of what is one's own and asks nobody", () => {
    const approval = { user: LENA, decision: null };
    expect(row({ tool: "gmailSearch", input: { query: "from:marta" }, approval })).toBe("Searched Gmail | from:marta | 1.2 s");
    expect(row({ tool: "gmailSend", input: { subject: "Two rolls" }, approval: { user: LENA, decision: "approve" } })).toBe(
      "Sent a mail from Gmail | Two rolls | Approved by Lena | 1.2 s",
    );
  });

  test("a tool's row says in plain words what is done, about what, and how it went", () => {
    expect(row({ sources: [page("https://a.example"), page("https://b.example")] })).toBe(
      "Searched the web | for notice period | 2 results | 1.2 s",
    );
    expect(row({ tool: "exaCrawl", input: { urls: ["https://www.example.org/x"] } })).toBe("Read example.org | 1.2 s");
    expect(
      row({
        tool: "exaCrawl",
        input: { urls: ["https://a.example/1", "https://b.example/2"] },
        sources: [page("https://a.example/1"), page("https://b.example/2", "It took too long.")],
      }),
    ).toBe("Read 2 pages | a.example, b.example | 1 failed | 1.2 s");
    expect(row({ tool: "addTodoItem", input: { text: "Book the van" }, duration_ms: 3 })).toBe("Added a todo | Book the van");
    expect(row({ tool: "github__list_issues", input: {} })).toBe("Used github__list_issues | 1.2 s");
  });

  test("a tool's row distinguishes every state", () => {
    expect(row({ status: "running" })).toBe("Searching the web | for notice period");
    expect(row({ status: "failed" })).toBe("Could not search the web | for notice period | Failed | 1.2 s");
    expect(row({ status: "stopped" })).toBe("Searching the web | for notice period | Stopped");
    const asked = { tool: "sendLetter", input: {} };
    expect(row({ ...asked, status: "waiting", approval: { user: LENA, decision: null } })).toBe(
      "Wants to use sendLetter | Waiting for Lena",
    );
    expect(row({ ...asked, status: "discarded", approval: { user: LENA, decision: "discard" } })).toBe("Discarded: Send letter | By Lena");
    const late = { user: LENA, decision: "discard", isExpired: true } as const;
    expect(row({ ...asked, status: "discarded", approval: late })).toBe("Discarded: Send letter | Nobody decided in time");
    const changed = { user: LENA, decision: "discard", isChangeAsked: true } as const;
    expect(row({ ...asked, status: "discarded", approval: changed })).toBe("Discarded: Send letter | Changed by Lena");
    expect(row({ ...asked, approval: { user: LENA, decision: "approve" } })).toBe("Used sendLetter | Approved by Lena | 1.2 s");
    expect(toolLineOf(toolCall({ ...asked, approval: { user: LENA, decision: "approve" } }), LENA.id).stats).toContain("Approved by you");
    expect(row({ ...asked, approval: { user: LENA, decision: "always" } })).toBe("Used sendLetter | Always allowed | 1.2 s");
  });

  test("a tool's row sums the cost of its sub-answers, and accepts input of any shape", () => {
    const part = (key: string, cost: number | null) => ({ id: key, title: key, model_id: null, text: "", status: "done" as const, cost });
    const input = { question: "Why?", models: ["a/b", "c/d"] };
    expect(row({ tool: "multiModelSynthesis", input, parts: [part("1", 0.002), part("2", 0.001), part("3", null)] })).toBe(
      "Asked 3 models | Why? | 1.2 s | $0.0030",
    );
    for (const odd of [null, "not json", 7, [], { search_queries: [1, null] }])
      expect(row({ input: odd })).toBe("Searched the web | 1.2 s");
  });

  test("a tool's row stands with others at its place in the text, in reading order", () => {
    const at = (number: number, place: number) => toolCall({ id: id(number), at: place });
    const groups = groupCalls([at(1, 40), at(2, 0), at(3, 40)]);
    expect(groups.map((group) => [group.at, group.calls.map((own) => own.id)])).toEqual([
      [0, [id(2)]],
      [40, [id(1), id(3)]],
    ]);
  });

  test("a tool's row shows the last words of a growing sub-answer on one line and without markdown", () => {
    expect(tailOf("## Verdict\n\n- **cheaper**\n")).toBe("Verdict - cheaper");
    expect(tailOf(`${"x".repeat(400)} end`)).toMatch(/^…x+ end$/);
  });
});

test("what a call was given and gave is indented where it is JSON and otherwise as it is", () => {
  expect(readable({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(readable("[1] A page")).toBe("[1] A page");
  expect(readable("plain")).toBe("plain");
  expect([{}, null, "", { a: 1 }, "x"].map(isEmptyInput)).toEqual([true, true, true, false, false]);
});

test("what a call was given and gave has names that people read", () => {
  expect(["sendEmail", "github__list_issues", "reply_to", "HTMLBody"].map(humanize)).toEqual([
    "Send email",
    "Github list issues",
    "Reply to",
    "Htmlbody",
  ]);
  expect(["exaCrawl", "blandCall", "constructor"].map((tool) => presenterOf(tool).name)).toEqual([
    "Read web pages",
    "Call a number",
    "Constructor",
  ]);
  expect(["exaCrawl", "constructor", "openai/gpt-5-mini", "llama3:8b"].filter(isKnownTool)).toEqual(["exaCrawl"]);
});

test("the sources of an answer are those that its text refers to", () => {
  expect(citedNumbers("Both [3] and [1][3], not [9].", 4)).toEqual([1, 3]);
  expect(citedNumbers("Nothing.", 4)).toEqual([]);
});

test("the picker's note names what is used automatically where it is there", () => {
  const on = (...names: string[]) => names.map((name) => ({ id: name, isAlwaysOn: true }));
  const rest = "tools are used automatically at the agent's discretion.";
  expect(automaticNote(on("search", "todo", "artifacts"))).toBe(`Web search, artifact and to-do ${rest}`);
  expect(automaticNote(on("search", "todo"))).toBe(`Web search and to-do ${rest}`);
  expect(automaticNote(on("todo"))).toBe(`To-do ${rest}`);
  expect(automaticNote([{ id: "synthesis", isAlwaysOn: false }])).toBeNull();
});

test("the picker counts the optional categories that are on, and no others", () => {
  expect([0, 1, 3].map(toolCountText)).toEqual(["No tools", "1 tool", "3 tools"]);
  expect(optionalAmong(["search", "unknown"], TOOL_CATEGORIES)).toEqual([]);
  expect(optionalAmong(["truth-seeker", "synthesis"], TOOL_CATEGORIES)).toEqual(["synthesis", "truth-seeker"]);
  const search = TOOL_CATEGORIES.slice(0, 1);
  expect(optionalAmong(["synthesis"], search)).toEqual([]);
  expect([toggled(["a", "b"], "a"), toggled(["a"], "b")]).toEqual([["b"], ["a", "b"]]);
});
