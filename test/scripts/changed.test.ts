import { existsSync, globSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { MET_BY, reachedInBrowser } from "../../scripts/lib/changed.ts";

const files = (...names: string[]) => names.map((name) => `test/e2e/${name}.test.ts`);

test("a browser test reaches itself, and what no browser sees reaches none", () => {
  expect(reachedInBrowser(["test/e2e/queue.test.ts"])).toEqual(files("queue"));
  expect(reachedInBrowser(["test/browsers/answers.test.ts", "test/browsers/driver/webkit.ts"])).toEqual(["test/browsers"]);
  expect(reachedInBrowser(["README.md", "docs/benchmark.md", "test/worker/chat.test.ts", "scripts/bench.ts"])).toEqual([]);
});

test("a feature reaches the tests that meet it, on either side, and those that meet all", () => {
  const expected = files("accessibility", "first-minutes", "research");
  expect(reachedInBrowser(["worker/conversation/research/run.ts"])).toEqual(expected);
  expect(reachedInBrowser(["web/features/conversation/research/report.tsx", "worker/conversation/research/run.ts"])).toEqual([
    "test/browsers",
    ...expected,
  ]);
  expect(reachedInBrowser(["CHANGELOG.md"])).toContain("test/e2e/everywhere.test.ts");
});

test.each([
  "web/lib/api.ts",
  "web/features/conversation/chat/chat.tsx",
  "worker/app.ts",
  "worker/conversation/chat-room/chat-room.ts",
  "shared/limits.ts",
])("%s reaches every browser test, whatever else changed", (path) =>
  expect(reachedInBrowser(["web/features/conversation/research/report.tsx", path])).toBe("all"),
);

test.each([
  "test/e2e/fixtures/chat.ts",
  "test/simulators/main.ts",
  "migrations/0001_baseline.sql",
  "package-lock.json",
  "scripts/lib/serve.ts",
])("%s reaches every browser test", (path) => expect(reachedInBrowser([path])).toBe("all"));

test("every feature and every test that the rule names is there", () => {
  const topics = new Set(["web/features", "worker"].flatMap((root) => globSync(`${root}/*/*/`)).map((path) => basename(path)));
  const features = Object.keys(MET_BY).filter((name) => !topics.has(name));
  const tests = Object.values(MET_BY).flatMap((names) => files(...names).filter((file) => !existsSync(file)));
  expect({ features, tests }).toEqual({ features: [], tests: [] });
});
