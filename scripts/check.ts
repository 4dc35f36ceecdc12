import { checkSteps } from "./lib/check-steps.ts";
import { runMain } from "./lib/run-main.ts";
import { endRun, runSteps } from "./lib/steps.ts";

await runMain(async () => endRun(await runSteps(checkSteps())));
