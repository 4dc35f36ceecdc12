import type { Env } from "../env.ts";
import { complete } from "../clients/aggregator.ts";
import type { CompletionUsage } from "../clients/completion-chunks.ts";

/** Titles longer than this many characters would be cut in the list anyway. */
const TITLE_LENGTH = 60;
const EXCERPT_LENGTH = 2_000;

/** A first title from the message itself, until a model gave a better one. */
export function provisionalTitle(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return cut(line.replace(/^[#>*\-\s]+/, "").trim() || line.trim());
}

/** A title for a conversation's first exchange, by a cheap model. Throws `AggregatorError`. */
export async function makeTitle(
  env: Env,
  { model, question, answer }: { model: string; question: string; answer: string },
): Promise<{ title: string; usage: CompletionUsage | null }> {
  const { text, usage } = await complete(env, {
    model,
    maxTokens: 200,
    messages: [
      {
        role: "system",
        content:
          "Write a title for the conversation below: three to six words, in its language, plain text without quotes, emoji or a full stop. Answer with the title alone.",
      },
      {
        role: "user",
        content: `Question:\n${question.slice(0, EXCERPT_LENGTH)}\n\nAnswer:\n${answer.slice(0, EXCERPT_LENGTH)}`,
      },
    ],
  });
  return { title: cleanTitle(text), usage };
}

/** A model's title without the decoration some models add. */
export function cleanTitle(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return cut(line.replace(/^(title:\s*)/i, "").replace(/^["'“”*#\s]+|["'“”*.\s]+$/g, ""));
}

function cut(title: string): string {
  const characters = Array.from(title.replace(/\s+/g, " "));
  return characters.length <= TITLE_LENGTH
    ? characters.join("")
    : `${characters
        .slice(0, TITLE_LENGTH - 1)
        .join("")
        .trimEnd()}…`;
}
