import * as z from "zod";
import { openInspector } from "./inspector.ts";

/** V8's profile; times in microseconds of the system's steady clock, which is `process.hrtime`'s too. */
export const CpuProfile = z.looseObject({
  nodes: z.array(z.looseObject({ id: z.number(), callFrame: z.looseObject({ functionName: z.string() }) })),
  startTime: z.number(),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});
export type CpuProfile = z.infer<typeof CpuProfile>;

/**
 * Moments at which the profiler saw the isolate at work, and for how many microseconds each stands: `longestUs` at most,
 * as nobody samples an isolate that rests, and the first sample after a rest would stand for all of it.
 */
export function busySamples({ nodes, startTime, samples, timeDeltas }: CpuProfile, longestUs = Infinity): { at: number; us: number }[] {
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
  let at = startTime;
  return samples.flatMap((node, index) => {
    const us = timeDeltas[index] ?? 0;
    at += us;
    return idle.has(node) ? [] : [{ at, us: Math.min(us, longestUs) }];
  });
}

/** A profiler of the Worker's isolate, its objects included. */
export type Profiler = { start(): Promise<void>; stop(): Promise<CpuProfile>; close(): void };

/** Attaches to the isolate behind an inspector's port; samples every `intervalUs` microseconds. */
export async function openProfiler(port: number, { intervalUs }: { intervalUs: number }): Promise<Profiler> {
  const { call, close } = await openInspector(port);
  await call("Profiler.enable");
  await call("Profiler.setSamplingInterval", { interval: intervalUs });
  return {
    start: async () => void (await call("Profiler.start")),
    stop: async () => z.object({ profile: CpuProfile }).parse(await call("Profiler.stop")).profile,
    close,
  };
}
