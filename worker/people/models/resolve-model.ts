import { isAllowed, preferredWithin } from "#shared/models/allowlist.ts";
import type { AllowedModel } from "#shared/entities/model.ts";
import { AUTO_MODEL_ID, DEEP_RESEARCH_MODEL_ID, isPseudoModel } from "#shared/models/model-ids.ts";
import { AUTO_COST_PER_MILLION, MODEL_INSTANCE_CACHE_MS } from "#shared/limits.ts";
import { PLANS } from "#shared/plans.ts";
import { pricePerMillion, type TokenPrices } from "#shared/models/model-rules.ts";
import { pickResearcher } from "#shared/research/researcher.ts";
import { type Caller, configOf, type Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { canResearch, type Catalogue, isAffordable, loadCatalogue } from "./catalogue.ts";
import type { CatalogueEntry, ModelFees } from "./derive-model.ts";

/** A model ready to be asked; plain data, so it crosses to an object. Prices in US dollars per token, lengths in tokens. */
export type ResolvedModel = {
  /** What was asked for: `auto`, `deep-research` or a real id. */
  id: string;
  aggregatorId: string;
  /** The aggregator's raw name. */
  name: string;
  contextLength: number | null;
  maxOutput: number | null;
  promptPrice: number | null;
  completionPrice: number | null;
  /** What a token may cost where no price is known: of a router's the dearest that it may choose. Null where the price is known, and where nobody names prices. */
  assumedPrice: TokenPrices | null;
  /** What it costs besides; null where that is nothing. */
  fees: ModelFees | null;
  vision: boolean;
  /** Whether it takes PDFs as they are. */
  takesFiles: boolean;
  tools: boolean;
  reasoning: boolean;
  /** For the router's `allowed_models`; null where it may choose freely, or where no router is asked. */
  routerModels: string[] | null;
};

type Asker = Pick<Caller, "anonymous" | "plan">;
type Request = {
  /** What the message or its chat names; null leaves it to `preferred`. */
  requested: string | null;
  caller: Asker;
  /** Null allows every model. */
  allowlist: readonly AllowedModel[] | null;
  preferred: string | null;
};

const instances = new Map<string, { entry: CatalogueEntry; until: number }>();
const INSTANCES_MAX = 2_000;

/** Decides which model answers. Throws MODEL_NOT_FOUND, PRO_MODEL_REQUIRED, MODEL_NOT_ALLOWED, GUEST_MODEL or AGGREGATOR_UNAVAILABLE. */
export async function resolveModel(env: Env, request: Request): Promise<ResolvedModel> {
  const { requested, caller, allowlist } = request;
  if (requested === null) return resolveImplicit(env, request);
  if (isAuto(requested)) return resolveAuto(env, request);
  if (requested === DEEP_RESEARCH_MODEL_ID) return resolveResearch(env, request);
  const entry = await usableEntry(env, requested, caller);
  if (!isAllowed(requested, allowlist)) throw new AppError("MODEL_NOT_ALLOWED");
  return priced(env, resolved(entry, { id: requested }));
}

/** Nobody named a model: the preferred one, in its place the first allowed one, and 'Auto' where neither can be used. */
async function resolveImplicit(env: Env, request: Request): Promise<ResolvedModel> {
  const { preferred, allowlist, caller } = request;
  const wanted = preferredWithin(preferred, allowlist);
  // A research is asked for each time: what nobody chose costs no dollars by itself.
  if (wanted === null || isPseudoModel(wanted)) return resolveAuto(env, request);
  try {
    return await priced(env, resolved(await usableEntry(env, wanted, caller), { id: wanted }));
  } catch (error) {
    // A default may have left the catalogue or the plan since it was set; only a model asked for by name is refused.
    if (error instanceof AppError && error.code !== "AGGREGATOR_UNAVAILABLE") return resolveAuto(env, request);
    throw error;
  }
}

async function resolveAuto(env: Env, { caller, allowlist, preferred }: Request): Promise<ResolvedModel> {
  const catalogue = await loadCatalogue(env);
  const [auto, ...models] = catalogue.entries;
  if (!auto) throw notFound(AUTO_MODEL_ID);
  const usable = models.filter((entry) => isUsable(entry, caller, catalogue));
  const allowed = usable.filter(({ model }) => isAllowed(model.id, allowlist));
  // An allowlist of 'Auto' alone, or of models that are gone, leaves the choice to the router.
  const candidates = allowed.length > 0 ? allowed : usable;
  if (catalogue.hasRouter) {
    const routed = withoutDearest(candidates);
    const routerModels = routed.length < models.length ? routed.map(({ model }) => model.id) : null;
    if (routerModels?.length === 0) throw new AppError(caller.anonymous ? "GUEST_MODEL" : "PRO_MODEL_REQUIRED");
    return { ...resolved(auto, { id: AUTO_MODEL_ID, routerModels }), assumedPrice: dearestPrice(routed) };
  }
  const chosen = candidates.find(({ model }) => model.id === preferred) ?? candidates[0];
  if (!chosen) throw new AppError(caller.anonymous ? "GUEST_MODEL" : "PRO_MODEL_REQUIRED");
  return resolved(chosen, { id: AUTO_MODEL_ID });
}

/**
 * What a router may choose from. An answer of it is reserved at the dearest price among these, as nobody knows before which it takes: the few that cost
 * many times what others do would make it dear for everybody, so they are left out where there are others.
 */
function withoutDearest(entries: CatalogueEntry[]): CatalogueEntry[] {
  const within = entries.filter(({ model }) => model.pricing === null || pricePerMillion(model.pricing) <= AUTO_COST_PER_MILLION);
  return within.length > 0 ? within : entries;
}

/** The dearest of these models' prices, of prompt and answer each; null where none has any. */
function dearestPrice(entries: readonly CatalogueEntry[]): TokenPrices | null {
  const prices = entries.flatMap(({ model }) => (model.pricing ? [model.pricing] : []));
  if (prices.length === 0) return null;
  return { prompt: Math.max(...prices.map(({ prompt }) => prompt)), completion: Math.max(...prices.map(({ completion }) => completion)) };
}

/** A model without a price is taken for as dear as what 'Auto' may choose, as it may be another router. */
async function priced(env: Env, model: ResolvedModel): Promise<ResolvedModel> {
  if (model.promptPrice !== null) return model;
  const { entries } = await loadCatalogue(env);
  return { ...model, assumedPrice: dearestPrice(withoutDearest(entries)) };
}

/** The model that a research works with; it needs an account and a web to search, and does without tools. */
async function resolveResearch(env: Env, { caller, allowlist, preferred }: Request): Promise<ResolvedModel> {
  if (!canResearch(env)) throw notFound(DEEP_RESEARCH_MODEL_ID);
  if (caller.anonymous) throw new AppError("GUEST_MODEL", { message: "Deep Research is for signed-in users. Sign in, or pick a model." });
  if (!isAllowed(DEEP_RESEARCH_MODEL_ID, allowlist)) throw new AppError("MODEL_NOT_ALLOWED");
  const { entries } = await loadCatalogue(env);
  const models = entries.map(({ model }) => model);
  const chosen = pickResearcher(models, { preferred, allowlist, hasPro: hasPro(caller) });
  const entry = entries.find(({ model }) => model === chosen);
  if (!entry) throw notFound(DEEP_RESEARCH_MODEL_ID);
  return { ...resolved(entry, { id: DEEP_RESEARCH_MODEL_ID }), tools: false };
}

/** The entry of a model that this class of caller may use, kept 10 minutes, so it outlives a lapse of the list. */
async function usableEntry(env: Env, id: string, caller: Asker): Promise<CatalogueEntry> {
  const { aggregator, models } = configOf(env);
  const callerClass = caller.anonymous ? "guest" : caller.plan;
  const key = [aggregator.url, models.pro, callerClass, id].join("\n");
  const instance = instances.get(key);
  if (instance && instance.until > Date.now()) return instance.entry;
  const catalogue = await loadCatalogue(env);
  const entry = catalogue.entries.find(({ model }) => model.id === id);
  if (!entry) throw notFound(id);
  if (entry.model.isPro && !hasPro(caller)) throw new AppError("PRO_MODEL_REQUIRED");
  if (!isAffordable(entry, caller, catalogue)) throw new AppError("GUEST_MODEL");
  if (instances.size >= INSTANCES_MAX) instances.clear();
  instances.set(key, { entry, until: Date.now() + MODEL_INSTANCE_CACHE_MS });
  return entry;
}

function isUsable(entry: CatalogueEntry, caller: Asker, catalogue: Catalogue): boolean {
  return (!entry.model.isPro || hasPro(caller)) && isAffordable(entry, caller, catalogue);
}

function hasPro({ anonymous, plan }: Asker): boolean {
  return !anonymous && PLANS[plan].proModels;
}

function isAuto(id: string): boolean {
  return id === AUTO_MODEL_ID || id === "openrouter/auto";
}

function notFound(id: string): AppError {
  return new AppError("MODEL_NOT_FOUND", { message: `Model ${id} not found` });
}

function resolved(
  { model, aggregatorId, maxOutput, takesFiles, fees }: CatalogueEntry,
  own: { id: string; routerModels?: string[] | null },
): ResolvedModel {
  return {
    id: own.id,
    aggregatorId,
    name: model.name,
    contextLength: model.top_provider.context_length ?? model.context_length,
    maxOutput,
    promptPrice: model.pricing?.prompt ?? null,
    completionPrice: model.pricing?.completion ?? null,
    assumedPrice: null,
    fees,
    vision: model.vision,
    takesFiles,
    tools: model.tools,
    reasoning: model.reasoning,
    routerModels: own.routerModels ?? null,
  };
}
