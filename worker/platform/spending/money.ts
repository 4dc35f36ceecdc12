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

/** The price of a call in micro-dollars from US-dollar prices per token, and per request where it has one; null where a price is unknown or varies. */
export function computeCostMicros(
  tokens: { prompt: number; completion: number },
  price: { prompt: number | null; completion: number | null; request?: number | undefined },
): number | null {
  if (price.prompt === null || price.completion === null) return null;
  return toMicros(tokens.prompt * price.prompt + tokens.completion * price.completion + (price.request ?? 0));
}
