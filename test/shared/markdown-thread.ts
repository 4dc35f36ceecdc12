/** A thread that reads texts, so that it can be stopped where reading one does not end. */
import { parentPort } from "node:worker_threads";
import { doors, type Door } from "./markdown-doors.ts";

/** Read in some hundredths of a second by a machine that does nothing else. */
const ORDINARY = "An ordinary line with *words*, `code` and [a link](https://example.com).\n\n".repeat(150);

/** Milliseconds of computing. */
function timeOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const ordinary = () => timeOf(() => doors.server(ORDINARY));

parentPort?.on("message", ({ text, through, isMeasured }: { text: string; through: readonly Door[]; isMeasured: boolean }) => {
  // The first times are those of code that is new to the machine; one that is busy computes more slowly, before and behind.
  const before = isMeasured ? Math.min(ordinary(), ordinary(), ordinary()) : 0;
  const times = through.map((door) => [door, timeOf(() => doors[door](text))] as const);
  const unit = isMeasured ? Math.max(before, ordinary()) : 1;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(times.map(([door, time]) => [door, time / unit]));
});
