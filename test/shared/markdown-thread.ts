/** A thread that reads texts, so that it can be stopped where reading one does not end. */
import { parentPort } from "node:worker_threads";
import { doors, type Door } from "./markdown-doors.ts";

parentPort?.on("message", ({ text, through }: { text: string; through: readonly Door[] }) => {
  const taken = through.map((door) => {
    const before = process.threadCpuUsage();
    doors[door](text);
    const { user, system } = process.threadCpuUsage(before);
    return [door, (user + system) / 1000] as const;
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(taken);
});
