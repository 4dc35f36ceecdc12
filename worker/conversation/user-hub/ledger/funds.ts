import type { Outcome } from "#worker/platform/errors/app-error.ts";

/** What a call is short of, in micro-dollars. */
export type Shortfall = { availableMicros: number; amountMicros: number };

/** Something that a call is paid from or counted against: what is left of it beside others, and why one that it cannot pay is refused. */
export type Funds = { leftMicros: number; refuse(short: Shortfall): Outcome<never> };
