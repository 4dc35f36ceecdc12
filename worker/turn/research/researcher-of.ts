import type { TurnModel } from "../request.ts";
import type { CallModel } from "#worker/tools/tool.ts";

/** The real model behind a research's turn, by whose own name its calls are charged and shown. */
export function researcherOf(model: TurnModel): CallModel {
  return { ...model, requestedId: model.aggregatorId };
}
