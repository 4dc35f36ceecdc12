/** Micro-dollars in one US dollar: money is whole micro-dollars in storage and decimal dollars on the wire. */
const MICROS_PER_DOLLAR = 1_000_000;

/** The decisions' estimate of a text's tokens (Money). */
export const CHARACTERS_PER_TOKEN = 4;

/** Dollars as whole micro-dollars, rounded half away from zero. */
export function toMicros(dollars: number): number {
  return Math.sign(dollars) * Math.round(Math.abs(dollars) * MICROS_PER_DOLLAR);
}

/** Micro-dollars as decimal dollars. */
export function fromMicros(micros: number): number {
  return micros / MICROS_PER_DOLLAR;
}

/** `cached` and `cacheWrite` are among the prompt's: what its provider had kept, and what it keeps from now on. */
type PaidTokens = { prompt: number; completion: number; cached?: number; cacheWrite?: number };

/** US dollars per token, and per request where it has such a price; what is kept costs what the rest of a prompt does where the list says nothing else. */
type TokenPrice = {
  prompt: number | null;
  completion: number | null;
  request?: number | undefined;
  cached?: number | undefined;
  cacheWrite?: number | undefined;
};

/** The price of a call in micro-dollars; null where a price is unknown or varies. */
export function computeCostMicros(tokens: PaidTokens, price: TokenPrice): number | null {
  if (price.prompt === null || price.completion === null) return null;
  const { prompt, completion, cached = 0, cacheWrite = 0 } = tokens;
  const read = Math.max(0, prompt - cached - cacheWrite) * price.prompt;
  const kept = cached * (price.cached || price.prompt) + cacheWrite * (price.cacheWrite || price.prompt);
  return toMicros(read + kept + completion * price.completion + (price.request ?? 0));
}
