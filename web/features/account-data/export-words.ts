import { formatBytes } from "#shared/attachment-rules.ts";
import { IMPORT_FILE_BYTES } from "#shared/limits.ts";
import type { AccountExport } from "#shared/entities/library/account-export.ts";

const HOUR_MS = 60 * 60_000;
const MINUTE_MS = 60_000;

/** How an export stands, in a sentence: `12 of 40 chats and files`, or `3.4 MB, expires in 23 hours`. `now` is in epoch milliseconds. */
export function exportWords(
  { state, done, total, size, left_out: leftOut, problem, expires_at: expires }: AccountExport,
  now: number,
): string {
  switch (state) {
    case "running":
      return total === 0 ? "It is being made." : `It is being made: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}.`;
    case "failed":
      return problem ?? "Something went wrong on our side.";
    case "ready": {
      const missing = leftOut === 0 ? "" : ` ${leftOut.toLocaleString("en")} could not be included; account.json in it says why.`;
      const isTooLarge = size > IMPORT_FILE_BYTES ? ` It is larger than the ${formatBytes(IMPORT_FILE_BYTES)} that can be imported.` : "";
      return `${formatBytes(size)}${expires === null ? "" : `, expires in ${timeLeft(Date.parse(expires) - now)}`}.${missing}${isTooLarge}`;
    }
  }
}

function timeLeft(ms: number): string {
  if (ms >= 2 * HOUR_MS) return `${Math.floor(ms / HOUR_MS)} hours`;
  const minutes = Math.max(1, Math.floor(ms / MINUTE_MS));
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}
