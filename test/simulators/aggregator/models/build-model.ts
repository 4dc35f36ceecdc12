import type { ModelRow } from "./row.ts";

const TOKENIZERS: Record<string, string> = {
  anthropic: "Claude",
  openai: "GPT",
  google: "Gemini",
  "meta-llama": "Llama4",
  mistralai: "Mistral",
  deepseek: "DeepSeek",
  qwen: "Qwen3",
  "x-ai": "Grok",
  cohere: "Cohere",
  amazon: "Nova",
};

/** A decimal string of US dollars a token, as the wire has it, from dollars per 1M tokens. */
function perToken(perMillion: number): string {
  if (perMillion < 0) return "-1";
  if (perMillion === 0) return "0";
  return (perMillion / 1e6).toFixed(12).replace(/0+$/, "");
}

function supportedParameters(row: ModelRow): string[] {
  const parameters = ["max_tokens", "temperature", "top_p", "stop", "seed", "response_format"];
  if (row.tools) parameters.push("tools", "tool_choice", "structured_outputs");
  if (row.reasoning) parameters.push("reasoning", "include_reasoning");
  return parameters.toSorted();
}

function reasoningOf(row: ModelRow) {
  if (!row.reasoning) return undefined;
  return {
    mandatory: row.reasoning === "always",
    default_enabled: row.reasoning !== "asked",
    supported_efforts: ["high", "medium", "low"],
    supports_max_tokens: row.id.startsWith("anthropic/") || row.id.startsWith("google/"),
  };
}

/** Whether a maker's providers take money for keeping a prompt. */
function isCachePaid(maker: string): boolean {
  return maker === "anthropic" || maker === "qwen";
}

/** The aggregator's wire shape of one model (reference: `GET /models`). */
export function buildModel(row: ModelRow) {
  const [maker = "", slug = ""] = row.id.split("/");
  const input = row.produces === "transcription" ? [] : ["text"];
  const inputs = [...input, ...(row.accepts ?? [])];
  const output = row.produces ?? "text";
  const priced = row.price[0] > 0;
  return {
    id: row.id,
    canonical_slug: `${maker}/${slug.replace(/:.*$/, "")}-${row.released.replaceAll("-", "")}`,
    hugging_face_id: null,
    name: row.name,
    created: Date.parse(row.released) / 1000,
    description: row.description,
    context_length: row.context > 0 ? row.context : null,
    architecture: {
      modality: `${inputs.join("+")}->${output}`,
      input_modalities: inputs,
      output_modalities: [output],
      tokenizer: TOKENIZERS[maker] ?? "Other",
      instruct_type: null,
    },
    pricing: {
      prompt: perToken(row.price[0]),
      completion: perToken(row.price[1]),
      request: maker === "perplexity" ? "0.005" : "0",
      image: "0",
      web_search: "0",
      internal_reasoning: "0",
      ...(priced && row.tools ? { input_cache_read: perToken(row.price[0] / 10) } : {}),
      ...(priced && row.tools && isCachePaid(maker) ? { input_cache_write: perToken(row.price[0] * 1.25) } : {}),
      ...(priced && row.tools && maker === "anthropic" ? { input_cache_write_1h: perToken(row.price[0] * 2) } : {}),
      discount: 0,
    },
    top_provider: {
      context_length: row.context > 0 ? row.context : null,
      max_completion_tokens: row.output ?? null,
      is_moderated: maker === "openai" || maker === "anthropic",
    },
    per_request_limits: null,
    supported_parameters: supportedParameters(row),
    default_parameters: { temperature: null, top_p: null },
    supported_voices: null,
    expiration_date: row.expires ?? null,
    ...(row.reasoning ? { reasoning: reasoningOf(row) } : {}),
    links: { details: `/api/v1/models/${row.id}/endpoints` },
    alias_target: null,
  };
}

export type WireModel = ReturnType<typeof buildModel>;
