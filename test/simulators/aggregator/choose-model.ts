import { catalogue, findModel, isRouter, pricePerMillion } from "./models/catalogue.ts";
import type { WireModel } from "./models/build-model.ts";
import { attachmentsOf, type ChatRequest } from "./request.ts";
import { invalidRequest, modelNotFound, noEndpoints, type ErrorAnswer } from "./status-faults.ts";

/** What the router prefers, cheap and able. */
const ROUTER_CHOICES = new Set([
  "openai/gpt-5-mini",
  "google/gemini-2.5-flash-lite",
  "meta-llama/llama-4-maverick",
  "mistralai/mistral-small-3.2-24b-instruct",
  "deepseek/deepseek-v3.2",
]);

function matches(id: string, globs: readonly string[]): boolean {
  return globs.some((glob) =>
    new RegExp(
      `^${glob
        .split("*")
        .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
        .join(".*")}$`,
    ).test(id),
  );
}

/** What the request needs that this model lacks, in the words of the aggregator's refusal; null when it can serve. */
function lackOf(model: WireModel, request: ChatRequest): string | null {
  const parts = request.messages.flatMap(attachmentsOf);
  const inputs = model.architecture.input_modalities;
  if (parts.some((part) => part.type === "image_url") && !inputs.includes("image")) return "image input";
  if (parts.some((part) => part.type === "input_audio") && !inputs.includes("audio")) return "audio input";
  if (request.tools?.length && !model.supported_parameters.includes("tools")) return "tool use";
  const limit = request.provider?.max_price;
  const price = pricePerMillion(model);
  const isTooDear = price.prompt > (limit?.prompt ?? Infinity) || price.completion > (limit?.completion ?? Infinity);
  return isTooDear && !isRouter(model) ? "your maximum price" : null;
}

function route(request: ChatRequest, seed: number): WireModel | null {
  const plugin = request.plugins?.find(({ id }) => id === "auto-router");
  const allowed = plugin?.allowed_models?.length ? plugin.allowed_models : ["*"];
  const able = catalogue.filter(
    (model) =>
      !isRouter(model) &&
      model.architecture.output_modalities.includes("text") &&
      matches(model.id, allowed) &&
      !matches(model.id, plugin?.excluded_models ?? []) &&
      lackOf(model, request) === null,
  );
  const preferred = able.filter(({ id }) => ROUTER_CHOICES.has(id));
  return preferred[seed % preferred.length] ?? able[0] ?? null;
}

/** The model that answers, the router's choice resolved by `seed`, or the refusal. */
export function chooseModel(request: ChatRequest, seed: number): { model: WireModel } | { refusal: ErrorAnswer } {
  const requested = [request.model, ...(request.models ?? [])].filter((id) => id !== undefined);
  if (requested.length === 0) return { refusal: invalidRequest("No models provided") };
  const model = requested.map(findModel).find((found) => found !== null);
  if (!model) return { refusal: modelNotFound(requested) };
  if (!model.architecture.output_modalities.includes("text")) return { refusal: noEndpoints(model.id, "text output") };
  const lack = lackOf(model, request);
  if (lack !== null) return { refusal: noEndpoints(model.id, lack) };
  if (!isRouter(model)) return { model };
  const routed = route(request, seed);
  return routed ? { model: routed } : { refusal: noEndpoints(model.id, "the allowed models") };
}
