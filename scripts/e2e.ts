import { runBrowserTests } from "./lib/browser-tests.ts";
import { runMain } from "./lib/run-main.ts";
import { endRun } from "./lib/steps.ts";

await runMain(async () => endRun(await runBrowserTests(process.argv.slice(2))));
