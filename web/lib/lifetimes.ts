/** How long answers stay fresh, in milliseconds, as words. */
export const lifetimes = {
  /** Kept right by live events. */
  live: Number.POSITIVE_INFINITY,
  short: 30_000,
  models: 5 * 60_000,
  connectionStatus: 5 * 60_000,
  teams: 30 * 60_000,
} as const;
