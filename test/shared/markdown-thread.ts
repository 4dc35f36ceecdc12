/** A thread that reads texts, so that it can be stopped where reading one does not end. */
import { parentPort } from "node:worker_threads";
import { doors, type Door } from "./markdown-doors.ts";

/** As long as a hostile text, and read in a few hundredths of a second by a machine that does nothing else. */
const ORDINARY = "An ordinary line with *words*, `code` and [a link](https://example.com).\n\n".repeat(1_350);

/** Milliseconds of computing. */
function timeOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const ordinary = () => timeOf(() => doors.server(ORDINARY));

/** How many times as long as an ordinary text a door takes; both beside each other, as a machine that is busy computes more slowly. */
function factorOf(door: Door, text: string): number {
  const before = ordinary();
  const own = timeOf(() => doors[door](text));
  return own / Math.max(before, ordinary());
}

parentPort?.on("message", ({ text, through, isMeasured }: { text: string; through: readonly Door[]; isMeasured: boolean }) => {
  if (isMeasured) ordinary();
  const taken = through.map((door) => {
    if (isMeasured) return [door, factorOf(door, text)] as const;
    doors[door](text);
    return [door, 0] as const;
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(taken);
});
