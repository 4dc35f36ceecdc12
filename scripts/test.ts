import { existsSync } from "node:fs";
import { runBrowserTests } from "./lib/browser-tests.ts";
import { changedSince, reachedInBrowser } from "./lib/changed.ts";
import { checkSteps } from "./lib/check-steps.ts";
import { inRoot } from "./lib/paths.ts";
import { runMain } from "./lib/run-main.ts";
import { endRun, runSteps } from "./lib/steps.ts";

/** The commit of `--changed` or `--changed=main`; undefined where all is asked for. */
function commitOf(args: string[]): string | undefined {
  const asked = args.map((arg) => /^--changed(?:=(.+))?$/.exec(arg));
  const wrong = args.find((_, index) => !asked[index]);
  if (wrong !== undefined) throw new Error(`npm test knows --changed and --changed=COMMIT, and no "${wrong}".`);
  return asked[0] ? (asked[0][1] ?? "HEAD") : undefined;
}

await runMain(async () => {
  const since = commitOf(process.argv.slice(2));
  const reach = since === undefined ? "all" : reachedInBrowser(await changedSince(since));
  const checked = await runSteps(checkSteps(since));
  const files = reach === "all" ? [] : reach.filter((file) => existsSync(inRoot(file)));
  if (reach !== "all" && files.length === 0) {
    process.stdout.write("\nNo browser test is reached by what changed.\n");
    endRun(checked);
  }
  endRun(checked, await runBrowserTests(files));
});
