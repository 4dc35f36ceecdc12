import { GUEST_COST_PER_MILLION, HIGH_COST_PER_MILLION, MODEL_DESCRIPTION_LENGTH } from "#shared/limits.ts";

/** US dollars per token. */
export type TokenPrices = { prompt: number; completion: number };

const MILLION = 1_000_000;

/** Input plus output price in US dollars per 1M tokens, free of binary rounding (1e-6 dollars). */
export function pricePerMillion(pricing: TokenPrices): number {
  return Math.round((pricing.prompt + pricing.completion) * MILLION * MILLION) / MILLION;
}

/** Whether using the model empties credits quickly: above $20 per 1M tokens; never where prices vary or are unknown. */
export function isHighCost(pricing: TokenPrices | null): boolean {
  return pricing !== null && pricePerMillion(pricing) > HIGH_COST_PER_MILLION;
}

/** Whether the house pays for guests on this model: at most $2 per 1M tokens. */
export function isGuestPrice(pricing: TokenPrices): boolean {
  return pricePerMillion(pricing) <= GUEST_COST_PER_MILLION;
}

/** A context length as the selector shows it: `128K`, `1M`, `1.5M`; below a thousand the number itself. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  const thousands = Math.round(tokens / 1000);
  if (thousands < 1000) return `${thousands}K`;
  return `${Math.round(tokens / 100_000) / 10}M`;
}

/** A price per token shown per 1M tokens, at least two decimals and more only for fractions of a cent: `$3.00`, `$0.0375`. */
export function formatPerMillion(perToken: number): string {
  const dollars = Math.round(perToken * MILLION * 10_000) / 10_000;
  return `$${dollars.toFixed(Math.max(2, decimals(dollars)))}`;
}

function decimals(dollars: number): number {
  return String(dollars).split(".")[1]?.length ?? 0;
}

/** A mark that ends a sentence: followed by a space, and not part of a common abbreviation. */
const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|vs|etc|approx))[.!?](?=\s)/g;

/** A description cut to at most 200 characters, at the end of its last whole sentence, else at a word with an ellipsis. */
export function summarise(description: string, limit: number = MODEL_DESCRIPTION_LENGTH): string {
  const text = description.replaceAll(/\s+/g, " ").trim();
  if (text.length <= limit) return text;
  const ends = [...text.slice(0, limit + 1).matchAll(SENTENCE_END)];
  const last = ends.at(-1);
  if (last) return text.slice(0, last.index + 1);
  const head = text.slice(0, limit);
  const word = head.lastIndexOf(" ");
  return `${word > 0 ? head.slice(0, word) : head}…`;
}
