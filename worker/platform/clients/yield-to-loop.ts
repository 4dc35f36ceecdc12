/**
 * Fairness among the streams that share an isolate's thread. Bytes that have come already are handed out at once, and the runtime looks at
 * its sockets and timers only when nothing is left to hand out: streams that are behind would keep it busy for seconds, in which streams that
 * wait for a socket, new questions and a stop are not heard.
 */

/** Milliseconds after which a reader asks, by a timer that is due at once, whether the runtime still comes to its timers. */
const ASK_MS = 100;
/** Milliseconds for which readers go on without an answer. */
const PATIENCE_MS = 100;
/** Milliseconds in which half of what timers were late by is forgotten, and after which all of it is. */
const HALF_LIFE_MS = 100;
const LATE_FOR_MS = 1_000;

let isAsked = false;
let askedAt = 0;
let cameAt = 0;
let lateBy = 0;

/** Null to read on; else what to wait for first, so others get their turn. `now` is in milliseconds. */
export function yieldIfDue(now: number): Promise<void> | null {
  // Whoever asked may be gone by now, its timer with it: all that wait ask for themselves.
  if (isAsked) return elapsed(now, askedAt) < PATIENCE_MS ? null : ask(now);
  if (elapsed(now, cameAt) >= ASK_MS) {
    isAsked = true;
    askedAt = now;
    void ask(now);
  }
  return null;
}

function ask(now: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(() => {
      const at = Date.now();
      // Many ask at once, the last of them just before the timers come: what the first of them waited counts.
      lateBy = Math.max(at - now, lateBy * 2 ** (-elapsed(at, cameAt) / HALF_LIFE_MS));
      isAsked = false;
      cameAt = at;
      resolve();
    }, 0);
  });
}

/** How late timers have been just now, in milliseconds: zero while the thread keeps up. */
export function timerLagMs(now: number): number {
  return elapsed(now, cameAt) < LATE_FOR_MS ? lateBy : 0;
}

/** A clock may have been set back meanwhile. */
function elapsed(now: number, since: number): number {
  return Math.abs(now - since);
}
