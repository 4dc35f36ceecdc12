import type { PromptMessage } from "../clients/prompt.ts";
import { cutQuote } from "../tools/untrusted.ts";
import { promptLength } from "./cost.ts";

/** What stays of a call's answer, in characters: enough to tell by what it was. */
const LEAST = 1_000;

/** A reply's rounds in `room` characters: where they have more, the answers of its calls are cut, the oldest first, so that the newest are read whole. */
export function fitRounds(rounds: PromptMessage[], room: number): PromptMessage[] {
  let over = promptLength(rounds) - room;
  if (over <= 0) return rounds;
  return rounds.map((message) => {
    if (over <= 0 || message.role !== "tool" || message.content.length <= LEAST) return message;
    const content = cutQuote(message.content, Math.max(LEAST, message.content.length - over));
    over -= message.content.length - content.length;
    return { ...message, content };
  });
}
