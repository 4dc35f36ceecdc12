const PAUSE_MS = 20;
/** A slow machine gets so many looks before it has waited in vain. */
const MIN_LOOKS = 50;

/**
 * Asks again and again until `probe` gives something other than null, undefined or false; fails with `what` it waited for once `deadlineMs` are over.
 * Times itself by a clock that no test sets.
 */
export async function until<T>(what: string, probe: () => Promise<T> | T, deadlineMs = 30_000): Promise<NonNullable<T>> {
  const end = performance.now() + deadlineMs;
  for (let looks = 1; ; looks += 1) {
    const found = await probe();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > end && looks > MIN_LOOKS) throw new Error(`Waited ${deadlineMs} ms in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
