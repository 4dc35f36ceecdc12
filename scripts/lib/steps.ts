import { bin, runCommand } from "./run-command.ts";

/** How many single checks a step made and how they ended. */
export type Counts = { passed: number; failed: number };

/** One named part of a command: a program, and how its counts are read from what it printed. */
export type Step = {
  name: string;
  program: string;
  args: string[];
  env?: Record<string, string>;
  count?: (output: string) => Counts | null;
};

/** Runs steps one after another, all of them even when one fails, and tells each one's time. */
export async function runSteps(steps: Step[]): Promise<Counts> {
  const total: Counts = { passed: 0, failed: 0 };
  for (const { name, program, args, env = { NO_COLOR: "1" }, count } of steps) {
    process.stdout.write(`\n${name}\n`);
    const begun = performance.now();
    const { code, output } = await runCommand(bin(program), args, { env });
    const counted = count?.(output) ?? (code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
    // A runner that ends badly without a failed test has failed all the same.
    const failed = code !== 0 && counted.failed === 0 ? 1 : counted.failed;
    total.passed += counted.passed;
    total.failed += failed;
    process.stdout.write(`${failed === 0 ? "ok" : "FAILED"}: ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)\n`);
  }
  return total;
}

/** The last line of a run, alone: what every runner counted together. */
export function totalLine({ passed, failed }: Counts): string {
  return `\ntotal: ${passed} passed, ${failed} failed\n`;
}

/** Adds up the counts of parts of a run. */
export function sum(...parts: Counts[]): Counts {
  return parts.reduce((all, part) => ({ passed: all.passed + part.passed, failed: all.failed + part.failed }));
}

/** Reads vitest's closing line `Tests  2 failed | 31 passed | 1 skipped (34)`. */
export function vitestCounts(output: string): Counts | null {
  const line = /^\s*Tests\s+(\d+ .*)$/m.exec(plain(output))?.[1];
  if (line === undefined) return null;
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}\\b`).exec(line)?.[1] ?? 0);
  return { passed: count("passed"), failed: count("failed") };
}

/** Reads playwright's closing lines `  1 failed`, `  12 passed (1.2m)`; a flaky test has failed, and so has one that did not run. */
export function playwrightCounts(output: string): Counts | null {
  const lines = [...plain(output).matchAll(/^ {2}(\d+) (passed|failed|flaky|interrupted|did not run)(?: \(.*\))?$/gm)];
  if (lines.length === 0) return null;
  const counts: Counts = { passed: 0, failed: 0 };
  for (const [, number, word] of lines) counts[word === "passed" ? "passed" : "failed"] += Number(number);
  return counts;
}

/** Text without a terminal's colour codes. */
function plain(output: string): string {
  // oxlint-disable-next-line no-control-regex
  return output.replaceAll(/\u001B\[[\d;]*[A-Za-z]/g, "");
}
