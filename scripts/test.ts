import { CHECK_STEPS } from "./lib/check-steps.ts";
import { runBrowserTests } from "./lib/browser-tests.ts";
import { runMain } from "./lib/run-main.ts";
import { endRun, runSteps } from "./lib/steps.ts";

await runMain(async () => endRun(await runSteps(CHECK_STEPS), await runBrowserTests([])));
