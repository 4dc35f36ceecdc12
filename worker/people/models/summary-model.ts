import type { Env } from "#worker/platform/env.ts";
import { loadCatalogue } from "./catalogue.ts";
import { titleModel } from "./title-model.ts";

/** The model that summarizes: its context in tokens, its prices in US dollars per token, null where unknown. */
export type SummaryModel = {
  aggregatorId: string;
  contextLength: number | null;
  promptPrice: number | null;
  completionPrice: number | null;
};

/** The cheap model that titles chats, which is sound enough to sum one up; null when no model is known. Throws AGGREGATOR_UNAVAILABLE. */
export async function summaryModel(env: Env): Promise<SummaryModel | null> {
  const aggregatorId = await titleModel(env);
  if (aggregatorId === null) return null;
  const { entries } = await loadCatalogue(env);
  const model = entries.find((entry) => entry.aggregatorId === aggregatorId)?.model;
  return {
    aggregatorId,
    contextLength: model ? (model.top_provider.context_length ?? model.context_length) : null,
    promptPrice: model?.pricing?.prompt ?? null,
    completionPrice: model?.pricing?.completion ?? null,
  };
}
