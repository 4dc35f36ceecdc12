import * as z from "zod/mini";

export const ModelFeature = z.enum(["file-upload", "tool-use", "reasoning"]);
export type ModelFeature = z.infer<typeof ModelFeature>;

/** A model as the selector shows it. Prices are US dollars per token; absent where the aggregator gives none or they vary. */
export const Model = z.object({
  id: z.string(),
  /** The aggregator's raw name, e.g. `Anthropic: Claude Sonnet 4.6`; the web shortens it. */
  name: z.string(),
  /** The maker, e.g. `Anthropic`. */
  provider: z.string(),
  /** The maker's id of the specification's list where it is one of them, else the part of the id before the slash. */
  providerId: z.string(),
  description: z.string(),
  /** Names its vendor's monogram, whose hue all models of a vendor share in the interface. */
  icon: z.nullable(z.string()),
  features: z.array(ModelFeature),
  /** `cached` is what a token costs that its provider has kept from an earlier request. */
  pricing: z.nullable(z.object({ prompt: z.number(), completion: z.number(), cached: z.optional(z.number()) })),
  context_length: z.nullable(z.number()),
  top_provider: z.object({ context_length: z.nullable(z.number()) }),
  vision: z.boolean(),
  tools: z.boolean(),
  reasoning: z.boolean(),
  isPro: z.boolean(),
  isTurbo: z.boolean(),
  /** False where this caller may see but not use it (a guest and a costly model). */
  isAvailable: z.boolean(),
});
export type Model = z.infer<typeof Model>;

/** One entry of a user's allowlist. */
export const AllowedModel = z.object({ id: z.string(), name: z.string() });
export type AllowedModel = z.infer<typeof AllowedModel>;
