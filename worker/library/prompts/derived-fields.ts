import { countStepsAndFields } from "#shared/library/prompt-template.ts";
import type { PromptRow } from "./queries.ts";

/** So many characters of a content are kept beside it, to show its beginning on one line. */
const BEGINNING = 400;

const encoder = new TextEncoder();

/** What is stored beside a content, so it need not be read for these: what runs in it, its bytes and its beginning. */
export function derivedFields(content: string): Pick<PromptRow, "steps" | "fields" | "length" | "beginning"> {
  // A character has at most two code units.
  const beginning = Array.from(content.slice(0, 2 * BEGINNING))
    .slice(0, BEGINNING)
    .join("");
  return { ...countStepsAndFields(content), length: encoder.encode(content).length, beginning };
}
