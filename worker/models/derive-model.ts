import type { Model, ModelFeature } from "#shared/entities/model.ts";
import type { AggregatorModel } from "../clients/aggregator-models.ts";
import { makerOf, monogramOf, providerIdOf } from "./makers.ts";

/** A model as the catalogue keeps it: what is shown, and what only the Worker needs. Both are plain values. */
export type CatalogueEntry = {
  model: Omit<Model, "isAvailable">;
  /** The id the aggregator is asked for. */
  aggregatorId: string;
  /** Tokens; null where unknown. */
  maxOutput: number | null;
  /** Whether it takes files, e.g. PDFs, as they are. */
  takesFiles: boolean;
  fees: ModelFees | null;
};

/** What a model costs beside what a token that it reads or writes does, in US dollars: a request, a picture, and tokens that cost more, as they are kept for later or thought. */
export type ModelFees = { request: number; picture: number; keptToken: number; thoughtToken: number };

export type Marks = { isPro: (id: string) => boolean; isTurbo: (id: string) => boolean };

/** Names of models that are made for something else than chatting, and call no tools (decisions); they count where the aggregator says nothing. */
const SPECIALISED =
  /(?<![a-z])(embed(ding)?s?|dall-?e|imagen?|stable-diffusion|tts|speech|whisper|transcribe|moderation|rerank(er)?)(?![a-z])/i;
/** Models that judge what others say, and answer with a verdict even where they count as writing text. */
const GUARD = /(?<![a-z])((llama|safe|qwen\d?)?guard(ian)?|shieldgemma)(?![a-z])/i;

/** Derives what the selector shows from an aggregator's row (spec 3, Model). */
export function deriveModel(row: AggregatorModel, { isPro, isTurbo }: Marks): CatalogueEntry {
  const features = featuresOf(row);
  return {
    model: {
      id: row.id,
      name: row.name || row.id,
      provider: makerOf(row),
      providerId: providerIdOf(row),
      description: row.description ?? "",
      icon: monogramOf(row),
      features,
      pricing: pricingOf(row),
      context_length: row.context_length ?? row.top_provider?.context_length ?? null,
      top_provider: { context_length: row.top_provider?.context_length ?? null },
      vision: row.architecture?.input_modalities?.includes("image") ?? false,
      tools: features.includes("tool-use"),
      reasoning: features.includes("reasoning"),
      isPro: isPro(row.id),
      isTurbo: isTurbo(row.id),
    },
    aggregatorId: row.id,
    maxOutput: row.top_provider?.max_completion_tokens ?? null,
    takesFiles: row.architecture?.input_modalities?.includes("file") ?? false,
    fees: feesOf(row),
  };
}

/** Null where the row names none. */
function feesOf({ pricing, supported_parameters: parameters }: AggregatorModel): ModelFees | null {
  // A search is paid by who asks for one: these models search by themselves.
  const search = parameters?.includes("web_search_options") ? (toPrice(pricing?.web_search) ?? 0) : 0;
  const fees = {
    request: (toPrice(pricing?.request) ?? 0) + search,
    picture: toPrice(pricing?.image) ?? 0,
    keptToken: toPrice(pricing?.input_cache_write) ?? 0,
    thoughtToken: toPrice(pricing?.internal_reasoning) ?? 0,
  };
  return Object.values(fees).some((fee) => fee > 0) ? fees : null;
}

/** Whether a row belongs in the selector: it is made for chatting and has not expired by `today` (`YYYY-MM-DD`, UTC). */
export function isOffered(row: AggregatorModel, today: string): boolean {
  const produces = row.architecture?.output_modalities ?? [];
  const isForText = produces.length > 0 ? produces.includes("text") : !isNamedLike(SPECIALISED, row);
  if (!isForText || isNamedLike(GUARD, row)) return false;
  return !row.expiration_date || row.expiration_date >= today;
}

function isNamedLike(pattern: RegExp, { id, name }: AggregatorModel): boolean {
  return pattern.test(id) || pattern.test(name ?? "");
}

function featuresOf(row: AggregatorModel): ModelFeature[] {
  const accepts = row.architecture?.input_modalities ?? [];
  const parameters = row.supported_parameters;
  const features: ModelFeature[] = [];
  if (accepts.includes("image") || accepts.includes("file")) features.push("file-upload");
  if (parameters ? parameters.includes("tools") : !isNamedLike(SPECIALISED, row)) features.push("tool-use");
  const says = /thinking|reasoning/i.test(`${row.name ?? ""} ${row.description ?? ""}`);
  if (says || parameters?.includes("reasoning")) features.push("reasoning");
  return features;
}

/** US dollars per token; null where the row names none or a router's "-1". */
function pricingOf(row: AggregatorModel): Model["pricing"] {
  const prompt = toPrice(row.pricing?.prompt);
  const completion = toPrice(row.pricing?.completion);
  return prompt === null || completion === null ? null : { prompt, completion };
}

function toPrice(value: string | number | null | undefined): number | null {
  if (value === null || value === undefined || value === "") return null;
  const price = Number(value);
  return Number.isFinite(price) && price >= 0 ? price : null;
}
