import { expect, test } from "vitest";
import { parseDocument } from "#shared/markdown/bounded-document.ts";
import { splitRuns } from "#web/features/library/markdown/growing/runs.ts";

/** Sections of a heading, a paragraph, a rule and a list. */
const text = Array.from({ length: 40 }, (_, n) => `## ${n}\n\nA paragraph.\n\n---\n\n- a list\n`).join("\n");
const blocks = parseDocument(text);

test("the runs of a text hold every block once, in order", () => {
  const runs = splitRuns(blocks);
  expect(runs.length).toBeGreaterThan(4);
  expect(runs.flatMap(({ from, to }) => blocks.slice(from, to))).toEqual(blocks);
});

test("the runs of a text are not cut anew as the text grows", () => {
  const allRuns = splitRuns(blocks);
  for (let count = 1; count <= blocks.length; count += 1) {
    const runs = splitRuns(blocks.slice(0, count));
    expect(runs.slice(0, -1)).toEqual(allRuns.slice(0, runs.length - 1));
    expect(runs.at(-1)).toEqual({ from: allRuns[runs.length - 1]?.from, to: count });
  }
});

test("the runs of a text end neither with a heading nor with a rule, whose room below is another", () => {
  const ends = splitRuns(blocks)
    .slice(0, -1)
    .map(({ to }) => blocks[to - 1]?.node.type);
  expect(ends).not.toContain("heading");
  expect(ends).not.toContain("thematicBreak");
});
