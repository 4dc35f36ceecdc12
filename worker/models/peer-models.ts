import { isAllowed } from "#shared/allowlist.ts";
import { AUTO_MODEL_ID } from "#shared/entities/model.ts";
import { nameWithoutMaker } from "#shared/model-names.ts";
import { isHighCost, pricePerMillion } from "#shared/model-rules.ts";
import type { Caller, Env, ModelSettings } from "../env.ts";
import { AppError } from "../http/app-error.ts";
import { loadCatalogue } from "./catalogue.ts";
import type { CatalogueEntry } from "./derive-model.ts";
import { type ResolvedModel, resolveModel } from "./resolve-model.ts";

/** Makers whose models are asked first when several opinions are wanted; the others follow in the catalogue's order. */
const MAKERS = ["openai", "anthropic", "google", "deepseek", "mistral", "xai", "meta", "qwen", "moonshotai"];

/** Models for one kind of work, by their ids: they answer a plain question badly, late or not at all. */
const SPECIALIST = /deep-research|guard|moderation|codex|coder|code-fast|codestral|devstral|:online$/;

type Wish = {
  caller: Pick<Caller, "anonymous" | "plan">;
  settings: ModelSettings;
  count: number;
  /** Makers that are passed over while any other has a model. */
  without?: readonly string[];
  /** Models that are not wanted at all. */
  withoutModels?: readonly string[];
};

/** Up to `count` models for a second opinion, each of another maker as far as there are makers, all of which the caller may use. */
export async function peerModels(env: Env, { caller, settings, count, without = [], withoutModels = [] }: Wish): Promise<ResolvedModel[]> {
  const { entries } = await loadCatalogue(env);
  const allowed = entries.filter(({ model }) => isAllowed(model.id, settings.allowlist) && !withoutModels.includes(model.id));
  const found: ResolvedModel[] = [];
  for (const { model } of rankPeers(allowed, without)) {
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

/** The maker's id of a model by its id, as far as that tells it also of one that left the catalogue, or by its name. */
export async function makerIdOf(env: Env, modelId: string): Promise<string> {
  const { entries } = await loadCatalogue(env);
  const known = entries.find(({ model: { id, name } }) => [id, name, nameWithoutMaker(name)].includes(modelId));
  return known?.model.providerId ?? modelId.split("/")[0] ?? modelId;
}

/** Orders models by who should be asked: each maker's strongest one first, then their next, and the makers of `without` last. */
export function rankPeers(entries: readonly CatalogueEntry[], without: readonly string[] = []): CatalogueEntry[] {
  const byMaker = Map.groupBy(
    entries.filter(({ model }) => isPeer(model)),
    ({ model }) => model.providerId,
  );
  const makers = [...byMaker.keys()].toSorted((a, b) => placeOf(a) - placeOf(b));
  const wanted = makers.filter((maker) => !without.includes(maker));
  const avoided = makers.filter((maker) => without.includes(maker));
  return [...interleave(wanted.map(ranked)), ...interleave(avoided.map(ranked))];

  function ranked(maker: string): CatalogueEntry[] {
    return (byMaker.get(maker) ?? []).toSorted((a, b) => strengthOf(b) - strengthOf(a));
  }
}

/** No router, no specialist, and nothing that the selector warns of as costly. */
function isPeer(model: CatalogueEntry["model"]): boolean {
  return model.id !== AUTO_MODEL_ID && model.providerId !== "openrouter" && !SPECIALIST.test(model.id) && !isHighCost(model.pricing);
}

/** A maker's price is the one public measure of what it thinks of its own models; free variants come last. */
function strengthOf({ model }: CatalogueEntry): number {
  return model.pricing ? pricePerMillion(model.pricing) : 0;
}

function placeOf(maker: string): number {
  const at = MAKERS.indexOf(maker);
  return at === -1 ? MAKERS.length : at;
}

function interleave<T>(lists: readonly T[][]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1))).flat();
}
