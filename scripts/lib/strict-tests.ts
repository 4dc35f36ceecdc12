import { ENDED } from "#test/support/strict/options.ts";
import { journeyVariable, STRICT_JOURNEYS } from "./strict-runs.ts";
import { runBrowserTests } from "./browser-tests.ts";
import { type Counts, runSteps, sum, vitestCounts } from "./steps.ts";

/** What says no more than that a call failed whose object ended: the cause has a line of its own. */
const SAID_BESIDE = /"code":"USAGE_CHECK_FAILED"/;

/** Runs tests on the strict platform (test/support/strict): all of the Worker's and the browser's journeys, or the files that are named. */
export async function runStrictTests(files: string[], seed: number): Promise<Counts> {
  const isInBrowser = (file: string) => file.includes("e2e/");
  const journeys = files.length === 0 ? STRICT_JOURNEYS : files.filter(isInBrowser);
  const ofWorker = files.filter((file) => !isInBrowser(file));
  const counts: Counts[] = [];
  if (files.length === 0 || ofWorker.length > 0) {
    counts.push(
      await runSteps([
        {
          name: "the Worker's tests on the strict platform",
          program: "vitest",
          args: ["run", "--project", "strict", ...ofWorker],
          env: { NO_COLOR: "1", STRICT_SEED: String(seed) },
          count: vitestCounts,
        },
      ]),
    );
  }
  if (journeys.length > 0) {
    let ended = 0;
    const isMeant = (error: string) => (error.includes(ENDED) && (ended += 1) > 0) || SAID_BESIDE.test(error);
    const run = { name: "browser journeys on the strict platform", vars: { STRICT: journeyVariable(seed) }, isMeant };
    counts.push(await runBrowserTests(journeys, {}, run));
    process.stdout.write(`${ended} errors in the Worker's log are of calls whose object ended\n`);
  }
  return sum(...counts);
}
