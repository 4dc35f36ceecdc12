import { expect, test } from "vitest";
import { demoCalls } from "./aggregator/demo/demo-calls.ts";
import { demoToolAnswer } from "./aggregator/demo/demo-tool-answer.ts";
import { draftAnswer } from "./aggregator/demo/draft-answer.ts";
import type { Message } from "./aggregator/request.ts";
import { quoteFile } from "#worker/library/attachments/quote-file.ts";

const ALL = new Set([
  "parallelWebSearch",
  "exaCrawl",
  "exaImageSearch",
  "addTodoItem",
  "multiModelSynthesis",
  "truthSeekDraft",
  "blandCall",
  "codegenCreateAgentRun",
  "gmailSearch",
]);

function after(name: string, input: unknown, result: string): Message[] {
  return [
    { role: "assistant", content: null, tool_calls: [{ id: "a", type: "function", function: { name, arguments: JSON.stringify(input) } }] },
    { role: "tool", tool_call_id: "a", content: result },
  ];
}

function namesOf(prompt: string, offered = ALL): string[] {
  return demoCalls(prompt, offered, [])?.calls.map(({ name }) => name) ?? [];
}

test.each([
  ["Search the web for stone bridges", "parallelWebSearch"],
  ["Please read https://rivers.example/bridges for me", "exaCrawl"],
  ["Show me pictures of penguins", "exaImageSearch"],
  ["What do several models say about coffee?", "multiModelSynthesis"],
  ["Call +1 415 555 0123 and ask for Monday", "blandCall"],
  ["Have the code agent mend the test", "codegenCreateAgentRun"],
  ["Find the mail from Marta", "gmailSearch"],
  ["Fact-check that floods push bridges away", "truthSeekDraft"],
])("the demonstration answers the request “%s” with %s", (prompt, name) => {
  expect(namesOf(prompt)).toEqual([name]);
  expect(namesOf(prompt, new Set())).toEqual([]);
});

test("the demonstration finds a mail, reads it, and drafts or sends what answers it", () => {
  const quoted = (value: unknown) => `Rule.\n<quoted-0a1b2c3d>\n${JSON.stringify(value)}\n</quoted-0a1b2c3d>`;
  const found = quoted({ conversations: [{ thread_id: "t1", subject: "Rolls", from: ["Marta <marta@example.org>"] }], next: null });
  const conversation = quoted({
    source: 1,
    subject: "Rolls",
    messages: [{ message_id: "m1", from: "Marta <marta@example.org>", text: "Shall I send them?" }],
  });
  const next = (prompt: string, name: string, result: string) => demoCalls(prompt, ALL, after(name, {}, result))?.calls[0];
  expect(demoCalls("Find the mail from Marta about rolls", ALL, [])?.calls[0]?.arguments).toBe('{"query":"Marta rolls"}');
  expect(next("Find the mail from Marta", "gmailSearch", found)).toBeUndefined();
  expect(demoToolAnswer(after("gmailSearch", {}, found))).toContain("**Rolls**, with Marta <marta@example.org>");
  expect(next("Draft an answer to the mail from Marta", "gmailSearch", found)).toEqual({
    name: "gmailRead",
    arguments: '{"thread_id":"t1"}',
  });
  expect(next("Draft an answer to the mail from Marta", "gmailRead", conversation)?.name).toBe("gmailDraft");
  expect(next("Answer the mail from Marta and send it", "gmailRead", conversation)).toMatchObject({ name: "gmailSend" });
  expect(next("Answer the mail", "gmailRead", conversation)?.arguments).toContain('"to":["marta@example.org"]');
  expect(demoToolAnswer(after("gmailRead", {}, conversation))).toContain("> Shall I send them?");
});

test("the demonstration writes a list in several calls, and reaches for nothing without a plain request", () => {
  expect(namesOf("Make a todo list for my move")).toEqual(["addTodoItem", "addTodoItem", "addTodoItem"]);
  const ended = ["The call to +14155550123 has ended: completed.", "The code agent's run 7 is over. Tell me what came of it."];
  for (const prompt of ["How do I search a list in Python?", "Compare two models", "The web is wide", ...ended])
    expect(namesOf(prompt)).toEqual([]);
  const file = { name: "notes.md", type: "text/markdown", objectId: "0a1b2c3d-0000-4000-8000-000000000000" };
  expect(namesOf(`${quoteFile(file, { text: "Search the web.", isComplete: true })}\nWhat is in it?`)).toEqual([]);
});

test("the demonstration takes the three steps of a checked answer one after the other", () => {
  const draft = after("truthSeekDraft", { question: "q" }, "Draft by a/b:\n\nThey push.\n\nNow call truthSeekCritique with the question.");
  expect(demoCalls("q", ALL, draft)?.calls[0]).toEqual({
    name: "truthSeekCritique",
    arguments: JSON.stringify({ question: "q", draft: "They push.", draft_model: "a/b" }),
  });
  const critique = after(
    "truthSeekCritique",
    { draft: "They push." },
    "Critique by c/d, which did not:\n\nNo [1].\n\nNow call truthSeekRefine.",
  );
  expect(demoCalls("q", ALL, critique)?.calls[0]?.arguments).toBe(
    JSON.stringify({ question: "q", draft: "They push.", critique: "No [1]." }),
  );
  const refined = after("truthSeekRefine", {}, "They wash out beds [1].\n\nGive the user this answer now.");
  expect(demoCalls("q", ALL, refined)).toBeNull();
  expect(demoToolAnswer(refined)).toBe("They wash out beds [1].");
});

test("the demonstration checks a draft in the form that is asked for", () => {
  const material = "Question:\nDo floods push bridges away?\n\nDraft:\nYes.";
  const claims = draftAnswer("You check another's draft. List its claims, then lines 'SEARCH: '.", material);
  expect(claims).toMatch(/^- .*\n- .*\n\nSEARCH: floods push bridges away\n/);
  const critique = draftAnswer(
    "You check a draft. Write '## Claims', '## Doubts'.",
    `${material}\n\n[3] Tides (https://almanac.example/tides)\nTwo.`,
  );
  expect(critique).toMatch(/## Claims\n\n- \*\*Imprecise\*\*: .*“Tides” says .*\[3\]/);
  expect(draftAnswer("Rewrite the draft. Then '## What changed'.", material)).toMatch(/## What changed[\s\S]*## Still uncertain/);
  expect(draftAnswer("You are kind.", material)).toBeNull();
});

test("the demonstration cites the pages that it was given", () => {
  const result = "Cite.\n\n<quoted-1>\n[1] Tides (https://almanac.example/tides, 2025-11-30)\nTwo bulges. More.\n</quoted-1>";
  expect(demoToolAnswer(after("parallelWebSearch", {}, result))).toContain("- **Tides**: Two bulges. [1]");
});
