import { CHECK_STEPS } from "./lib/check-steps.ts";
import { runBrowserTests } from "./lib/browser-tests.ts";
import { runMain } from "./lib/run-main.ts";
import { runSteps, sum, totalLine } from "./lib/steps.ts";

await runMain(async () => {
  const checked = await runSteps(CHECK_STEPS);
  const counts = sum(checked, await runBrowserTests([]));
  process.stdout.write(totalLine(counts));
  process.exit(counts.failed === 0 ? 0 : 1);
});
