import { randomInt } from "node:crypto";
import { runMain } from "./lib/run-main.ts";
import { endRun } from "./lib/steps.ts";
import { runStrictTests } from "./lib/strict-tests.ts";

/** The platform's own draws take a seed of 32 bits. */
const SEEDS = 2 ** 31;

await runMain(async () => {
  const seed = Number(process.env["SEED"] || randomInt(SEEDS));
  process.stdout.write(`\nThe seed is ${seed}: SEED=${seed} npm run test:strict draws the same shares again.\n`);
  endRun(await runStrictTests(process.argv.slice(2), seed));
});
