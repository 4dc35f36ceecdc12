import type { CallInput, Longest } from "#worker/platform/spending/holds.ts";

/** Asks for one event: counted if fewer than `limit` happened after `since`. The record may go at `until`. Both epoch milliseconds. */
export type Take = { limit: number; since: number; until: number };
export type Taken = { allowed: true } | { allowed: false; retryAt: number };

/** What a call may cost of a limit, in micro-dollars; the record may go at `until`, epoch milliseconds. */
export type Hold = CallInput & { limitMicros: number; until: number };
/** What a call cost, and the reply or call that it ends, for which nothing more is reserved. */
export type Paid = { callId: string; micros: number; ended: string | null };

/** Exact counts for one key. */
export interface RateLimiterRpc extends Rpc.DurableObjectBranded {
  /** Counts an event, or says when the next one will be allowed (epoch milliseconds). */
  take(take: Take): Taken;
  /** True where the limit allows no more events now; nothing is counted. */
  isFull(take: Pick<Take, "limit" | "since">): boolean;
  /** Takes the newest event back, as it turned out to be none that counts. */
  uncount(): void;
  /** Reserves what a call may cost, and answers how long its answer may be; null where too little is left. */
  hold(hold: Hold): Longest | null;
  /** Enters what calls cost, each once. */
  pay(paid: Paid[], until: number): void;
  /** Lets go of what is reserved for a reply or a call. */
  letGo(replyId: string): void;
}
