import type { WireModel } from "./models/build-model.ts";

/** `cached` and the two that were written are among the prompt's. */
export type TokenCounts = {
  prompt: number;
  completion: number;
  reasoning: number;
  cached: number;
  written: number;
  writtenForHour: number;
};

/** The price of an answer in US dollars, at the model's prices; an answer without a token costs nothing. */
export function costOf(model: WireModel, { prompt, completion, cached, written, writtenForHour }: TokenCounts): number {
  if (completion === 0) return 0;
  const { pricing } = model;
  const at = (price: string | undefined) => Number(price ?? pricing.prompt);
  const read =
    (prompt - cached - written - writtenForHour) * Number(pricing.prompt) +
    cached * at(pricing.input_cache_read) +
    written * at(pricing.input_cache_write) +
    writtenForHour * at(pricing.input_cache_write_1h);
  const dollars = read + completion * Number(pricing.completion) + Number(pricing.request);
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
    prompt_tokens_details: {
      cached_tokens: counts.cached,
      cache_write_tokens: counts.written + counts.writtenForHour,
      audio_tokens: 0,
      video_tokens: 0,
    },
    completion_tokens_details: { reasoning_tokens: counts.reasoning, audio_tokens: 0 },
    server_tool_use_details: { tool_calls_requested: 0, tool_calls_executed: 0, web_search_requests: 0 },
  };
}
