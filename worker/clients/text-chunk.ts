/** By far the commonest chunk of a stream is a piece of text and nothing else: it is read by hand, as the schema takes twenty times as long. */

/** Fields that say nothing to us; any other one, unless null, is for the schema to judge. */
const OF_CHUNK = new Set(["id", "object", "created", "model", "provider", "choices", "system_fingerprint", "service_tier"]);
const OF_CHOICE = new Set(["index", "delta"]);
const OF_DELTA = new Set(["role", "content"]);

/** The model and the text of a chunk that says nothing else; null for every other one. */
export function readTextChunk(chunk: unknown): { model: string; text: string; index: number } | null {
  if (!isPlain(chunk, OF_CHUNK)) return null;
  const { model, choices } = chunk;
  if (typeof model !== "string" || !Array.isArray(choices) || choices.length !== 1) return null;
  const choice: unknown = choices[0];
  if (!isPlain(choice, OF_CHOICE)) return null;
  const { delta, index = 0 } = choice;
  if (!isPlain(delta, OF_DELTA)) return null;
  const { content } = delta;
  return typeof content === "string" && typeof index === "number" ? { model, text: content, index } : null;
}

function isPlain(value: unknown, known: ReadonlySet<string>): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  // Parsed JSON inherits nothing that could be listed, and a list of pairs costs more than the rest of this file.
  for (const name in value) if (!known.has(name) && Reflect.get(value, name) !== null) return false;
  return true;
}
