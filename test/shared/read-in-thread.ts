import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Door } from "./markdown-doors.ts";

/** Milliseconds of computing that each door took. */
export type Taken = readonly (readonly [Door, number])[];

/** Reads texts in a thread of its own, which is stopped where one takes longer than `patience` milliseconds. */
export function createReader(patience: number) {
  let thread = start();
  return {
    async read(text: string, through: readonly Door[]): Promise<Taken> {
      const answered = once(thread, "message");
      const deadline = AbortSignal.timeout(patience);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage({ text, through });
      const answer = await Promise.race([answered, once(deadline, "abort").then(() => null)]);
      if (answer) return answer[0];
      void thread.terminate();
      thread = start();
      throw new Error(`Not read within ${patience} ms: ${JSON.stringify(text).slice(0, 200)}`);
    },
    close: () => thread.terminate(),
  };
}

function start(): Worker {
  return new Worker(new URL("./markdown-thread.ts", import.meta.url));
}
