import { randomInt } from "node:crypto";
import { globSync } from "node:fs";
import { ROOT } from "./lib/paths.ts";
import { runMain } from "./lib/run-main.ts";
import { endRun, runSteps, vitestCounts } from "./lib/steps.ts";

/** fast-check takes a seed of 32 bits. */
const SEEDS = 2 ** 31;

await runMain(async () => {
  const asked = process.argv.slice(2);
  const all = globSync("test/long/**/*.test.ts", { cwd: ROOT });
  const files = all.filter((file) => asked.length === 0 || asked.some((name) => file.includes(name)));
  if (files.length === 0) throw new Error(`No file of test/long is named like ${asked.join(", ")}.`);
  const seed = process.env["SEED"] || String(randomInt(SEEDS));
  process.stdout.write(`\nThe seed is ${seed}: SEED=${seed} npm run test:long tries the same cases again.\n`);
  endRun(
    await runSteps([
      {
        name: "every property and every hostile file, at length",
        program: "vitest",
        args: ["run", ...files],
        env: { NO_COLOR: "1", LONG_SEED: seed },
        count: vitestCounts,
      },
    ]),
  );
});
