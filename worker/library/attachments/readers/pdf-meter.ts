/** What may be spent on one PDF: loop iterations (a million letters take 40,000,000 in some seconds); entries of all arrays together (90 MB for the same); and the longest array. */
const ALLOWANCE = { steps: 80_000_000, entries: 256 * 1024 * 1024, longest: 20 * 1024 * 1024 };
const WITHOUT_LIMITS = { steps: Number.MAX_SAFE_INTEGER, entries: Number.MAX_SAFE_INTEGER, longest: Number.MAX_SAFE_INTEGER };
/** How long one PDF waits for another, and how often it looks, in milliseconds; one that was ended from outside never says that it is done. */
const LONGEST_WAIT_MS = 60_000;
const LOOK_MS = 50;

/** Thrown where a PDF has used up what may be spent on it. */
export class TooMuchWork extends Error {}

const left = { ...WITHOUT_LIMITS };
/** The PDF that is being read, and how to give it up. */
const reading: { now: ((reason: TooMuchWork) => void) | null } = { now: null };

/** Counts one turn of a loop; every loop of PDF.js begins with a call of this (scripts/lib/build/bounded-pdf.ts). Throws TooMuchWork. */
export function countLoopTurn(): void {
  if (--left.steps < 0) stop();
}

/** Counts the entries of an array that PDF.js makes, and answers what it makes it of. Throws TooMuchWork. */
export function claim<T>(length: T): T {
  if (typeof length === "number" && ((left.entries -= length) < 0 || length > left.longest)) stop();
  return length;
}

function stop(): never {
  // What catches the error to go on with something else does not come far.
  left.steps = -1;
  const reason = new TooMuchWork("This PDF takes too much work.");
  reading.now?.(reason);
  throw reason;
}

/**
 * Reads a PDF within the limits, one at a time: they share the meter, and the memory. `over` ends what PDF.js waits for once
 * the reading is done or given up. Throws TooMuchWork where the limits are met, and whatever `read` throws.
 */
export async function readWithinLimits<T>(read: (over: AbortSignal) => Promise<T>): Promise<T> {
  for (const until = Date.now() + LONGEST_WAIT_MS; reading.now && Date.now() < until;) await pause(LOOK_MS);
  Object.assign(left, ALLOWANCE);
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const over = new AbortController();
  const giveUp = (reason: TooMuchWork) => {
    over.abort(reason);
    reject(reason);
  };
  reading.now = giveUp;
  try {
    return await Promise.race([read(over.signal), givenUp]);
  } finally {
    over.abort();
    // PDF.js waits for nothing else but itself: what it still does after giving up ends before the next task, as nothing is left to spend.
    await pause(0);
    if (reading.now === giveUp) {
      reading.now = null;
      Object.assign(left, WITHOUT_LIMITS);
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
