import { APP_NAME } from "#shared/app.ts";
import { AUTOPILOT_MODEL_ID, type Model } from "#shared/entities/model.ts";

/** Autopilot as the selector lists it: no model of the catalogue, but what may be picked in the place of one. */
export const AUTOPILOT: Model = {
  id: AUTOPILOT_MODEL_ID,
  name: "Autopilot",
  provider: APP_NAME,
  providerId: "openrouter",
  description:
    "Picks the model and the tools that suit each message, within what you allow, and says which and why. Nothing acts outside without your word.",
  icon: null,
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
