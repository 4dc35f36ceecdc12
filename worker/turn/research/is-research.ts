import { DEEP_RESEARCH_MODEL_ID } from "#shared/entities/model.ts";
import type { TurnRequest } from "../request.ts";

/** Whether a turn is a deep research. */
export function isResearch({ model }: Pick<TurnRequest, "model">): boolean {
  return model.requestedId === DEEP_RESEARCH_MODEL_ID;
}
