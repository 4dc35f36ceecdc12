import type { ToolCall } from "#shared/entities/tool-call.ts";
import { RESEARCH_LIMIT_MS } from "#shared/research/research.ts";
import type { PromptMessage } from "#worker/platform/clients/prompt.ts";
import { cutAtWord, cutBeforeWord } from "#worker/platform/texts/cut-at-word.ts";
import { cutQuote } from "#worker/platform/texts/untrusted.ts";
import { withoutAdded } from "#worker/conversation/turn/question-context.ts";
import { describeFindings } from "./findings.ts";

const TASK = `Now write the report that answers my last message, from these findings of a research on the web. Begin with the answer itself in two or three sentences, without any heading before it or words about the research. Then sections with headings of their own, where a table or a list helps with one. Weigh the sources: say where they disagree and which has the better reasons. Put the numbers that the findings carry, like [3], right after each statement that rests on them, and invent none. End with a section on what stays uncertain: what was not found out, what rests on one weak source, what may have changed. Write in the language of my message.`;

/** Has a model write a research's report, from as much of the findings as fits `room` characters beside the task itself. */
export function reportRequest(calls: readonly ToolCall[], room: number): { role: "user"; content: string } {
  return { role: "user", content: `${TASK}\n\n${describeFindings(calls, room - TASK.length) || "Nothing could be found out."}` };
}

/** What stands under a report whose research met its limit. */
export const CUT_NOTE = `\n\n*The research stopped looking after ${RESEARCH_LIMIT_MS / 60_000} minutes, its limit: what is above rests on what was found by then.*`;

/** Characters of what was said before a question that its plan is made with, and of the question with its files. */
const BACKGROUND_CHARACTERS = 6_000;
const QUESTION_CHARACTERS = 12_000;

/** The question of a conversation and what was said before it. */
export function splitQuestion(prompt: readonly PromptMessage[]): { question: string; background: string } {
  const at = prompt.findLastIndex(({ role }) => role === "user");
  const before = prompt.slice(0, at).flatMap((message) => {
    const text = textsOf(message).map(withoutAdded).join("\n\n");
    return (message.role === "user" || message.role === "assistant") && text !== "" ? [`${message.role}: ${text}`] : [];
  });
  return {
    question: fit(textsOf(prompt[at]).map(withoutAdded), QUESTION_CHARACTERS).join("\n\n"),
    background: cutBeforeWord(before.join("\n\n"), BACKGROUND_CHARACTERS),
  };
}

/** As much of these texts as fits, in their order; a file's quote keeps its marks. */
function fit(texts: readonly string[], limit: number): string[] {
  let room = limit;
  return texts.flatMap((text) => {
    if (room <= 0) return [];
    const shortened = cutQuote(text, room, cutAtWord);
    room -= shortened.length;
    return [shortened];
  });
}

function textsOf(message: PromptMessage | undefined): string[] {
  const content = message?.content ?? "";
  if (typeof content === "string") return [content];
  return content.flatMap((part) => (part.type === "text" ? [part.text] : []));
}
