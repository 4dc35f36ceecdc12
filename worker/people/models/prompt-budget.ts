import { CONTEXT_SHARE } from "#shared/limits.ts";
import { CHARACTERS_PER_TOKEN } from "#worker/platform/spending/money.ts";

/** What a model whose context is unknown is taken to read, in tokens. */
const UNKNOWN_CONTEXT = 128_000;

/** The characters that a model's prompt may have for an answer to fit beside it. */
export function promptBudget({ contextLength }: { contextLength: number | null }): number {
  return (contextLength ?? UNKNOWN_CONTEXT) * CONTEXT_SHARE * CHARACTERS_PER_TOKEN;
}
