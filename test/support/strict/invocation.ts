import { AsyncLocalStorage } from "node:async_hooks";
import type { Call, Destination } from "./bindings.ts";
import { violation } from "./violations.ts";

/** What one invocation may ask for (developers.cloudflare.com/workers/platform/limits, d1/platform/limits). */
export const LIMITS = { subrequests: 10_000, queries: 1_000, connections: 6 };

/** One request, job batch, cron, mail, or call of an object: what the platform counts and bounds. */
export type Invocation = {
  kind: "request" | "queue" | "cron" | "email" | "object";
  where: string;
  subrequests: number;
  queries: number;
  to: Partial<Record<Destination, number>>;
  /** Connections that wait for an answer, and calls that wait for one to be free. */
  open: number;
  waiting: (() => void)[];
  /** How often it waited for a connection. */
  connectionWaits: number;
  /** Whether whoever asked does so again, soon, where an object that it calls ended. */
  isRepeatable: boolean;
  /** The object, and what ends it in the middle, where that is to happen. */
  owner: object | null;
  end: (() => void) | null;
};

const current = new AsyncLocalStorage<Invocation>();

/** The invocation that runs; undefined in a test's own code. */
export function currentInvocation(): Invocation | undefined {
  return current.getStore();
}

/** An invocation that has asked for nothing yet. */
export function beginInvocation(
  kind: Invocation["kind"],
  where: string,
  { owner = null, isRepeatable }: { owner?: object | null; isRepeatable: boolean },
): Invocation {
  return { kind, where, subrequests: 0, queries: 0, to: {}, open: 0, waiting: [], connectionWaits: 0, isRepeatable, owner, end: null };
}

/** Runs work as an invocation: what it asks for is counted in it, also what goes on behind its answer. */
export function runIn<T>(invocation: Invocation, work: () => T): T {
  return current.run(invocation, work);
}

/** Has what a stream calls belong to the invocation that made the stream: the runtime calls it outside of any. */
export function bindStreams(): void {
  const bound = (source: unknown) => {
    if (typeof source !== "object" || source === null) return source;
    return new Proxy(source, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? AsyncLocalStorage.bind((...args: unknown[]) => Reflect.apply(value, target, args)) : value;
      },
    });
  };
  for (const [name, Real] of Object.entries({ ReadableStream, TransformStream, WritableStream })) {
    const made = new Proxy(Real, {
      construct: (target, args) => Reflect.construct(target, currentInvocation() ? args.map(bound) : args),
    });
    Reflect.set(globalThis, name, made);
  }
}

/** Counts a call in its invocation, which may not ask for more than the platform lets it. */
export function count(invocation: Invocation, { to, queries, what }: Call): void {
  invocation.subrequests += 1;
  invocation.queries += queries;
  invocation.to[to] = (invocation.to[to] ?? 0) + 1;
  if (invocation.subrequests > LIMITS.subrequests) {
    throw violation(`${invocation.where} asks for more than ${LIMITS.subrequests} subrequests, at last for ${what}`);
  }
  if (to === "d1" && invocation.queries > LIMITS.queries) {
    throw violation(`${invocation.where} asks D1 more than ${LIMITS.queries} queries, at last ${what}`);
  }
}

/** Waits as the platform has a call wait: six of an invocation's connections may be without an answer at a time. */
export async function connected<T>(invocation: Invocation, work: () => Promise<T>): Promise<T> {
  if (invocation.open >= LIMITS.connections) {
    invocation.connectionWaits += 1;
    await new Promise<void>((go) => invocation.waiting.push(go));
  }
  invocation.open += 1;
  try {
    return await work();
  } finally {
    invocation.open -= 1;
    invocation.waiting.shift()?.();
  }
}
