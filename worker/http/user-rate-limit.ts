const MINUTE_MS = 60_000;

/** The times of the last minute with one more, or the seconds to wait where they are as many as may be; a `limit` of 0 is none. Times in epoch milliseconds. */
export function takeTurn(
  times: readonly number[],
  { now, limit }: { now: number; limit: number },
): { ok: true; times: number[] } | { ok: false; retryAfter: number } {
  const recent = times.filter((at) => at > now - MINUTE_MS);
  const oldest = recent[recent.length - limit];
  if (limit === 0 || oldest === undefined) return { ok: true, times: [...recent, now] };
  return { ok: false, retryAfter: Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000)) };
}
