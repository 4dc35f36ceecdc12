/** A model that writes at once, without reasoning, for little money. */
export const CHEAP_MODEL = "openai/gpt-5-mini";
