import { DurableObject } from "cloudflare:workers";
import type { Env } from "#worker/platform/env.ts";
import { isDrawn, strictOption, strictBindings, consumeRetry, consumeDeath } from "./calls.ts";
import { beginInvocation, currentInvocation, runIn } from "./invocation.ts";
import { ENDED } from "./options.ts";
import { checkRows, refuseLargeValues } from "./rows.ts";

export type ObjectClass = new (ctx: DurableObjectState, env: Env) => DurableObject<Env>;

// Whatever an object's methods are.
// oxlint-disable-next-line typescript/no-explicit-any
type Method = (...args: any[]) => unknown;

/** How much goes on in an object behind its answers: turns above all, whose events are followed. */
const running = new WeakMap<DurableObjectState, number>();

function countRunning(ctx: DurableObjectState): void {
  const waitUntil = ctx.waitUntil.bind(ctx);
  const add = (change: number) => running.set(ctx, (running.get(ctx) ?? 0) + change);
  ctx.waitUntil = (work) => {
    add(1);
    waitUntil(work.finally(() => add(-1)));
  };
}

let ended = 0;

/** How many objects ended in the middle of a call. */
export function endedObjects(): number {
  return ended;
}

/** The names of an object's own methods, and of those that its class inherits from ours. */
function methodsOf(Real: ObjectClass): Set<string> {
  const names = new Set<string>();
  for (let proto: unknown = Real.prototype; proto instanceof DurableObject; proto = Object.getPrototypeOf(proto)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(proto))) {
      if (name !== "constructor" && typeof value === "function") names.add(name);
    }
  }
  return names;
}

/** An object each of whose calls is an invocation, in which it may end, whose alarms may come twice, and whose rows are looked at. */
export function strictObject(name: string, Real: ObjectClass): ObjectClass {
  class Strict extends Real {
    constructor(ctx: DurableObjectState, env: Env) {
      refuseLargeValues(ctx.storage.sql);
      countRunning(ctx);
      super(ctx, strictBindings(env));
    }

    /** Runs a method as one invocation. */
    invoke(method: string, work: () => unknown): unknown {
      // What it calls of itself is part of it.
      if (currentInvocation()?.owner === this) return work();
      const id = String(this.ctx.id);
      // What an alarm didn't reach, it tries again in a minute or later.
      const isRepeatable = consumeRetry(id) && method !== "alarm";
      const invocation = beginInvocation("object", `${name}.${method}`, { owner: this, isRepeatable });
      if (consumeDeath(id) && isRepeatable) invocation.end = () => this.#end();
      const settle = () => {
        // What goes on behind an answer, nobody sees fail: it is tried again in half a minute.
        invocation.isRepeatable = false;
        invocation.end?.();
        checkRows(invocation.where, this.ctx.storage.sql);
      };
      const result = runIn(invocation, work);
      if (!(result instanceof Promise)) {
        settle();
        return result;
      }
      return result.finally(settle);
    }

    #end(): void {
      const isFollowed = (running.get(this.ctx) ?? 0) > 0 || this.ctx.getWebSockets().length > 0;
      if (isFollowed && !strictOption("evictFollowed")) return;
      ended += 1;
      this.ctx.abort(ENDED);
    }
  }
  for (const method of methodsOf(Real)) {
    Reflect.set(Strict.prototype, method, function strict(this: Strict, ...args: unknown[]) {
      // Looked up now, as tests put methods of their own there.
      const real: Method = Reflect.get(Real.prototype, method);
      const once = () => this.invoke(method, () => Reflect.apply(real, this, args));
      if (method !== "alarm" || !isDrawn(strictOption("twice"))) return once();
      return Promise.resolve(once()).then(once);
    });
  }
  return Strict;
}
