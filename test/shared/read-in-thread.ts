import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Door } from "./markdown-doors.ts";

/** How many times as long as an ordinary text of eleven thousand characters each door took to read it. */
type Taken = readonly (readonly [Door, number])[];

/** Reads texts in a thread of its own, which is stopped where one takes longer than `patience` milliseconds. */
export function createReader(patience: number) {
  let thread = start();

  async function ask(text: string, through: readonly Door[], isMeasured: boolean): Promise<Taken> {
    const answered = once(thread, "message");
    const deadline = AbortSignal.timeout(patience);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage({ text, through, isMeasured });
    const answer = await Promise.race([answered, once(deadline, "abort").then(() => null)]);
    if (answer) return answer[0];
    void thread.terminate();
    thread = start();
    throw new Error(`Not read within ${patience} ms: ${JSON.stringify(text).slice(0, 200)}`);
  }

  return {
    /** The doors that read the text to its end. */
    read: async (text: string, through: readonly Door[]): Promise<Door[]> => (await ask(text, through, false)).map(([door]) => door),
    /** How long each took. */
    measure: (text: string, through: readonly Door[]): Promise<Taken> => ask(text, through, true),
    close: () => thread.terminate(),
  };
}

function start(): Worker {
  return new Worker(new URL("./markdown-thread.ts", import.meta.url));
}
