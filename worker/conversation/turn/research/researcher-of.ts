import type { TurnModel } from "#worker/people/models/turn-model.ts";
import type { CallModel } from "#worker/conversation/tools/tool.ts";

/** The real model behind a research's turn, by whose own name its calls are charged and shown. */
export function researchModelOf(model: TurnModel): CallModel {
  return { ...model, requestedId: model.aggregatorId };
}
