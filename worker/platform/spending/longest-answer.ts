/** The longest answer that a call may have for what is left to pay it with (decisions, Money). */

/** An answer may have at least so many tokens; what cannot pay for them is refused. */
const LEAST_TOKENS = 1_000;
/** The share of what is left that one answer may take, so that a chat beside others finds room. */
const SHARE = 1 / 4;
/** What a call is taken to cost at least, in micro-dollars. */
export const LEAST_MICROS = 100;

/** What a token of an answer costs, in micro-dollars, and how many it may have at most, null where nobody knows. */
export type AnswerPrice = { tokenMicros: number; maxTokens: number | null };

/** What a call costs whatever it answers, in micro-dollars, and what its answer costs. */
export type Priced = { amountMicros: number; answer?: AnswerPrice | undefined };

/** What a call costs with an answer of so many tokens, in whole micro-dollars; null for one whose length nobody knows, which costs nothing by its length. */
export function costWith({ amountMicros, answer }: Priced, tokens: number | null): number {
  if (!answer) return Math.ceil(amountMicros);
  return Math.max(Math.ceil(amountMicros + (tokens ?? 0) * answer.tokenMicros), LEAST_MICROS);
}

/** What a call costs at least: less cannot pay for it. */
export function leastCost(priced: Priced): number {
  return costWith(priced, Math.min(priced.answer?.maxTokens ?? LEAST_TOKENS, LEAST_TOKENS));
}

/** The most tokens that a call may answer where so much is left, of which others need some too; null where nothing bounds it. */
export function longestAnswer(availableMicros: number, priced: Priced): number | null {
  const payable = payableTokens(availableMicros, priced);
  const tokenMicros = priced.answer?.tokenMicros ?? 0;
  if (payable === null || tokenMicros <= 0) return payable;
  return Math.min(payable, Math.max(LEAST_TOKENS, Math.floor((availableMicros * SHARE) / tokenMicros)));
}

/** The most tokens of an answer that all of what is left pays for, its least whatever is left; null where nothing bounds it. */
export function payableTokens(availableMicros: number, { amountMicros, answer }: Priced): number | null {
  if (!answer) return null;
  const { tokenMicros, maxTokens } = answer;
  if (tokenMicros <= 0) return maxTokens;
  const longest = maxTokens ?? Number.POSITIVE_INFINITY;
  return Math.min(longest, Math.max(Math.floor((availableMicros - amountMicros) / tokenMicros), LEAST_TOKENS));
}
