import type { ToolCall } from "#shared/entities/tool-call.ts";
import { RESEARCH_LIMIT_MS } from "#shared/research.ts";
import type { PromptMessage } from "../clients/prompt.ts";
import { describeFindings } from "./findings.ts";

const TASK = `Now write the report that answers my last message, from these findings of a research on the web. Begin with the answer itself in two or three sentences, without any heading before it or words about the research. Then sections with headings of their own, where a table or a list helps with one. Weigh the sources: say where they disagree and which has the better reasons. Put the numbers that the findings carry, like [3], right after each statement that rests on them, and invent none. End with a section on what stays uncertain: what was not found out, what rests on one weak source, what may have changed. Write in the language of my message.`;

/** Has a model write a research's report. */
export function reportRequest(calls: readonly ToolCall[]): PromptMessage {
  return { role: "user", content: `${TASK}\n\n${describeFindings(calls) || "Nothing could be found out."}` };
}

/** What stands under a report whose research met its limit. */
export const CUT_NOTE = `\n\n*The research stopped looking after ${RESEARCH_LIMIT_MS / 60_000} minutes, its limit: what is above rests on what was found by then.*`;

/** Characters of what was said before a question that its plan is made with, and of the question with its files. */
const BACKGROUND_CHARACTERS = 6_000;
const QUESTION_CHARACTERS = 12_000;

/** The question of a conversation and what was said before it. */
export function questionIn(prompt: readonly PromptMessage[]): { question: string; background: string } {
  const at = prompt.findLastIndex(({ role }) => role === "user");
  const before = prompt.slice(0, at).flatMap((message) => {
    const text = textOf(message);
    return (message.role === "user" || message.role === "assistant") && text !== "" ? [`${message.role}: ${text}`] : [];
  });
  return {
    question: textOf(prompt[at]).slice(0, QUESTION_CHARACTERS),
    background: before.join("\n\n").slice(-BACKGROUND_CHARACTERS),
  };
}

function textOf(message: PromptMessage | undefined): string {
  const content = message?.content ?? "";
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}
