import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";

const SAMPLE_MS = 20;

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

/** The most that the isolate held while something ran. */
export async function peakDuring(inspector: Inspector, work: () => Promise<unknown>): Promise<number> {
  const state = { isOver: false };
  const done = work().finally(() => (state.isOver = true));
  let peak = 0;
  while (!state.isOver) {
    peak = Math.max(peak, await usedMemory(inspector));
    await wait(SAMPLE_MS);
  }
  await done;
  return peak;
}
