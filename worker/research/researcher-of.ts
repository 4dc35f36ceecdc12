import type { TurnModel } from "../chat-room/rpc.ts";
import type { CallModel } from "../tools/tool.ts";

/** The real model behind a research's turn, by whose own name its calls are charged and shown. */
export function researcherOf({ aggregatorId, promptPrice, completionPrice }: TurnModel): CallModel {
  return { requestedId: aggregatorId, aggregatorId, promptPrice, completionPrice };
}
