import { timeOfDay } from "./format.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** When something was written, as in a sentence: 'now', '12 minutes ago', '10:58', '6 Nov'. */
export function relativeTime(iso: string, now: Date): string {
  const then = new Date(iso);
  const ago = now.getTime() - then.getTime();
  if (ago < MINUTE_MS) return "now";
  if (ago < HOUR_MS) {
    const minutes = Math.floor(ago / MINUTE_MS);
    return minutes === 1 ? "a minute ago" : `${minutes} minutes ago`;
  }
  if (then.toDateString() === now.toDateString()) return timeOfDay(then);
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (then.toDateString() === yesterday.toDateString()) return "yesterday";
  const isThisYear = then.getFullYear() === now.getFullYear();
  return then.toLocaleDateString("en-GB", { day: "numeric", month: "short", ...(!isThisYear && { year: "numeric" }) });
}
