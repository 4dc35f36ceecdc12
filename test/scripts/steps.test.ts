import { expect, test } from "vitest";
import { playwrightCounts, sum, totalLine, vitestCounts } from "../../scripts/lib/steps.ts";

test("vitest's closing line is counted", () => {
  expect(vitestCounts("\n Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 31 passed | 1 skipped (34)\n")).toEqual({
    passed: 31,
    failed: 2,
  });
});

test("a run that never came to its closing line has no count", () => {
  expect(vitestCounts("Error: no such file")).toBeNull();
  expect(playwrightCounts("Error: no tests found")).toBeNull();
});

test("playwright's closing lines are counted, and neither titles nor colours mislead", () => {
  const output =
    "[1/5] a.test.ts › 9 failed attempts are told\n\u001B[31m  1 failed\u001B[39m\n    [desktop] › a.test.ts\n  2 did not run\n  12 passed (1.2m)\n";
  expect(playwrightCounts(output)).toEqual({ passed: 12, failed: 3 });
});

test("the last line sums all runners", () => {
  expect(totalLine(sum({ passed: 3, failed: 0 }, { passed: 4, failed: 1 }))).toBe("\ntotal: 7 passed, 1 failed\n");
});
