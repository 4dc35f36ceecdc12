import { type Around, bindingsAround, type Call, type Destination, globalsAround } from "./bindings.ts";
import { bindStreams, connected, count, currentInvocation } from "./invocation.ts";
import { parseOptions, randomOf, type StrictOptions } from "./options.ts";
import { violation } from "./violations.ts";

/** Of a call whose object is to end, how often it does so where the object waits for something, rather than as it answers. */
const ENDS_WHILE_WAITING = 0.5;

// The tests' clocks are none of the platform's.
const later = globalThis.setTimeout;

let options: StrictOptions | null = null;
/** What one test has instead (exceptions.ts). */
let own: StrictOptions = {};
let random = randomOf(1);

/** Objects that end in their next call, and those whose next call is from somebody who asks again. */
const doomed = new Set<string>();
const askedAgain = new Set<string>();
/** Requests under way that come a second time, before which no other object ends. */
let repeats = 0;
const wrapped = new WeakMap<object, object>();

/** An option as this test has it. */
export function strictOption<K extends keyof StrictOptions>(name: K): StrictOptions[K] {
  return own[name] ?? options?.[name];
}

/** Puts options before those of the platform, until others are put there. */
export function setOwnOptions(instead: StrictOptions): void {
  own = instead;
}

/** True in this share of the cases. */
export function isDrawn(share: number | undefined): boolean {
  return share !== undefined && share > 0 && random() < share;
}

/** The bindings as the strict platform has them, wrapped once. */
export function strictBindings<E extends object>(env: E): E {
  const known = wrapped.get(env);
  // Stored below for this very type of bindings.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (known) return known as E;
  if (options === null) {
    options = parseOptions(Reflect.get(env, "STRICT"));
    random = randomOf(options.seed ?? 1);
    bindStreams();
    globalsAround((call, work) => (currentInvocation() ? around(call, work) : work()));
  }
  const made = bindingsAround(env, around);
  wrapped.set(env, made);
  return made;
}

function delayOf(call: Call): number {
  const distances: Partial<Record<Destination, number>> = {
    d1: strictOption("d1Ms"),
    object: strictOption("objectMs"),
    r2: strictOption("r2Ms"),
  };
  const ms = distances[call.to] ?? 0;
  return strictOption("isUneven") ? ms * 2 * random() : ms;
}

/** Has an object end in its next call. */
export function endInNextCall(objectId: string): void {
  doomed.add(objectId);
}

/** True once for an object that is to end in this call. */
export function consumeDeath(objectId: string): boolean {
  return doomed.delete(objectId);
}

/** True once for a call of an object that comes again where what it asks for was lost. */
export function consumeRetry(objectId: string): boolean {
  return askedAgain.delete(objectId);
}

/** Sends again what was lost with an object; what is lost then, a person sends again. */
export async function repeat<T>(work: () => Promise<T>): Promise<T> {
  repeats += 1;
  doomed.clear();
  try {
    return await work();
  } finally {
    repeats -= 1;
  }
}

const around: Around = async (call, work) => {
  const invocation = currentInvocation();
  if (!invocation) throw violation(`${call.what} is asked outside of any invocation, where nobody counts it`);
  count(invocation, call);
  if (invocation.end && isDrawn(ENDS_WHILE_WAITING)) invocation.end();
  const { objectId } = call;
  if (objectId !== undefined && invocation.isRepeatable && repeats === 0) {
    askedAgain.add(objectId);
    if (isDrawn(strictOption("evict"))) endInNextCall(objectId);
  }
  const delay = delayOf(call);
  const ask = async () => {
    if (delay > 0) await new Promise((go) => later(go, delay));
    return work();
  };
  return call.isConnection ? connected(invocation, ask) : ask();
};
