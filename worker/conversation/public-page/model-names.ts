import { nameWithoutVendor } from "#shared/models/model-names.ts";
import type { Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { loadCatalogue } from "#worker/people/models/catalogue.ts";

/** Names models for readers; by their ids where the list cannot be read or no longer has them. */
export async function modelNames(env: Env): Promise<(modelId: string) => string> {
  const names = await readNames(env);
  return (modelId) => names.get(modelId) ?? plainName(modelId);
}

async function readNames(env: Env): Promise<ReadonlyMap<string, string>> {
  try {
    const { entries } = await loadCatalogue(env);
    return new Map(entries.map(({ model }) => [model.id, nameWithoutVendor(model.name)]));
  } catch (error) {
    // A page can be read while the aggregator is down.
    if (error instanceof AppError) return new Map();
    throw error;
  }
}

function plainName(modelId: string): string {
  return modelId.slice(modelId.indexOf("/") + 1);
}
