import { APP_NAME } from "#shared/app.ts";
import type { Model } from "#shared/entities/model.ts";
import { AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";
import { compareModels } from "#shared/models/model-names.ts";

/** Autopilot as the selector lists it: no model of the catalogue, but what may be picked in the place of one. */
const AUTOPILOT: Model = {
  id: AUTOPILOT_MODEL_ID,
  name: "Autopilot",
  provider: APP_NAME,
  providerId: "openrouter",
  description:
    "Picks the model and the tools that suit each message, within what you allow, and says which and why. Nothing acts outside without your word.",
  icon: "openrouter",
  features: [],
  pricing: null,
  context_length: null,
  top_provider: { context_length: null },
  vision: true,
  tools: true,
  reasoning: true,
  isPro: false,
  isTurbo: false,
  isAvailable: true,
};

/** The models, which are in order, with Autopilot in its place: 'Auto' stays first, all others go by name. An empty list stays so. */
export function withAutopilot(models: readonly Model[]): Model[] {
  const after = models.findIndex((model, index) => index > 0 && compareModels(AUTOPILOT, model) < 0);
  const at = after === -1 ? models.length : after;
  return models.length === 0 ? [] : [...models.slice(0, at), AUTOPILOT, ...models.slice(at)];
}
