import type { AppError } from "../app-error.ts";

/** Bytes of long bodies in memory of one isolate, which has 128 MB: two of the longest recordings, or one long chat to import. */
const PLACES_BYTES = 50 * 1024 * 1024;
/** A body waits for its place so many times so long, in milliseconds: ten seconds. */
export const TRIES = 50;
export const PAUSE_MS = 200;

let taken = 0;

/**
 * Takes a place for a body of so many bytes, which all places together have at least, before any of it is read, and answers what gives
 * it back. One request cannot wake another, so each looks again by itself. Throws `busy` where none becomes free in time.
 */
export async function takePlace(bytes: number, busy: () => AppError): Promise<() => void> {
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
