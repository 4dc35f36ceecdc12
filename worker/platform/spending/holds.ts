/** What calls and replies may cost before they are made, and what they did cost: amounts in micro-dollars. */
import type { ChargeKind } from "./charge-kind.ts";
import type { Priced } from "./longest-answer.ts";

/** What is reserved for a turn that never reported its end counts no longer than this many milliseconds: no turn lasts longer. */
export const RESERVATION_MS = 60 * 60_000;

/** What is held: for a reply, whenever it goes on, as its earlier part may be charged later than that. */
export type Hold = { replyId: string; generation: number };

/**
 * What a call may cost, and the team in whose workspace its chat was begun. A further round of a reply reserves under the reply's own generation and
 * takes the place of what is reserved for it, its calls included: `spentMicros` is what its chat paid and has not reported yet. `causedBy` is the
 * reply whose budget bounds what is reserved under an id of its own, as it may outlive that reply.
 */
export type CallInput = Hold & Priced & { teamId?: string | null; round?: { spentMicros: number }; causedBy?: string };

/** The most tokens that an answer may have; null where nothing bounds it. */
export type Longest = { maxTokens: number | null };

/** One call to the aggregator or a provider and what it cost in micro-dollars; entered once, by its id. */
export type Charge = {
  callId: string;
  /** The reply it was made for. */
  replyId: string;
  chatId: string;
  what: ChargeKind;
  modelId: string;
  amountMicros: number;
  isHouse: boolean;
  /** The team in whose workspace the chat was begun. */
  teamId?: string | null;
  /** What was read and written, as far as it is known. */
  tokens?: number;
};
