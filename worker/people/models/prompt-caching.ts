/** Which models' providers keep a prompt only where it is marked, and from how many tokens on. */
import type { TurnModel } from "./turn-model.ts";

/** Tokens, by what a vendor's own documentation says of its models; smaller prompts are kept by none of them. */
const MINIMUMS: readonly (readonly [RegExp, number])[] = [
  [/^anthropic\/.*(opus-5|fable)/, 512],
  [/^anthropic\/.*(sonnet|opus-4\.8)/, 1_024],
  [/^anthropic\/.*opus-4\.7/, 2_048],
  [/^anthropic\//, 4_096],
];
const MINIMUM = 1_024;

/** Vendors that keep a prompt where it is marked, whether or not their rows name what that costs. */
const BY_MARKS = /^~?(anthropic|qwen|alibaba)\//;
/** Google keeps prompts by itself, and what is marked costs storage besides. */
const BY_ITSELF = /^~?google\//;

/** From how many tokens on a marked prompt of this model is kept; null where marks change nothing, or a server may refuse them. */
export function smallestMarkedPrompt({ aggregatorId, fees }: Pick<TurnModel, "aggregatorId" | "fees">): number | null {
  if (!fees || BY_ITSELF.test(aggregatorId)) return null;
  const keepsPrompts = fees.cacheWriteToken > 0 || (BY_MARKS.test(aggregatorId) && fees.cacheReadToken > 0);
  if (!keepsPrompts) return null;
  return MINIMUMS.find(([pattern]) => pattern.test(aggregatorId.replace(/^~/, "")))?.[1] ?? MINIMUM;
}
