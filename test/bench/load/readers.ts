import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { TurnJob, TurnRun } from "./turn-client.ts";

/** Readers in threads of their own. */
export type Readers = {
  /** Runs all jobs at once; each answers its turns in order. */
  run(jobs: TurnJob[]): Promise<TurnRun[][]>;
  close(): Promise<void>;
};

/** Starts `count` threads that share the jobs evenly. */
export function startReaders(count = 1): Readers {
  const threads = Array.from({ length: count }, () => new Worker(new URL("./thread.ts", import.meta.url)));
  return {
    async run(jobs) {
      const shares = threads.map((_, index) => jobs.filter((_job, at) => at % count === index));
      const answers = await Promise.all(
        threads.map(async (thread, index): Promise<TurnRun[][]> => {
          const answered = once(thread, "message");
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
          thread.postMessage(shares[index]);
          const [runs] = await answered;
          return runs;
        }),
      );
      return answers.flat();
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

/** The turns that failed, in a few words; an empty list is what a bench wants. */
export function errorsOf(runs: TurnRun[][]): string[] {
  return runs.flat().flatMap(({ error }) => (error === null ? [] : [error]));
}
