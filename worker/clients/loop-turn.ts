/**
 * Fairness among the streams that share an isolate's thread. Bytes that have come already are handed out at once, and the runtime looks at
 * its sockets and timers only when nothing is left to hand out: streams that are behind would keep it busy for seconds, in which streams that
 * wait for a socket, new questions and a stop are not heard.
 */

/** Milliseconds after which a reader asks whether the runtime still comes to its timers. */
const ASK_MS = 100;
/** Milliseconds after which readers wait until it does. */
const STARVED_MS = 200;
/** Milliseconds for which it counts how late a timer was. */
const LATE_FOR_MS = 1_000;

let cameAt = 0;
let askedAt = 0;
let lateBy = 0;

/** Null to read on; else what to wait for first, so that others get their turn. `now` is in milliseconds. */
export function turnOfOthers(now: number): Promise<void> | null {
  if (now - cameAt < ASK_MS) return null;
  const isStarved = now - cameAt >= STARVED_MS;
  if (!isStarved && now - askedAt < ASK_MS) return null;
  askedAt = now;
  const turn = new Promise<void>((resolve) => {
    setTimeout(() => {
      cameAt = Date.now();
      lateBy = Math.max(cameAt - now, lateBy / 2);
      resolve();
    }, 0);
  });
  return isStarved ? turn : null;
}

/** How late timers have been just now, in milliseconds: zero while the thread keeps up. */
export function timersLateBy(now: number): number {
  return now - cameAt < LATE_FOR_MS ? lateBy : 0;
}
