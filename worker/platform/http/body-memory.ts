import { AppError } from "#worker/platform/errors/app-error.ts";

/** Bytes of bodies in memory of one isolate, which has 128 MB: two of the longest recordings, one long chat to import, ten pictures, or two hundred files on their way to storage. */
const PLACES_BYTES = 50 * 1024 * 1024;
/** A body waits for its place so many times so long, in milliseconds: ten seconds. */
export const TRIES = 50;
export const PAUSE_MS = 200;

/** Bytes that a body takes which goes through to storage: a chunk of it here, and what the platform holds on both sides. */
export const PASSING_BYTES = 256 * 1024;

/** How often a short body that is read whole is there at once: in chunks, and joined. */
export const COPIES = 2;

let taken = 0;

/**
 * Takes a place for a body of so many bytes, which all places together have at least, before any of it is read, and answers what gives
 * it back. One request cannot wake another, so each looks again by itself. Throws `busy` where none becomes free in time.
 */
export async function reserveMemory(bytes: number, busy: () => AppError = tooManyBodies): Promise<() => void> {
  for (let tried = 0; !hasRoom(bytes); tried += 1) {
    if (tried === TRIES) throw busy();
    await scheduler.wait(PAUSE_MS);
  }
  taken += bytes;
  return () => void (taken -= bytes);
}

function hasRoom(bytes: number): boolean {
  return taken + bytes <= PLACES_BYTES;
}

/** Does something with a body of so many bytes once there is a place for it. */
export async function withReservedMemory<T>(bytes: number, work: () => Promise<T>, busy?: () => AppError): Promise<T> {
  const leave = await reserveMemory(bytes, busy);
  try {
    return await work();
  } finally {
    leave();
  }
}

/** How many bytes a body has by what its request says, at most as many as its reader takes. */
export function announcedBytes({ headers }: Request, limit: number): number {
  return Math.min(Number(headers.get("content-length") ?? 0) || limit, limit);
}

/** Refuses what there is no place for just now. */
export function tooManyBodies(): AppError {
  const message = "Too many long files are being read right now. Try again in a moment.";
  return new AppError("RATE_LIMITED", { message, headers: { "retry-after": "5" } });
}
