const PAUSE_MS = 20;

/** Asks again and again until `probe` gives something other than null, undefined or false; fails after `deadlineMs` with `what` it waited for. */
export async function until<T>(what: string, probe: () => Promise<T> | T, deadlineMs = 10_000): Promise<NonNullable<T>> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const found = await probe();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`Waited ${deadlineMs} ms in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
