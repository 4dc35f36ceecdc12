import { CONTENT_NAME_LENGTH, PROMPT_LENGTH } from "#shared/limits.ts";
import { isBlank, plainName } from "#shared/shown-text.ts";

/** What is wrong with a prompt, in the words of the form and of the API. */
export const PROMPT_PROBLEMS = {
  noName: "Name cannot be empty.",
  longName: "That name is too long. Shorten it to 100 characters.",
  noContent: "Content cannot be empty.",
  longContent: "This prompt is too long. Shorten it to 200,000 characters.",
} as const;

type PromptText = { name: string; content: string };

/** What is wrong with each field of a prompt as it was written. */
export function promptProblems({ name, content }: PromptText): Partial<PromptText> {
  const [plain, trimmed] = [plainName(name), content.trim()];
  return {
    ...(plain === "" && { name: PROMPT_PROBLEMS.noName }),
    ...(plain.length > CONTENT_NAME_LENGTH && { name: PROMPT_PROBLEMS.longName }),
    ...(isBlank(trimmed) && { content: PROMPT_PROBLEMS.noContent }),
    ...(trimmed.length > PROMPT_LENGTH && { content: PROMPT_PROBLEMS.longContent }),
  };
}
