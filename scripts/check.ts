import { CHECK_STEPS } from "./lib/check-steps.ts";
import { runMain } from "./lib/run-main.ts";
import { runSteps, totalLine } from "./lib/steps.ts";

await runMain(async () => {
  const counts = await runSteps(CHECK_STEPS);
  process.stdout.write(totalLine(counts));
  process.exit(counts.failed === 0 ? 0 : 1);
});
