import { APP_NAME } from "#shared/app.ts";
import type { Model } from "#shared/entities/model.ts";
import { AUTO_MODEL_ID, DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import { compareModels } from "#shared/models/model-names.ts";
import { isGuestPrice } from "#shared/models/model-rules.ts";
import type { AggregatorModel } from "#worker/platform/clients/aggregator-models.ts";
import type { Config } from "#worker/platform/config/config.ts";
import { type Caller, configOf, type Env } from "#worker/platform/env.ts";
import { type CatalogueEntry, deriveModel, isOffered } from "./derive-model.ts";
import { loadModelList, type ModelList } from "./model-list.ts";

const ROUTER_ID = "openrouter/auto";

export type Catalogue = {
  /** 'Auto' first, then by name without the vendor. */
  entries: CatalogueEntry[];
  /** Whether the aggregator has a router of its own behind 'Auto'. */
  hasRouter: boolean;
  /** False on servers that name no prices at all: the operator's own, where nobody is kept from a model by its price. */
  hasPrices: boolean;
};

let derived: { list: ModelList; marks: string; catalogue: Catalogue } | null = null;

/** The models of this deployment, at most 5 minutes old unless `stale`. Throws AGGREGATOR_UNAVAILABLE when none was ever read. */
export async function loadCatalogue(env: Env): Promise<Catalogue & { stale: boolean }> {
  const { list, stale } = await loadModelList(env);
  const today = new Date().toISOString().slice(0, 10);
  const { models } = configOf(env);
  const marks = JSON.stringify([models.pro, models.turbo, today]);
  if (derived?.list !== list || derived.marks !== marks) derived = { list, marks, catalogue: buildCatalogue(list.rows, models, today) };
  return { ...derived.catalogue, stale };
}

/** Derives and orders the catalogue of a list; expired models and those that write no text are left out. */
export function buildCatalogue(rows: readonly AggregatorModel[], { pro, turbo }: Partial<Config["models"]>, today: string): Catalogue {
  const marks = { isPro: globMatcher(pro), isTurbo: globMatcher(turbo) };
  const unique = new Map(rows.filter((row) => isOffered(row, today)).map((row) => [row.id, row]));
  const all = [...unique.values()].map((row) => deriveModel(row, marks));
  const router = all.find((entry) => entry.aggregatorId === ROUTER_ID);
  const models = all.filter((entry) => entry !== router).toSorted((a, b) => compareModels(a.model, b.model));
  const first = router ?? models[0];
  return {
    entries: first ? [autoEntry(first, router !== undefined), ...models] : [],
    hasRouter: router !== undefined,
    hasPrices: all.some((entry) => entry.model.pricing !== null || entry === router),
  };
}

/** The pseudo-model: the aggregator's router, or where it has none the model that stands in for it. */
function autoEntry({ model, aggregatorId, maxOutput, takesFiles, fees }: CatalogueEntry, isRouter: boolean): CatalogueEntry {
  const auto = {
    ...model,
    id: AUTO_MODEL_ID,
    name: "Auto",
    provider: isRouter ? "OpenRouter" : APP_NAME,
    providerId: "openrouter",
    description: (isRouter && model.description) || "Picks a model for each message.",
    pricing: null,
    isPro: false,
    isTurbo: false,
  };
  return { model: auto, aggregatorId, maxOutput, takesFiles, fees };
}

/** Whether the caller's class may use a model by its price: guests only up to $2 per 1M tokens; a visitor counts as a guest. */
export function isAffordable({ model }: CatalogueEntry, caller: Pick<Caller, "anonymous"> | null, { hasPrices }: Catalogue): boolean {
  if (caller && !caller.anonymous) return true;
  if (model.id === AUTO_MODEL_ID) return true;
  return model.pricing ? isGuestPrice(model.pricing) : !hasPrices;
}

/** The models as the caller sees them (decisions, Order of models): 'Auto', then by name, 'Deep Research' among them where the web can be searched. */
export function modelsFor(env: Env, catalogue: Catalogue, caller: Caller | null): Model[] {
  const [auto, ...models] = catalogue.entries.map((entry) => ({ ...entry.model, isAvailable: isAffordable(entry, caller, catalogue) }));
  if (!auto) return [];
  const research = { ...DEEP_RESEARCH, isAvailable: caller !== null && !caller.anonymous };
  return [auto, ...(canResearch(env) ? [...models, research].toSorted(compareModels) : models)];
}

/** Whether this deployment can search the web, without which there is no research. */
export function canResearch(env: Env): boolean {
  return configOf(env).search.parallel.key !== undefined;
}

/** The pseudo-model whose answers are reports: it plans, searches and reads by itself, so it is offered no tools. */
const DEEP_RESEARCH: Omit<Model, "isAvailable"> = {
  id: DEEP_RESEARCH_MODEL_ID,
  name: "Deep Research",
  provider: APP_NAME,
  providerId: "openrouter",
  description:
    "Plans a question, searches and reads the web for each part of it, checks what is missing, and writes a report with sources. Takes minutes, and goes on when everyone has left.",
  icon: "openrouter",
  features: [],
  pricing: null,
  context_length: null,
  top_provider: { context_length: null },
  vision: false,
  tools: false,
  reasoning: false,
  isPro: false,
  isTurbo: false,
};

/** A test for ids by a comma-separated list of globs such as `openai/o1-pro,*:nitro`; `*` stands for anything, case does not matter. */
export function globMatcher(list: string | undefined): (id: string) => boolean {
  const patterns = (list ?? "")
    .split(",")
    .map((glob) => glob.trim())
    .filter((glob) => glob !== "")
    .map((glob) => new RegExp(`^${glob.split("*").map(literal).join(".*")}$`, "i"));
  return (id) => patterns.some((pattern) => pattern.test(id));
}

function literal(text: string): string {
  return text.replaceAll(/[$()+.?[\\\]^{|}]/g, String.raw`\$&`);
}
