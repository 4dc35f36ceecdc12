/** The pseudo-model that lets the aggregator's router choose. */
export const AUTO_MODEL_ID = "auto";

/** The pseudo-model that researches a question in steps of its own. */
export const DEEP_RESEARCH_MODEL_ID = "deep-research";

/** Stands for the model in a chat where the product chooses model and tools for each turn. */
export const AUTOPILOT_MODEL_ID = "autopilot";

/** Whether an id stands for a way of answering rather than for one model. */
export function isPseudoModel(id: string): boolean {
  return id === AUTO_MODEL_ID || id === DEEP_RESEARCH_MODEL_ID || id === AUTOPILOT_MODEL_ID;
}
