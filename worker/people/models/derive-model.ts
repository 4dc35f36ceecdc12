import type { Model, ModelFeature } from "#shared/entities/model.ts";
import type { AggregatorModel } from "#worker/platform/clients/aggregator-models.ts";

/** The aggregator's vendor slugs that the specification's list of provider ids spells otherwise. */
const PROVIDER_IDS: Record<string, string> = { mistralai: "mistral", "x-ai": "xai", "meta-llama": "meta" };

/** For ids without a vendor, as on OpenAI-compatible servers: what their names begin with. */
const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^(gpt|chatgpt|o\d)/i, "openai"],
  [/^(mistral|mixtral|codestral|ministral)/i, "mistral"],
  [/^deepseek/i, "deepseek"],
  [/^gemini/i, "gemini"],
  [/^claude/i, "claude"],
  [/^grok/i, "grok"],
  [/^gemma/i, "google"],
  [/^llama/i, "meta"],
];

const MAKERS: Record<string, string> = {
  openrouter: "OpenRouter",
  openai: "OpenAI",
  mistral: "Mistral",
  deepseek: "DeepSeek",
  gemini: "Google",
  claude: "Anthropic",
  grok: "xAI",
  xai: "xAI",
  google: "Google",
  anthropic: "Anthropic",
  ollama: "Ollama",
  meta: "Meta",
};

/** The vendor's id: one of the specification's list where it is known, else the part of the id before the slash. */
function providerIdOf(row: AggregatorModel): string {
  const slash = row.id.indexOf("/");
  if (slash > 0) {
    const slug = row.id.slice(0, slash).replace(/^~/, "");
    return PROVIDER_IDS[slug] ?? slug;
  }
  const family = FAMILIES.find(([pattern]) => pattern.test(row.id));
  if (family) return family[1];
  // Ollama names its own catalogue `library` as the owner.
  return !row.owned_by || row.owned_by === "library" ? "ollama" : row.owned_by;
}

/** What the monogram of a model's vendor is called: the id's part before the slash, by which the interface draws it, else the provider id. */
function monogramOf(row: AggregatorModel): string {
  const slash = row.id.indexOf("/");
  return slash > 0 ? row.id.slice(0, slash).replace(/^~/, "") : providerIdOf(row);
}

/** The vendor as people write it: the name's part before `: `, else the provider id's usual spelling. */
function vendorOf(row: AggregatorModel): string {
  const name = row.name ?? "";
  const at = name.indexOf(": ");
  const providerId = providerIdOf(row);
  return at > 0 ? name.slice(0, at) : (MAKERS[providerId] ?? providerId);
}

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

/**
 * What a model costs beside what a token that it reads or writes does, in US dollars: a request, a picture, and tokens of other prices: read as
 * they were kept, kept for some minutes or for an hour, or thought. 0 where the row names none.
 */
export type ModelFees = {
  request: number;
  picture: number;
  cacheReadToken: number;
  cacheWriteToken: number;
  cacheWriteHourToken: number;
  reasoningToken: number;
};

export type Marks = { isPro: (id: string) => boolean; isTurbo: (id: string) => boolean };

/** Names of models that are made for something else than chatting, and call no tools (decisions); they count where the aggregator says nothing. */
const SPECIALISED =
  /(?<![a-z])(embed(ding)?s?|dall-?e|imagen?|stable-diffusion|tts|speech|whisper|transcribe|moderation|rerank(er)?)(?![a-z])/i;
/** Models that judge what others say, and answer with a verdict even where they count as writing text. */
const GUARD = /(?<![a-z])((llama|safe|qwen\d?)?guard(ian)?|shieldgemma)(?![a-z])/i;

/** Derives what the selector shows from an aggregator's row. */
export function deriveModel(row: AggregatorModel, { isPro, isTurbo }: Marks): CatalogueEntry {
  const features = featuresOf(row);
  return {
    model: {
      id: row.id,
      name: row.name || row.id,
      provider: vendorOf(row),
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
    cacheReadToken: toPrice(pricing?.input_cache_read) ?? 0,
    cacheWriteToken: toPrice(pricing?.input_cache_write) ?? 0,
    cacheWriteHourToken: toPrice(pricing?.input_cache_write_1h) ?? 0,
    reasoningToken: toPrice(pricing?.internal_reasoning) ?? 0,
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
  const cached = toPrice(row.pricing?.input_cache_read);
  return prompt === null || completion === null ? null : { prompt, completion, ...(cached !== null && cached < prompt && { cached }) };
}

function toPrice(value: string | number | null | undefined): number | null {
  if (value === null || value === undefined || value === "") return null;
  const price = Number(value);
  return Number.isFinite(price) && price >= 0 ? price : null;
}
