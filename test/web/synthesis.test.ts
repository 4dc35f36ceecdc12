import { describe, expect, test } from "vitest";
import type { ToolCall, ToolPart } from "#shared/entities/tool-call.ts";
import { parseMarkdown } from "#shared/markdown/parse.ts";
import { firstSentenceOf, comparedModelsOf, answerKindLabel } from "#web/features/conversation/synthesis/sub-answers.ts";
import { readStances } from "#web/features/conversation/synthesis/stance-table.tsx";
import { changedRuns } from "#web/features/conversation/truth-seeker/changed-marks.tsx";
import { readChanges, readCritique } from "#web/features/conversation/truth-seeker/truth-row.tsx";

const part = (title: string, status: ToolPart["status"] = "done"): ToolPart => ({
  id: title,
  title,
  model_id: `maker/${title}`,
  text: "",
  status,
  cost: null,
});

const call = (tool: string, parts: ToolPart[]): ToolCall => ({
  id: tool,
  tool,
  input: {},
  status: "done",
  approval: null,
  at: 0,
  output: null,
  sources: [],
  images: [],
  parts,
  cost: null,
  duration_ms: null,
});

describe("a synthesis", () => {
  test("a synthesis says of how many answers it is, and none of an answer by one model", () => {
    const subAnswers = [part("a"), part("b"), part("c", "failed")];
    expect(answerKindLabel([call("multiModelSynthesis", subAnswers)])).toBe("Synthesis of 2 answers");
    expect(answerKindLabel([call("multiModelSynthesis", [part("a"), part("b", "running")])])).toBe("Synthesis");
    expect(answerKindLabel([call("truthSeekDraft", [part("a")])])).toBe("Truth seeker");
    expect(answerKindLabel([call("parallelWebSearch", [])])).toBeNull();
    expect(
      comparedModelsOf([call("parallelWebSearch", [part("x")]), call("multiModelSynthesis", subAnswers)]).map(({ modelId }) => modelId),
    ).toEqual(["maker/a", "maker/b", "maker/c"]);
  });

  test("a synthesis shows the first sentence of a sub-answer without markdown, or why there is none", () => {
    expect(firstSentenceOf({ text: "# Advice\n\n**Beato**. The lease at Alvalade is the larger risk. More.", status: "done" })).toBe(
      "Beato. The lease at Alvalade is the larger risk.",
    );
    expect(firstSentenceOf({ text: "It began\n\nIt did not answer in time.", status: "failed" })).toBe("It did not answer in time.");
    expect(firstSentenceOf({ text: "", status: "done" })).toBe("");
  });

  const tableOf = (text: string) => {
    const [node] = parseMarkdown(text).children;
    return node?.type === "table" ? readStances(node, ["GPT", "Gemini"]) : null;
  };

  test("a synthesis reads a table of marks as where its models stand, in groups", () => {
    const head = "| Where they stand | GPT | Gemini |\n| --- | :-: | :-: |\n";
    const read = tableOf(`${head}| **Dispute** | | |\n| It may be *sublet* | ✓ | ✗ |\n| It is cheap | ✔️ | – |\n| It is`);
    expect(read).toMatchObject({ head: "Where they stand", names: ["GPT", "Gemini"] });
    expect(read?.rows.map((row) => (row.kind === "group" ? row.title : row.stances))).toEqual([
      "Dispute",
      ["says", "denies"],
      ["says", "silent"],
      [null, null],
    ]);
  });

  test("a synthesis leaves any other table as it is", () => {
    expect(tableOf("| Year | Rent | Change |\n| --- | --- | --- |\n| 2023 | 1,240 | – |")).toBeNull();
    expect(tableOf("| Point | GPT |\n| --- | --- |\n| It is | ✓ |")).toBeNull();
    expect(tableOf("| Flat | Lift | Cellar |\n| --- | --- | --- |\n| Beato | yes | no |")).toBeNull();
    expect(tableOf("| Point | GPT | Gemini |\n| --- | --- | --- |\n| It is | | |")).toBeNull();
    expect(tableOf("| Point | gpt | Gemini | Other |\n| --- | --- | --- | --- |\n| It is | yes | no | |")?.names).toHaveLength(3);
  });
});

test("the truth seeker reads each claim with its verdict and reason, and keeps the rest", () => {
  const critique = readCritique(
    "## Claims\n\n- **Holds**: It burned in 1842. — Two sources say so [1].\n- **No evidence:** All records were lost.\n1. **Doubtful**: A third – of the old town.\n\n## Doubts\n\n- None.",
  );
  expect(critique.claims).toEqual([
    { verdict: "holds", claim: "It burned in 1842.", reason: "Two sources say so [1]." },
    { verdict: "unknown", claim: "All records were lost.", reason: null },
    { verdict: "imprecise", claim: "A third", reason: "of the old town." },
  ]);
  expect(critique.rest).toBe("## Doubts\n\n- None.");
});

test("the truth seeker shows a critique of another form as it is", () => {
  for (const text of ["It burned.", "## Claims\n\n- **Holds**: It burned.\n- And so on."]) {
    expect(readCritique(text)).toEqual({ claims: [], rest: text });
  }
});

test("the truth seeker counts what was changed", () => {
  expect(readChanges("It burned.\n\n## What changed\n\n- The year.\n- The place.\n\n## Still uncertain\n\n- Why.")).toEqual({
    list: "- The year.\n- The place.",
    count: 2,
  });
  expect(readChanges("It burned.")).toEqual({ list: "", count: 0 });
});

test("the truth seeker finds the words that the draft did not have, and marks nothing of what was written anew", () => {
  const draft = "The fire took 51 lives and a third of the city. The town hall burned.";
  const answer = "The fire took 51 lives and a third of the old town's buildings. The town hall burned.";
  expect(changedRuns(draft, answer).map(([from, to]) => answer.slice(from, to))).toEqual(["old town's buildings"]);
  expect(changedRuns(draft, "Nothing of it is true, as far as anybody knows.")).toEqual([]);
});

test("the truth seeker compares long texts without an end in sight no further than a reader would wait", () => {
  const long = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word}${index}`).join(" ");
  const begun = performance.now();
  expect(changedRuns(long("a"), long("b"))).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(3_000);
  const draft = long("a");
  expect(changedRuns(draft, draft.replace("a700 ", "other "))).toHaveLength(1);
  expect(changedRuns("one two three four five six", "one two")).toEqual([]);
});
