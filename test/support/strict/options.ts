/** What a call fails with whose object ended. */
export const ENDED = "The strict platform ended this object";

/** How strict the platform is; each is off where it is absent. */
export type StrictOptions = {
  /** Milliseconds that each call of a binding takes longer: the database, the objects, the files. */
  d1Ms?: number;
  objectMs?: number;
  r2Ms?: number;
  /** Whether those times vary from none to twice as long, so that what happens at a time does so in another order. */
  isUneven?: boolean;
  /** The share of calls in which the called object ends. */
  evict?: number;
  /** Whether objects end too while somebody follows their events or sockets, who then has to come again. */
  evictFollowed?: boolean;
  /** The share of batches and alarms that come twice; batches come in reverse order too. */
  twice?: number;
  /** Whether each invocation's counts are logged, as `STRICT {...}`. */
  report?: boolean;
  /** The same one draws the same shares. */
  seed?: number;
};

/** What the variable STRICT holds. */
export function parseOptions(text: unknown): StrictOptions {
  return typeof text === "string" && text !== "" ? JSON.parse(text) : {};
}

/** Numbers from 0 to 1 that follow from a seed. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = Math.trunc(state + 0x6d_2b_79_f5);
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
