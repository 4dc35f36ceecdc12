import { pricePerMillion } from "#shared/models/model-rules.ts";
import type { Env } from "#worker/platform/env.ts";
import { loadCatalogue } from "./catalogue.ts";
import type { CatalogueEntry } from "./derive-model.ts";

/** A model that summarises: its context in tokens, its prices in US dollars per token, and what it costs besides. */
export type CompactionModel = Pick<CatalogueEntry, "aggregatorId" | "fees"> & {
  contextLength: number;
  promptPrice: number;
  completionPrice: number;
};

/** Below this sum per 1M tokens stand models too small to keep what matters, and free ones with tight limits. */
const PRICE_MIN = 0.1;

/** The cheapest sound model that reads so many tokens, else the one that reads most; null where prices or contexts are unknown. Throws AGGREGATOR_UNAVAILABLE. */
export async function compactionModel(env: Env, tokens: number): Promise<CompactionModel | null> {
  const { entries } = await loadCatalogue(env);
  return pickCompactionModel(entries, tokens);
}

/** Picks by price among models that answer without thinking first. */
export function pickCompactionModel(entries: readonly CatalogueEntry[], tokens: number): CompactionModel | null {
  const sound = entries
    .filter(({ model }) => !model.isPro && !model.reasoning)
    .flatMap(({ model, aggregatorId, fees }) => {
      const contextLength = model.top_provider.context_length ?? model.context_length;
      if (!model.pricing || contextLength === null || pricePerMillion(model.pricing) < PRICE_MIN) return [];
      return [{ aggregatorId, fees, contextLength, promptPrice: model.pricing.prompt, completionPrice: model.pricing.completion }];
    })
    .toSorted((a, b) => a.promptPrice + a.completionPrice - (b.promptPrice + b.completionPrice));
  const widest = Math.max(...sound.map(({ contextLength }) => contextLength));
  return sound.find(({ contextLength }) => contextLength >= Math.min(tokens, widest)) ?? null;
}
