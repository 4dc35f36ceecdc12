import { isAllowed } from "#shared/models/allowlist.ts";
import { nameWithoutVendor } from "#shared/models/model-names.ts";
import { rankPeers } from "#shared/models/rank-peers.ts";
import type { Caller, Env, ModelSettings } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { loadCatalogue } from "./catalogue.ts";
import { type ResolvedModel, resolveModel } from "./resolve-model.ts";

type Input = {
  caller: Pick<Caller, "anonymous" | "plan">;
  settings: ModelSettings;
  count: number;
  /** Makers that are passed over while any other has a model. */
  without?: readonly string[];
  /** Models that are not wanted at all. */
  withoutModels?: readonly string[];
};

/** Up to `count` models for a second opinion, each of another vendor as far as there are vendors; the caller may use all of them. */
export async function peerModels(env: Env, { caller, settings, count, without = [], withoutModels = [] }: Input): Promise<ResolvedModel[]> {
  const { entries } = await loadCatalogue(env);
  const models = entries.map(({ model }) => model);
  const allowed = models.filter(({ id }) => isAllowed(id, settings.allowlist) && !withoutModels.includes(id));
  const found: ResolvedModel[] = [];
  for (const model of rankPeers(allowed, without)) {
    if (found.length === count) break;
    try {
      found.push(await resolveModel(env, { requested: model.id, caller, ...settings }));
    } catch (error) {
      // One that the caller may not use is no candidate.
      if (!(error instanceof AppError) || error.code === "AGGREGATOR_UNAVAILABLE") throw error;
    }
  }
  return found;
}

/** The vendor's id of a model by its id, as far as that names it, also for one that left the catalogue, or by its name. */
export async function vendorIdOf(env: Env, modelId: string): Promise<string> {
  const { entries } = await loadCatalogue(env);
  const known = entries.find(({ model: { id, name } }) => [id, name, nameWithoutVendor(name)].includes(modelId));
  return known?.model.providerId ?? modelId.split("/")[0] ?? modelId;
}
