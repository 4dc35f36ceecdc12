/** Asks for one event: counted if fewer than `limit` happened after `since`. The record may go at `until`. Both epoch milliseconds. */
export type Take = { limit: number; since: number; until: number };
export type Taken = { allowed: true } | { allowed: false; retryAt: number };

/** Exact counts for one key. */
export interface RateLimiterRpc extends Rpc.DurableObjectBranded {
  /** Counts an event, or says when the next one will be allowed (epoch milliseconds). */
  take(take: Take): Taken;
  /** Takes the newest event back, as it turned out to be none that counts. */
  giveBack(): void;
}
