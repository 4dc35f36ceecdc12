import type { Env } from "#worker/platform/env.ts";
import { loadCatalogue } from "./catalogue.ts";

/** The aggregator's id of the cheapest model that takes so many tokens and answers without thinking first; null where none does. Throws AGGREGATOR_UNAVAILABLE. */
export async function readingModel(env: Env, tokens: number): Promise<string | null> {
  const { entries } = await loadCatalogue(env);
  const [cheapest] = entries
    .filter(({ model }) => !model.isPro && !model.reasoning && (model.top_provider.context_length ?? model.context_length ?? 0) >= tokens)
    .flatMap(({ aggregatorId, model }) =>
      model.pricing && model.pricing.prompt > 0 ? [{ aggregatorId, price: model.pricing.prompt }] : [],
    )
    .toSorted((a, b) => a.price - b.price);
  return cheapest?.aggregatorId ?? null;
}
