/** How long answers stay fresh, in milliseconds, as words. */
export const lifetimes = {
  /** Kept right by live events. */
  live: Number.POSITIVE_INFINITY,
  short: 30_000,
  models: 5 * 60_000,
  connectionStatus: 5 * 60_000,
  teams: 30 * 60_000,
} as const;

/** For what others change without word of it: asked for with each look, and while it is looked at. */
export const watched = { staleTime: 0, refetchOnWindowFocus: "always", refetchInterval: lifetimes.short } as const;
