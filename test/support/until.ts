import { ENDED } from "./strict/options.ts";

const PAUSE_MS = 20;
/** A slow machine gets so many looks before it has waited in vain. */
const MIN_ATTEMPTS = 50;

/**
 * Asks again and again until `probe` gives something other than null, undefined or false; fails with `what` it waited for once `deadlineMs` are over.
 * Times itself by a clock that no test sets.
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T> | T,
  deadlineMs = 30_000,
  pauseMs = PAUSE_MS,
): Promise<NonNullable<T>> {
  const end = performance.now() + deadlineMs;
  for (let attempts = 1; ; attempts += 1) {
    const found = await unlessEnded(probe);
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > end && attempts > MIN_ATTEMPTS) throw new Error(`Waited ${deadlineMs} ms in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** A test's own call, of an object that the strict platform may have ended for another one's: null then. */
export async function unlessEnded<T>(probe: () => Promise<T> | T): Promise<T | null> {
  try {
    return await probe();
  } catch (error) {
    if (error instanceof Error && error.message === ENDED) return null;
    throw error;
  }
}
