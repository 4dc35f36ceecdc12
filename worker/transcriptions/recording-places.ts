import { RECORDING_BYTES } from "#shared/limits.ts";
import { AppError } from "../http/app-error.ts";

/** Bytes of recordings in memory of one isolate, which has 128 MB: two of the longest, or forty of five minutes each at 32 kbit/s. */
const PLACES_BYTES = 2 * RECORDING_BYTES;
/** A recording waits for its place so many times so long, in milliseconds: ten seconds. */
export const TRIES = 50;
export const PAUSE_MS = 200;

let taken = 0;

/**
 * Takes a place for a recording of so many bytes before any of them is read, and answers what gives it back. One request cannot wake
 * another, so that each looks again by itself. Throws TRANSCRIPTION_FAILED where none becomes free in time.
 */
export async function takePlace(bytes: number): Promise<() => void> {
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

function busy(): AppError {
  const message = "Too many recordings are being transcribed right now. Try again in a moment.";
  return new AppError("TRANSCRIPTION_FAILED", { message, headers: { "retry-after": "5" } });
}
