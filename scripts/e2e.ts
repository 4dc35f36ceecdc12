import { runBrowserTests } from "./lib/browser-tests.ts";
import { runMain } from "./lib/run-main.ts";
import { totalLine } from "./lib/steps.ts";

await runMain(async () => {
  const counts = await runBrowserTests(process.argv.slice(2));
  process.stdout.write(totalLine(counts));
  process.exit(counts.failed === 0 ? 0 : 1);
});
