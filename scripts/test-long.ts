import { randomInt } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { runBrowserTests } from "./lib/browser-tests.ts";
import { buildCommit, findLastRelease } from "./lib/last-release.ts";
import { inRoot, ROOT } from "./lib/paths.ts";
import { runMain } from "./lib/run-main.ts";
import { temporaryFolder } from "./lib/state.ts";
import { type Counts, endRun, runSteps, vitestCounts } from "./lib/steps.ts";
import { runStrictTests } from "./lib/strict-tests.ts";

/** fast-check takes a seed of 32 bits. */
const SEEDS = 2 ** 31;

/** Browser tests of which `npm test` makes a part (`furtherTest`, test/e2e/fixtures/). */
const IN_BROWSER = globSync("test/e2e/*.test.ts", { cwd: ROOT }).filter((file) =>
  /\b(?:furtherTest|isLong)\b/.test(readFileSync(inRoot(file), "utf8")),
);

/** What goes from the last release to this one and back. */
const UPGRADE = "test/long/browser/upgrade.test.ts";

await runMain(async () => {
  const asked = process.argv.slice(2);
  const isAsked = (file: string) => asked.length === 0 || asked.some((name) => file.includes(name));
  const files = globSync("test/long/{scripts,shared,web,worker}/*.test.ts", { cwd: ROOT }).filter(isAsked);
  const inBrowser = IN_BROWSER.filter(isAsked);
  if (files.length + inBrowser.length + Number(isAsked(UPGRADE)) === 0)
    throw new Error(`No file of test/long is named like ${asked.join(", ")}.`);
  const seed = process.env["SEED"] || String(randomInt(SEEDS));
  process.stdout.write(`\nThe seed is ${seed}: SEED=${seed} npm run test:long tries the same cases again.\n`);
  const env = { NO_COLOR: "1", LONG_SEED: seed };
  const counts: Counts[] = [];
  if (files.length > 0) {
    counts.push(
      await runSteps([
        {
          name: "every property and every hostile file, at length",
          program: "vitest",
          args: ["run", ...files],
          env,
          count: vitestCounts,
        },
      ]),
    );
  }
  if (inBrowser.length > 0) counts.push(await runBrowserTests(inBrowser, env));
  if (isAsked(UPGRADE)) counts.push(await runUpgrade());
  if (asked.length === 0) counts.push(await runStrictTests([], Number(seed)));
  endRun(...counts);
});

async function runUpgrade(): Promise<Counts> {
  const name = "the last release meets this one";
  const commit = process.env["LAST_RELEASE"] || (await findLastRelease());
  if (!commit) {
    process.stdout.write(
      `\nskipped: ${name}, as no release since 1.0.0 came before this one, or this clone's history does not go back to it (git fetch --unshallow, or LAST_RELEASE=COMMIT)\n`,
    );
    return { passed: 0, failed: 0, flaky: [] };
  }
  const folder = await mkdtemp(join(temporaryFolder(), "polylogue-release-"));
  try {
    return await runBrowserTests([UPGRADE], {}, { name, release: await buildCommit(commit, folder) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
