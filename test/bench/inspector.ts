import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";

const SAMPLE_MS = 20;
const COLLECT_MS = 5_000;

const Target = z.array(z.looseObject({ id: z.string(), webSocketDebuggerUrl: z.string() }));
const Answer = z.looseObject({ id: z.optional(z.number()), result: z.optional(z.unknown()), error: z.optional(z.unknown()) });

const Usage = z.looseObject({ usedSize: z.number(), backingStorageSize: z.optional(z.number()) });

/** Chrome's protocol with the Worker's isolate. */
export type Inspector = { call(method: string, params?: Record<string, unknown>): Promise<unknown>; close(): void };

/** Attaches to the isolate behind an inspector's port, its objects included. */
export async function openInspector(port: number): Promise<Inspector> {
  const targets = Target.parse(await (await fetch(`http://127.0.0.1:${port}/json`)).json());
  const target = targets.find(({ id }) => id.endsWith("user:polylogue"));
  if (!target) throw new Error("The inspector shows no Worker.");
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  const waiting = new Map<number, (answer: z.infer<typeof Answer>) => void>();
  socket.addEventListener("message", ({ data }) => {
    const answer = Answer.parse(JSON.parse(String(data)));
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("The inspector let nobody in.")));
  });
  let id = 0;
  return {
    async call(method, params = {}) {
      id += 1;
      const answered = new Promise<z.infer<typeof Answer>>((resolve) => waiting.set(id, resolve));
      socket.send(JSON.stringify({ id, method, params }));
      const { result, error } = await answered;
      if (error !== undefined) throw new Error(`The inspector refused ${method}.`);
      return result;
    },
    close: () => socket.close(),
  };
}

/** Bytes of the isolate's heap and the buffers beside it, garbage that waits to be collected included. */
export async function usedMemory(inspector: Inspector): Promise<number> {
  const { usedSize, backingStorageSize = 0 } = Usage.parse(await inspector.call("Runtime.getHeapUsage"));
  return usedSize + backingStorageSize;
}

/** Has what lies about collected: what came before is not what is looked at next. An isolate that does nothing at the time may not answer; then its garbage counts. */
export async function collectGarbage(inspector: Inspector): Promise<void> {
  await Promise.race([inspector.call("HeapProfiler.collectGarbage"), wait(COLLECT_MS)]);
}

/**
 * The most that the isolate held while something ran. It answers once it has nothing else to do, so not while bodies stream: work that wants
 * to be looked at in its midst holds still there until its own `look` was answered.
 */
export async function peakDuring(inspector: Inspector, work: (look: () => Promise<void>) => Promise<unknown>): Promise<number> {
  const state = { isOver: false, peak: 0 };
  const look = async () => {
    state.peak = Math.max(state.peak, await usedMemory(inspector));
  };
  const done = work(look).finally(() => (state.isOver = true));
  // A failure is met below, once the last look is over.
  done.catch(() => undefined);
  while (!state.isOver) {
    await look();
    await wait(SAMPLE_MS);
  }
  await done;
  return state.peak;
}
