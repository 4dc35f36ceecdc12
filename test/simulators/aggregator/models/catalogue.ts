import { anthropic } from "./anthropic.ts";
import { buildModel, type WireModel } from "./build-model.ts";
import { deepseek, moonshot, qwen } from "./deepseek-qwen-moonshot.ts";
import { google } from "./google.ts";
import { meta, mistral } from "./meta-mistral.ts";
import { openai } from "./openai.ts";
import { others, routers } from "./others.ts";
import type { ModelRow } from "./row.ts";

const rows: readonly ModelRow[] = [
  ...routers,
  ...anthropic,
  ...openai,
  ...google,
  ...meta,
  ...mistral,
  ...deepseek,
  ...qwen,
  ...moonshot,
  ...others,
];

/** Every well-formed model, newest first, embeddings and transcription included. */
export const catalogue: readonly WireModel[] = rows.map(buildModel).toSorted((a, b) => b.created - a.created);

/** A row of the wrong types, which a reader has to drop without losing the list. */
export const malformedRow = {
  id: 42,
  name: null,
  created: "yesterday",
  pricing: "free",
  architecture: [],
  supported_parameters: "tools",
} as const;

const byId = new Map(catalogue.map((model) => [model.id, model]));

/** The `data` of `GET /models`: text models (or all), with the malformed row among the first where it is asked for. */
export function listModels(outputModality: string, { hasMalformedModel }: { hasMalformedModel: boolean }): readonly unknown[] {
  const listed = catalogue.filter((model) => outputModality === "all" || model.architecture.output_modalities.includes(outputModality));
  return hasMalformedModel ? [...listed.slice(0, 5), malformedRow, ...listed.slice(5)] : listed;
}

/** The model of an id; a routing suffix such as `:nitro` is looked through. */
export function findModel(id: string): WireModel | null {
  return byId.get(id) ?? byId.get(id.replace(/:[a-z]+$/, "")) ?? null;
}

/** US dollars per 1M tokens. */
export function pricePerMillion(model: WireModel): { prompt: number; completion: number } {
  return { prompt: Number(model.pricing.prompt) * 1e6, completion: Number(model.pricing.completion) * 1e6 };
}

/** True for a pseudo-model whose prices vary. */
export function isRouter(model: WireModel): boolean {
  return model.pricing.prompt === "-1";
}
