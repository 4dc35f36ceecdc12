import type { Handler } from "../simulator.ts";
import { sendJson } from "../simulator.ts";
import type { WireModel } from "./models/build-model.ts";
import { costOf, type TokenCounts } from "./usage.ts";

/** One answer as the accounts keep it. Times are milliseconds. */
export type Generation = {
  id: string;
  created: number;
  model: WireModel;
  provider: string;
  counts: TokenCounts;
  streamed: boolean;
  cancelled: boolean;
  finish: string | null;
  native: string | null;
  latencyMs: number;
  generationMs: number;
  sessionId: string | null;
  /** The first look-up answers 404. */
  isLate: boolean;
};

/** The latest 2,000 answers and what all of them cost together. */
export type Ledger = { add(generation: Generation): void; find: Handler; key: Handler; credits: Handler };

const GENERATIONS_MAX = 2000;

/** An empty ledger. */
export function createLedger(): Ledger {
  const generations = new Map<string, Generation>();
  let spent = 0;
  return {
    add(generation) {
      generations.set(generation.id, generation);
      spent += costOf(generation.model, generation.counts);
      const oldest = generations.keys().next();
      if (generations.size > GENERATIONS_MAX && !oldest.done) generations.delete(oldest.value);
    },
    find({ url, response }) {
      const id = url.searchParams.get("id") ?? "";
      const generation = generations.get(id);
      if (!generation || generation.isLate) {
        if (generation) generation.isLate = false;
        sendJson(response, 404, { error: { code: 404, message: `Generation ${id} not found` } });
      } else sendJson(response, 200, { data: describe(generation) });
    },
    key({ response }) {
      const none = {
        usage_daily: spent,
        usage_weekly: spent,
        usage_monthly: spent,
        byok_usage: 0,
        byok_usage_daily: 0,
        byok_usage_weekly: 0,
        byok_usage_monthly: 0,
      };
      const limits = { limit: null, limit_remaining: null, limit_reset: null, include_byok_in_limit: false };
      sendJson(response, 200, {
        data: {
          label: "sk-or-v1-sim…key",
          ...limits,
          usage: spent,
          ...none,
          is_free_tier: false,
          is_management_key: false,
          creator_user_id: null,
        },
      });
    },
    credits({ response }) {
      sendJson(response, 200, { data: { total_credits: 100, total_usage: spent } });
    },
  };
}

function describe(generation: Generation) {
  const { counts, model } = generation;
  const cost = costOf(model, counts);
  return {
    id: generation.id,
    model: model.id,
    total_cost: cost,
    usage: cost,
    tokens_prompt: counts.prompt,
    tokens_completion: counts.completion,
    native_tokens_prompt: counts.prompt,
    native_tokens_completion: counts.completion,
    native_tokens_reasoning: counts.reasoning,
    native_tokens_cached: counts.cached,
    latency: Math.round(generation.latencyMs),
    generation_time: Math.round(generation.generationMs),
    finish_reason: generation.finish,
    native_finish_reason: generation.native,
    streamed: generation.streamed,
    cancelled: generation.cancelled,
    provider_name: generation.provider,
    provider_responses: null,
    router: null,
    session_id: generation.sessionId,
    created_at: new Date(generation.created * 1000).toISOString(),
    cache_discount: null,
    upstream_inference_cost: null,
    is_byok: false,
  };
}
