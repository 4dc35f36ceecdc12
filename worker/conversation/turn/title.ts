import type { Env } from "#worker/platform/env.ts";
import { complete } from "#worker/platform/clients/aggregator.ts";
import type { CompletionUsage } from "#worker/platform/clients/completion-chunks.ts";

/** Titles longer than this many characters would be cut in the list anyway. */
const TITLE_LENGTH = 60;
const EXCERPT_LENGTH = 2_000;

/** A first title from the message itself, until a model gave a better one. */
export function provisionalTitle(text: string): string {
  const line = text.split("\n").find((one) => one.trim() !== "" && !/^\s*(?:```|~~~)/.test(one)) ?? text.trim();
  const plain = withoutMarks(line);
  return cut(plain.replace(/^[#>*\-\s]+/, "").trim() || plain.trim());
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
  return cut(
    withoutMarks(line)
      .replace(/^(title:\s*)/i, "")
      .replace(/^["'“”*#\s]+|["'“”*.\s]+$/g, ""),
  );
}

/** Characters of a line that a title is made of: a link's address may take many of them. */
const LINE_LENGTH = 500;

/** Stands in the place of code, which is kept as it is. */
const CODE = "\u0000";

/** A line of Markdown as it reads. */
function withoutMarks(line: string): string {
  const codes: string[] = [];
  return line
    .slice(0, LINE_LENGTH)
    .replaceAll(CODE, "")
    .replaceAll(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g, (_span, _ticks, code: string) => {
      codes.push(code.trim());
      return CODE;
    })
    .replaceAll(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\))*\)/g, "$1")
    .replaceAll(/(\*\*|~~)(?=[^\s*~])(.*?[^\s*~])\1/g, "$2")
    .replaceAll(/(?<![\p{L}\p{N}_])(__?)(?=[^\s_])(.*?[^\s_])\1(?![\p{L}\p{N}_])/gu, "$2")
    .replaceAll(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*]*[^\s*])\*(?![\p{L}\p{N}*])/gu, "$1")
    .replaceAll(CODE, () => codes.shift() ?? "");
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
