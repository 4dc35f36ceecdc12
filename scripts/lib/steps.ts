import { bin, runCommand } from "./run-command.ts";

/**
 * How many single checks a step made and how they ended; `flaky` names those of the passed that did so only when tried again,
 * and `missing` the browsers in which nothing was tried, as they are not to be had on this machine.
 */
export type Counts = { passed: number; failed: number; flaky: readonly string[]; missing?: readonly string[] };

/** More flaky tests than this fail a run: a few are the machine's, many are ours. */
const FLAKY_MAX = 3;

/** One named part of a command: a program, and how its counts are read from what it printed. */
export type Step = {
  name: string;
  program: string;
  args: string[];
  env?: Record<string, string>;
  count?: (output: string) => Counts | null;
};

/** Runs steps one after another, all of them even when one fails, and reports each one's time. */
export async function runSteps(steps: Step[]): Promise<Counts> {
  const total: Counts[] = [];
  for (const { name, program, args, env = { NO_COLOR: "1" }, count } of steps) {
    process.stdout.write(`\n${name}\n`);
    const begun = performance.now();
    const { code, output } = await runCommand(bin(program), args, { env });
    const counted = count?.(output) ?? single(code === 0);
    // A runner that ends badly without a failed test has failed all the same.
    const failed = code !== 0 && counted.failed === 0 ? 1 : counted.failed;
    total.push({ ...counted, failed });
    process.stdout.write(`${failed === 0 ? "ok" : "FAILED"}: ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)\n`);
  }
  return sum(...total);
}

/** The count of a check that is one whole. */
export function single(isPassed: boolean): Counts {
  return { passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, flaky: [] };
}

/** The end of a run: what was flaky, and as the last line, alone, what every runner counted together. */
export function totalLine(counts: Counts): string {
  const { passed, failed } = judge(counts);
  const names = counts.flaky.map((name) => `  ${name}\n`).join("");
  const missing = counts.missing ?? [];
  const untried = missing.length === 0 ? "" : `; nothing was tried in ${missing.join(" and ")}, which could neither be found nor installed`;
  const list = names === "" ? "" : `\nflaky, as they passed only when tried again (more than ${FLAKY_MAX} fail the run):\n${names}`;
  return `${list}\ntotal: ${passed} passed, ${failed} failed${untried}\n`;
}

/** What a run ends with: its flaky tests have failed where they are too many. */
export function judge(counts: Counts): Counts {
  const { passed, failed, flaky } = counts;
  return flaky.length > FLAKY_MAX ? { ...counts, passed: passed - flaky.length, failed: failed + flaky.length } : counts;
}

/** Ends a command with what all its parts counted. */
export function endRun(...parts: Counts[]): never {
  const counts = sum(...parts);
  process.stdout.write(totalLine(counts));
  process.exit(judge(counts).failed === 0 ? 0 : 1);
}

/** Adds up the counts of parts of a run. */
export function sum(...parts: Counts[]): Counts {
  const missing = parts.flatMap((part) => part.missing ?? []);
  return {
    passed: parts.reduce((all, { passed }) => all + passed, 0),
    failed: parts.reduce((all, { failed }) => all + failed, 0),
    flaky: parts.flatMap(({ flaky }) => flaky),
    ...(missing.length > 0 && { missing }),
  };
}

/** Reads vitest's closing line `Tests  2 failed | 31 passed | 1 skipped (34)`. */
export function vitestCounts(output: string): Counts | null {
  const line = /^\s*Tests\s+(\d+ .*)$/m.exec(plain(output))?.[1];
  if (line === undefined) return null;
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}\\b`).exec(line)?.[1] ?? 0);
  return { passed: count("passed"), failed: count("failed"), flaky: [] };
}

/**
 * Reads playwright's closing lines `  1 failed`, `  2 flaky`, `  12 passed (1.2m)`, each of the first two with the tests' names below.
 * A flaky test has passed; one that did not run has failed.
 */
export function playwrightCounts(output: string): Counts | null {
  const lines = [...plain(output).matchAll(/^ {2}(\d+) (passed|failed|flaky|interrupted|did not run)(?: \(.*\))?\n((?: {4}\S.*\n)*)/gm)];
  if (lines.length === 0) return null;
  return sum(
    ...lines.map(([, number, word, names = ""]) => ({
      passed: word === "passed" || word === "flaky" ? Number(number) : 0,
      failed: word === "passed" || word === "flaky" ? 0 : Number(number),
      flaky: word === "flaky" ? names.split("\n").flatMap((name) => name.replace(/─+$/, "").trim() || []) : [],
    })),
  );
}

/** Text without a terminal's colour codes. */
function plain(output: string): string {
  // oxlint-disable-next-line no-control-regex
  return output.replaceAll(/\u001B\[[\d;]*[A-Za-z]/g, "");
}
