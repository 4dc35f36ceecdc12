import { DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import * as shape from "#web/lib/shape.ts";
import { stored } from "#web/lib/storage.ts";

const kept = stored<string | null>("last-model", shape.nullable(shape.text), null);
let held: string | null | undefined;

/** The model that was picked last on this device; null where none ever was. */
export function lastPickedModel(): string | null {
  held ??= kept.read();
  return held;
}

/** Keeps a pick for new chats; a research is chosen each time, as each costs what many answers do. */
export function keepPickedModel(modelId: string): void {
  if (modelId === DEEP_RESEARCH_MODEL_ID) return;
  held = modelId;
  kept.write(modelId);
}
