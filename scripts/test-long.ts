import { randomInt } from "node:crypto";
import { runMain } from "./lib/run-main.ts";
import { endRun, runSteps, vitestCounts } from "./lib/steps.ts";

/** fast-check takes a seed of 32 bits. */
const SEEDS = 2 ** 31;

await runMain(async () => {
  const seed = process.env["SEED"] || String(randomInt(SEEDS));
  process.stdout.write(`\nThe seed is ${seed}: SEED=${seed} npm run test:long tries the same cases again.\n`);
  endRun(
    await runSteps([
      {
        name: "every property and every hostile file, at length",
        program: "vitest",
        args: ["run", "--dir", "test/long", ...process.argv.slice(2)],
        env: { NO_COLOR: "1", LONG_SEED: seed },
        count: vitestCounts,
      },
    ]),
  );
});
