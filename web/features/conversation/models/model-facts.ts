import type { Model } from "#shared/entities/model.ts";
import { AUTO_MODEL_ID, AUTOPILOT_MODEL_ID, DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import { formatPerMillion, formatTokens, isHighCost, summarise } from "#shared/models/model-rules.ts";

/** The tooltip of turbo models, which names who serves it: of a variant for throughput that is the router's choice. */
export function turboText({ id, provider }: Pick<Model, "id" | "provider">): string {
  return `Turbo model — high throughput via ${/:nitro$/i.test(id) ? "OpenRouter" : provider}`;
}

/** The warning of models that cost more than most. */
export const HIGH_COST_TEXT = "High cost model, will use credits quickly.";

/** Context and prices as the detail card shows them; null where the aggregator gives nothing. `cached` is of input that its provider kept. */
export type ModelFacts = { context: string | null; input: string | null; cached: string | null; output: string | null };

/** A model's figures: context in K or M tokens, prices per 1M tokens, 'varies' where a router decides. */
export function factsOf(model: Model): ModelFacts {
  const context = model.top_provider.context_length ?? model.context_length;
  const unpriced = variesInPrice(model) ? "varies" : null;
  return {
    context: context === null ? null : formatTokens(context),
    input: model.pricing ? formatPerMillion(model.pricing.prompt) : unpriced,
    cached: model.pricing?.cached === undefined ? null : formatPerMillion(model.pricing.cached),
    output: model.pricing ? formatPerMillion(model.pricing.completion) : unpriced,
  };
}

/** One line for a row: `200K context, $3 in, $15 out`. */
export function factLine(model: Model): string {
  if (model.id === AUTO_MODEL_ID) return "Picks a model for each message";
  if (model.id === DEEP_RESEARCH_MODEL_ID) return "Searches and reads for minutes, then reports";
  if (model.id === AUTOPILOT_MODEL_ID) return "Picks model and tools for each message";
  const { context, input, output } = factsOf(model);
  const parts = [context && `${context} context`];
  if (variesInPrice(model)) parts.push("price varies");
  else parts.push(input && `${withoutCents(input)} in`, output && `${withoutCents(output)} out`);
  return parts.filter(Boolean).join(", ") || model.provider;
}

/** What the detail card says, as one line to be read out. */
export function aboutLine(model: Model): string {
  const abilities = [model.vision && "Vision", model.tools && "Tools", model.reasoning && "Reasoning"].filter(Boolean);
  const parts = [
    model.description && summarise(model.description),
    abilities.length > 0 && `${abilities.join(", ")}.`,
    `Id ${model.id}.`,
    model.isTurbo && `${turboText(model)}.`,
    isHighCost(model.pricing) && HIGH_COST_TEXT,
  ];
  return parts.filter(Boolean).join(" ");
}

function withoutCents(price: string): string {
  return price.replace(/\.00$/, "");
}

/** True for routers: they cost what the model costs that they pick. */
function variesInPrice(model: Model): boolean {
  return model.pricing === null && model.providerId === "openrouter";
}
