import type { TurnModel } from "../request.ts";
import type { CallModel } from "#worker/tools/tool.ts";

/** The real model behind a research's turn, by whose own name its calls are charged and shown. */
export function researcherOf({ aggregatorId, promptPrice, completionPrice }: TurnModel): CallModel {
  return { requestedId: aggregatorId, aggregatorId, promptPrice, completionPrice };
}
