import type { RecordingType } from "../clients/recording-type.ts";

/** What the composer has browsers record: 32 kbit/s. */
const BYTES_PER_SECOND = 4_000;
/** Where a WAV's header has its bytes a second. */
const WAV_RATE_AT = 28;
const WAV_RATE_MAX = 1_000_000;

/** About how many seconds a recording lasts, by its bytes. */
export function secondsOf({ bytes, type }: { bytes: Uint8Array; type: RecordingType }): number {
  return bytes.byteLength / (type.extension === "wav" ? wavRate(bytes) : BYTES_PER_SECOND);
}

/** Uncompressed sound says how much of it a second takes; what cannot be is not believed. */
function wavRate(bytes: Uint8Array): number {
  if (bytes.byteLength < WAV_RATE_AT + 4) return BYTES_PER_SECOND;
  const rate = new DataView(bytes.buffer, bytes.byteOffset).getUint32(WAV_RATE_AT, true);
  return rate >= BYTES_PER_SECOND && rate <= WAV_RATE_MAX ? rate : BYTES_PER_SECOND;
}
