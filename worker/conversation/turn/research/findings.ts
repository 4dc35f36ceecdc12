import type { ToolCall } from "#shared/entities/tool-call.ts";
import { ResearchQuestion } from "#shared/research/research.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import { cutAtWord } from "#worker/platform/texts/cut-at-word.ts";
import { cutQuote } from "#worker/platform/texts/untrusted.ts";

/** A sub-question with less room than this many characters is left out, as its quote's own marks would fill it. */
const LEAST = 900;

/**
 * A research's sub-questions with what each brought, as a model reads it, in `room` characters: the longest are shortened, whole lines
 * at a time, so what stays keeps its numbers. What is quoted from pages is already marked as such, and stays so.
 */
export function describeFindings(calls: readonly ToolCall[], room: number = Number.POSITIVE_INFINITY): string {
  const found = questionCalls(calls).map((call) => ({
    heading: `Sub-question:\n${questionOf(call)}\n`,
    text: call.status === "done" ? (call.output ?? "") : `Not found out: ${whyNot(call)}`,
  }));
  const included = found.slice(0, Math.max(1, Math.floor(room / LEAST)));
  const most = fairShare(
    included.map(({ heading, text }) => heading.length + text.length + GAP.length),
    room,
  );
  return included.map(({ heading, text }) => heading + cutQuote(text, most - heading.length - GAP.length, cutAtLine)).join(GAP);
}

const GAP = "\n\n";

/** The calls that look into a sub-question, in order. */
export function questionCalls<C extends Pick<ToolCall, "tool">>(calls: readonly C[]): C[] {
  return calls.filter(({ tool }) => tool === RESEARCH_TOOLS.question);
}

function questionOf({ input }: ToolCall): string {
  return ResearchQuestion.safeParse(input).data?.question ?? "";
}

function whyNot({ status, output }: ToolCall): string {
  return status === "failed" && output !== null ? output : "it was stopped.";
}

/** The longest that each of these lengths may be for all to fit: what short ones leave goes to the others. */
function fairShare(lengths: readonly number[], room: number): number {
  let left = room;
  for (const [index, length] of lengths.toSorted((a, b) => a - b).entries()) {
    const share = left / (lengths.length - index);
    if (length > share) return Math.floor(share);
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

/** Cut after a line that ends in its second half, else at a word: notes have their sources' numbers at their lines' ends. */
function cutAtLine(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = text.lastIndexOf("\n", limit - 2);
  return end > limit / 2 ? `${text.slice(0, end)}\n…` : cutAtWord(text, limit);
}
