import { MESSAGE_LENGTH } from "./limits.ts";
import { parseTemplate } from "#shared/library/prompt-template.ts";

/** True for a step that asks for the answer before it. */
export function usesLastAnswer(step: string): boolean {
  return parseTemplate(step).some((part) => part.kind === "built_in" && part.name === "LAST_ANSWER");
}

/**
 * A workflow's step as it is sent: with the answer before it, unexpanded, at each place that asks for
 * it. It is cut where the message would be too long; without one the places stay as they were written.
 */
export function withLastAnswer(step: string, answer: string): string {
  const parts = parseTemplate(step);
  const places = parts.filter((part) => part.kind === "built_in" && part.name === "LAST_ANSWER");
  if (places.length === 0 || answer === "") return step;
  const taken = step.length - places.reduce((sum, { text }) => sum + text.length, 0);
  const filled = cut(answer, Math.floor((MESSAGE_LENGTH - taken) / places.length));
  return parts.map((part) => (places.includes(part) ? filled : part.text)).join("");
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // Not within a pair that makes one character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 2)) ? length - 2 : length - 1;
  return `${text.slice(0, Math.max(0, end))}…`;
}
