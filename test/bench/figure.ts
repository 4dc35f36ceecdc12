import type { Browser } from "@playwright/test";
import type { BenchServer } from "../../scripts/lib/bench/bench-server.ts";
import type { Build } from "../../scripts/lib/build/build.ts";

/** One measured number: its runs, and the most (or least) it may be. */
export type Figure = {
  name: string;
  unit: "KiB" | "MB" | "ms" | "frames" | "requests" | "bytes" | "rows" | "nodes" | "tasks" | "frames/s" | "errors" | "%" | "x" | "$";
  values: number[];
  /** Null where there is no promise, only interest. */
  target: number | null;
  /** Whether a smaller number is the better one; true unless said. */
  isLowerBetter?: boolean;
  /** Whether a busy machine spoils it: times do, sizes don't. */
  isTime?: boolean;
  /** The same number where the simulator was asked directly. */
  base?: number[];
  /** What was counted, for the raw numbers. */
  notes?: unknown[];
};

/** What a bench file may use; servers and browsers start on first use and end with the run. */
export type BenchContext = {
  build: Build;
  /** A server with a state of its own, its simulators in a process of their own. */
  serve(): Promise<BenchServer>;
  browser(): Promise<Browser>;
  /** How often each figure is measured. */
  runs: number;
  /** Whether a figure that stands for many takes all of them (`--full`), and not a sample. */
  isFull: boolean;
};

/** One row of the benchmark's figures. */
export type Bench = {
  id: string;
  /** A word that all figures of one part can be asked for by. */
  topic?: string;
  title: string;
  measure(context: BenchContext): Promise<Figure[]>;
};

/** The middle one; the mean of the two middle ones where the count is even. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** The value that a share of all (0 to 1) does not exceed. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The least welcome one. */
export function worst({ values, isLowerBetter = true }: Figure): number {
  return isLowerBetter ? Math.max(...values) : Math.min(...values);
}
