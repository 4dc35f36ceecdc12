import { cpus } from "node:os";
import { setTimeout as wait } from "node:timers/promises";

const SAMPLE_MS = 700;
/** Share of all processors that others may take before times mean nothing. */
const BUSY_SHARE = 0.2;
/** A loop of fixed work that varies by more than this was disturbed. */
const LOOP_SPREAD = 1.6;
const TRIES = 8;

export type Calm = {
  isBusy: boolean;
  /** Share of the processors at work while this process slept, 0 to 1. */
  busyShare: number;
  /** Milliseconds that a loop of fixed work took, several times over: compares machines. */
  loops: number[];
};

/** Waits for a quiet machine, for some seconds; says whether it is one. */
export async function waitForCalm(): Promise<Calm> {
  let calm = await lookAround();
  for (let n = 1; n < TRIES && calm.isBusy; n += 1) calm = await lookAround();
  return calm;
}

async function lookAround(): Promise<Calm> {
  const before = times();
  await wait(SAMPLE_MS);
  const after = times();
  const busyShare = 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all);
  const loops = Array.from({ length: 5 }, loop);
  const isBusy = busyShare > BUSY_SHARE || Math.max(...loops) > LOOP_SPREAD * Math.min(...loops);
  return { isBusy, busyShare, loops };
}

function times(): { idle: number; all: number } {
  let idle = 0;
  let all = 0;
  for (const cpu of cpus()) {
    idle += cpu.times.idle;
    all += Object.values(cpu.times).reduce((a, b) => a + b, 0);
  }
  return { idle, all };
}

function loop(): number {
  const start = performance.now();
  let mixed = 1;
  for (let n = 0; n < 12_000_000; n += 1) mixed = Math.imul(mixed ^ (mixed >>> 15), n | 1);
  // The sum is used, or the loop might be left out.
  return performance.now() - start + (mixed === 0.5 ? 1 : 0);
}
