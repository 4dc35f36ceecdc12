import { randomInt } from "node:crypto";
import { globSync } from "node:fs";
import { runBrowserTests } from "./lib/browser-tests.ts";
import { ROOT } from "./lib/paths.ts";
import { runMain } from "./lib/run-main.ts";
import { type Counts, endRun, runSteps, vitestCounts } from "./lib/steps.ts";
import { runStrictTests } from "./lib/strict-tests.ts";

/** fast-check takes a seed of 32 bits. */
const SEEDS = 2 ** 31;

/** Browser tests of which `npm test` tries a part (test/e2e/fixtures/long.ts). */
const IN_BROWSER = ["test/e2e/accessibility.test.ts"];

await runMain(async () => {
  const asked = process.argv.slice(2);
  const isAsked = (file: string) => asked.length === 0 || asked.some((name) => file.includes(name));
  const files = globSync("test/long/**/*.test.ts", { cwd: ROOT }).filter(isAsked);
  const inBrowser = IN_BROWSER.filter(isAsked);
  if (files.length + inBrowser.length === 0) throw new Error(`No file of test/long is named like ${asked.join(", ")}.`);
  const seed = process.env["SEED"] || String(randomInt(SEEDS));
  process.stdout.write(`\nThe seed is ${seed}: SEED=${seed} npm run test:long tries the same cases again.\n`);
  const env = { NO_COLOR: "1", LONG_SEED: seed };
  const counts: Counts[] = [];
  if (files.length > 0) {
    counts.push(
      await runSteps([
        {
          name: "every property and every hostile file, at length",
          program: "vitest",
          args: ["run", ...files],
          env,
          count: vitestCounts,
        },
      ]),
    );
  }
  if (inBrowser.length > 0) counts.push(await runBrowserTests(inBrowser, env));
  if (asked.length === 0) counts.push(await runStrictTests([], Number(seed)));
  endRun(...counts);
});
