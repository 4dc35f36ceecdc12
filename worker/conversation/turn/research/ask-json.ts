import type * as z from "zod/mini";
import { askSubModel } from "#worker/conversation/tools/ask-sub-model.ts";
import type { ToolContext } from "#worker/conversation/tools/tool.ts";
import { researchModelOf } from "./researcher-of.ts";

/** A step is asked for once more after an answer that cannot be read, or none. */
const TRIES = 2;
const TIMEOUT_MS = 60_000;

export type JsonAnswer<T> = { ok: true; value: T } | { ok: false; isUnreadable: boolean; error: string };

/** Asks the research's model for JSON of a closed shape; the second question says what is wrong with a first answer. */
export async function askJson<T>(
  context: ToolContext,
  { system, user, schema }: { system: string; user: string; schema: z.ZodMiniType<T> },
): Promise<JsonAnswer<T>> {
  const model = researchModelOf(context.model);
  let problem = "";
  let isUnreadable = false;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const again = isUnreadable ? `${user}\n\nYour last answer was not of that form: ${problem} Answer with the JSON alone.` : user;
    const asked = await askSubModel(context, { part: null, model, system, user: again, timeoutMs: TIMEOUT_MS });
    context.signal.throwIfAborted();
    isUnreadable = asked.ok;
    if (!asked.ok) {
      problem = asked.error;
      continue;
    }
    const read = readJson(asked.text, schema);
    if (read.ok) return read;
    problem = read.error;
  }
  return { ok: false, isUnreadable, error: problem };
}

/** The JSON object in a model's answer, whatever stands around it, checked by its shape. */
export function readJson<T>(text: string, schema: z.ZodMiniType<T>): { ok: true; value: T } | { ok: false; error: string } {
  const found = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  try {
    const parsed = schema.safeParse(JSON.parse(found));
    if (parsed.success) return { ok: true, value: parsed.data };
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "the object"}: ${message}`);
    return { ok: false, error: `${problems.slice(0, 3).join("; ")}.` };
  } catch {
    return { ok: false, error: "There is no JSON object in it." };
  }
}
