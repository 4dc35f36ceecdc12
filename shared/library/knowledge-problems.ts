import { CONTENT_NAME_LENGTH, KNOWLEDGE_LENGTH } from "#shared/limits.ts";
import { plainName } from "#shared/shown-text.ts";

/** What is wrong with knowledge, in the words of the form and of the API. */
export const KNOWLEDGE_PROBLEMS = {
  noName: "Name cannot be empty.",
  longName: "That name is too long. Shorten it to 100 characters.",
  longText: "This text is too long. Shorten it to 200,000 characters, or add it as a file.",
  fileAddress: "Invalid file URL format",
  noFile: "File not found or access denied",
} as const;

type KnowledgeText = { name: string; text_content: string };

/** What is wrong with each field of an entry as it was written; its text may be empty. */
export function knowledgeProblems({ name, text_content: text }: KnowledgeText): Partial<KnowledgeText> {
  const plain = plainName(name);
  return {
    ...(plain === "" && { name: KNOWLEDGE_PROBLEMS.noName }),
    ...(plain.length > CONTENT_NAME_LENGTH && { name: KNOWLEDGE_PROBLEMS.longName }),
    ...(text.trim().length > KNOWLEDGE_LENGTH && { text_content: KNOWLEDGE_PROBLEMS.longText }),
  };
}
