import type { WireModel } from "./models/build-model.ts";

export type TokenCounts = { prompt: number; completion: number; reasoning: number };

/** The price of an answer in US dollars, at the model's prices; an answer without a token costs nothing. */
export function costOf(model: WireModel, { prompt, completion }: TokenCounts): number {
  if (completion === 0) return 0;
  const dollars = prompt * Number(model.pricing.prompt) + completion * Number(model.pricing.completion) + Number(model.pricing.request);
  return Number(dollars.toFixed(10));
}

/** The `usage` object of an answer. Reasoning tokens are among the completion tokens. */
export function usageOf(model: WireModel, counts: TokenCounts) {
  return {
    prompt_tokens: counts.prompt,
    completion_tokens: counts.completion,
    total_tokens: counts.prompt + counts.completion,
    cost: costOf(model, counts),
    is_byok: false,
    cost_details: {
      upstream_inference_cost: null,
      upstream_inference_prompt_cost: Number((counts.prompt * Number(model.pricing.prompt)).toFixed(10)),
      upstream_inference_completions_cost: Number((counts.completion * Number(model.pricing.completion)).toFixed(10)),
    },
    prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0, audio_tokens: 0, video_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: counts.reasoning, audio_tokens: 0 },
    server_tool_use_details: { tool_calls_requested: 0, tool_calls_executed: 0, web_search_requests: 0 },
  };
}
