import { configOf, type Env } from "#worker/platform/env.ts";
import { loadCatalogue } from "./catalogue.ts";
import type { CatalogueEntry } from "./derive-model.ts";
import { pricePerMillion } from "#shared/models/model-rules.ts";

/** Context below this many tokens does not hold a first exchange. */
const CONTEXT_MIN = 16_000;
/** Below this sum per 1M tokens stand models too small to write a fair title, and free ones with tight limits. */
const PRICE_MIN = 0.1;

/** The choice for the catalogue at hand, which is the same object until it is read again. */
let picked: { of: readonly CatalogueEntry[]; id: string | null } | null = null;

/** The aggregator's id of the model that writes titles: the configured one, else the cheapest of sound size; null when no model is known. */
export async function titleModel(env: Env): Promise<string | null> {
  const { title } = configOf(env).models;
  if (title !== undefined) return title;
  const { entries } = await loadCatalogue(env);
  if (picked?.of !== entries) picked = { of: entries, id: pickTitleModel(entries) };
  return picked.id;
}

/** Picks by price among models that answer without thinking first. */
export function pickTitleModel(entries: readonly CatalogueEntry[]): string | null {
  const sound = entries
    .filter(({ model }) => !model.isPro && !model.reasoning && (model.context_length ?? 0) >= CONTEXT_MIN)
    .flatMap(({ model, aggregatorId }) => (model.pricing ? [{ id: aggregatorId, price: pricePerMillion(model.pricing) }] : []))
    .filter(({ price }) => price >= PRICE_MIN)
    .toSorted((a, b) => a.price - b.price);
  return sound[0]?.id ?? entries[0]?.aggregatorId ?? null;
}
