import { parsePrompt } from "#shared/library/prompt-template.ts";

/** Why a link's text, which is taken as it stands, would not be as a prompt, where places are filled in and `---` parts steps; null where it would. */
export function literalProblem(text: string): string | null {
  const steps = parsePrompt(text);
  if (steps.length > 1) return "as its lines of --- would make steps of it";
  const place = steps.flat().find(({ kind }) => kind !== "text");
  return place === undefined ? null : `which would fill in ${place.text}`;
}
