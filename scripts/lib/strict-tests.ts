import { journeyVariable, STRICT_JOURNEYS } from "./strict-runs.ts";
import { runBrowserTests } from "./browser-tests.ts";
import { type Counts, runSteps, sum, vitestCounts } from "./steps.ts";

/** What a call fails with whose object the strict platform ended (test/support/strict/calls.ts), in whatever words the Worker logs it. */
const ENDED = /The strict platform ended this object/;

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
    const isMeant = (error: string) => ENDED.test(error) && (ended += 1) > 0;
    const run = { name: "browser journeys on the strict platform", vars: { STRICT: journeyVariable(seed) }, isMeant };
    counts.push(await runBrowserTests(journeys, {}, run));
    process.stdout.write(`${ended} errors in the Worker's log are of calls whose object ended\n`);
  }
  return sum(...counts);
}
