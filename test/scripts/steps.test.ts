import { expect, test } from "vitest";
import { judge, playwrightCounts, sum, totalLine, vitestCounts } from "../../scripts/lib/steps.ts";

test("vitest's closing line is counted", () => {
  expect(vitestCounts("\n Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 31 passed | 1 skipped (34)\n")).toEqual({
    passed: 31,
    failed: 2,
    flaky: [],
  });
});

test("a run that never came to its closing line has no count", () => {
  expect(vitestCounts("Error: no such file")).toBeNull();
  expect(playwrightCounts("Error: no tests found")).toBeNull();
});

test("playwright's closing lines are counted, and neither titles nor colours mislead", () => {
  const output =
    "[1/5] a.test.ts › 9 failed attempts are told\n\u001B[31m  1 failed\u001B[39m\n    [desktop] › a.test.ts\n  2 did not run\n  12 passed (1.2m)\n";
  expect(playwrightCounts(output)).toEqual({ passed: 12, failed: 3, flaky: [] });
});

test("what passed only when tried again has passed, and is named", () => {
  const output =
    "  1 failed\n    [desktop] › a.test.ts:3:5 › one ─────\n  2 flaky\n    [desktop] › b.test.ts:1:1 › two ─────\n    [desktop] › c.test.ts:9:3 › three \n  12 passed (1.2m)\n";
  const counts = playwrightCounts(output);
  expect(counts).toEqual({ passed: 14, failed: 1, flaky: ["[desktop] › b.test.ts:1:1 › two", "[desktop] › c.test.ts:9:3 › three"] });
});

test("the last line sums all runners", () => {
  expect(totalLine(sum({ passed: 3, failed: 0, flaky: [] }, { passed: 4, failed: 1, flaky: [] }))).toBe("\ntotal: 7 passed, 1 failed\n");
});

test("the last line names the browsers that are not to be had, and they fail nothing", () => {
  const counts = sum({ passed: 3, failed: 0, flaky: [] }, { passed: 4, failed: 0, flaky: [], missing: ["Firefox", "WebKit"] });
  expect(totalLine(counts)).toBe(
    "\ntotal: 7 passed, 0 failed; nothing was tried in Firefox and WebKit, which could neither be found nor installed\n",
  );
  expect(judge(counts).failed).toBe(0);
});

test("up to three flaky tests are listed above the last line, and more of them have failed", () => {
  const few = { passed: 9, failed: 0, flaky: ["a", "b", "c"] };
  expect(judge(few).failed).toBe(0);
  expect(totalLine(few)).toMatch(/^\nflaky, .*:\n {2}a\n {2}b\n {2}c\n\ntotal: 9 passed, 0 failed\n$/);
  const many = { ...few, flaky: ["a", "b", "c", "d"] };
  expect(judge(many).failed).toBe(4);
  expect(totalLine(many)).toContain("\ntotal: 5 passed, 4 failed\n");
});
