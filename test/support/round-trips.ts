import { env } from "cloudflare:workers";

/** What is far away. */
export type Far = "d1" | "objects";

/** Round trips that one answer waited for, one after the other, and how long it took. */
export type Trips = Record<Far, number> & { ms: number; calls: string[] };

type Trip = { far: Far; name: string; start: number; end: number };

// What is delayed are methods of any kind, taken from prototypes.
// oxlint-disable-next-line typescript/no-explicit-any
type Method = (this: unknown, ...args: unknown[]) => any;

const STATEMENT_METHODS = ["all", "run", "first", "raw"];

/**
 * Counts the round trips that `act` waits for, with the database and the objects `ms` milliseconds away: what is under way at the same time
 * is one. Every object of a test runs in the test's own isolate, so what an object asks of others counts too.
 */
export async function countTrips(act: () => Promise<unknown>, ms: Record<Far, number> = NEARBY): Promise<Trips> {
  const trips: Trip[] = [];
  const restore: (() => void)[] = [];

  /** Has a method begin a trip later. */
  function wrap(target: object, method: string, name: (self: unknown, args: unknown[]) => string): void {
    const real: Method = Reflect.get(target, method);
    Reflect.set(target, method, async function far(this: unknown, ...args: unknown[]) {
      await travel("d1", name(this, args));
      return real.apply(this, args);
    });
    restore.push(() => Reflect.set(target, method, real));
  }

  async function travel(far: Far, name: string): Promise<void> {
    const start = performance.now();
    await scheduler.wait(ms[far]);
    trips.push({ far, name, start, end: performance.now() });
  }

  const statement = Object.getPrototypeOf(env.DB.prepare("SELECT 1"));
  const nameOf = (self: unknown) =>
    `D1 ${String(Reflect.get(Object(self), "statement"))
      .replaceAll(/\s+/g, " ")
      .slice(0, 110)}`;
  for (const method of STATEMENT_METHODS) wrap(statement, method, nameOf);
  wrap(Object.getPrototypeOf(env.DB.withSession()), "batch", (_, [all]) => (Array.isArray(all) ? all.map(nameOf).join("; ") : "D1 batch"));
  const namespace = Object.getPrototypeOf(env.CHAT_ROOM);
  for (const method of ["getByName", "get"]) {
    const real: Method = Reflect.get(namespace, method);
    Reflect.set(namespace, method, function far(this: unknown, ...args: unknown[]) {
      return farStub(real.apply(this, args), (name) => travel("objects", name));
    });
    restore.push(() => Reflect.set(namespace, method, real));
  }
  const start = performance.now();
  try {
    await act();
  } finally {
    for (const undo of restore) undo();
  }
  const waitedFor = trips.filter(({ name }) => !name.includes(BEHIND));
  return {
    d1: inSeries(waitedFor, "d1"),
    objects: inSeries(waitedFor, "objects"),
    ms: Math.round(performance.now() - start),
    calls: waitedFor.map(({ name, start: at }) => `${Math.round(at - start)} ${name}`),
  };
}

/** Security events are counted behind an answer, which does not wait. */
const BEHIND = '"security_days"';

/** Far enough that what begins together is under way together. */
const NEARBY = { d1: 30, objects: 30 };

/** The most trips of which each began after the one before had ended. */
function inSeries(trips: readonly Trip[], far: Far): number {
  let count = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { start, end } of trips.filter((trip) => trip.far === far).toSorted((a, b) => a.end - b.end)) {
    if (start < until) continue;
    count += 1;
    until = end;
  }
  return count;
}

/** An object's stub whose calls arrive later. */
function farStub(stub: object, travel: (name: string) => Promise<void>): object {
  return new Proxy(stub, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function" || typeof name === "symbol" || name === "constructor") return value;
      return async (...args: unknown[]) => {
        await travel(name);
        return Reflect.apply(value, target, args);
      };
    },
  });
}
