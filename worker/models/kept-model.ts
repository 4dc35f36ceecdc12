import { AUTOPILOT_MODEL_ID, DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import type { TurnRequest } from "../turn/request.ts";

/** What a chat's next message goes to after this turn; null leaves that as it was: a research is chosen for one question, and going on chooses nothing. */
export function keptModel({ kind, autopilot, model }: Pick<TurnRequest, "kind" | "autopilot" | "model">): string | null {
  if (kind === "continue") return null;
  if (autopilot) return AUTOPILOT_MODEL_ID;
  return model.requestedId === DEEP_RESEARCH_MODEL_ID ? null : model.requestedId;
}
