import type { AggregatorModel } from "../clients/aggregator-models.ts";

/** The aggregator's maker slugs that the specification's list of provider ids spells otherwise. */
const PROVIDER_IDS: Record<string, string> = { mistralai: "mistral", "x-ai": "xai", "meta-llama": "meta" };

/** For ids without a maker, as on OpenAI-compatible servers: what their names begin with. */
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

/** The maker's id: one of the specification's list where it is known, else the part of the id before the slash. */
export function providerIdOf(row: AggregatorModel): string {
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

/** What the monogram of a model's maker is called: the id's part before the slash, by which the interface draws it, else the provider id. */
export function monogramOf(row: AggregatorModel): string {
  const slash = row.id.indexOf("/");
  return slash > 0 ? row.id.slice(0, slash).replace(/^~/, "") : providerIdOf(row);
}

/** The maker as people write it: the name's part before `: `, else the provider id's usual spelling. */
export function makerOf(row: AggregatorModel): string {
  const name = row.name ?? "";
  const at = name.indexOf(": ");
  const providerId = providerIdOf(row);
  return at > 0 ? name.slice(0, at) : (MAKERS[providerId] ?? providerId);
}
