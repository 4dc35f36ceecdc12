import type { Message } from "#shared/entities/message.ts";
import { formatCost } from "#web/lib/dollars.ts";

const integers = new Intl.NumberFormat("en");

/** Words of a text, as they are counted in every script (UAX 29). */
export function countWords(text: string): number {
  let count = 0;
  for (const { segment, isWordLike } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)) {
    // To Safari a number is no word.
    if (isWordLike || /\p{N}/u.test(segment)) count += 1;
  }
  return count;
}

/** `118 words are saved.` */
export function savedWordCountText(text: string): string {
  const count = countWords(text);
  return count === 1 ? "1 word is saved." : `${integers.format(count)} words are saved.`;
}

/** A duration in milliseconds: `0.4 s`, `14.2 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const rounded = Math.round(seconds);
  return `${Math.floor(rounded / 60)} min ${rounded % 60} s`;
}

/** Why nothing happens in an answer, by the whole seconds since something did. */
export function stillWaitingText(seconds: number): string {
  return `Still waiting for the model… ${seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1_000)}`;
}

/** A wait in whole seconds, rounded up past a minute: `45 s`, `2 min`, `1 h`. */
export function formatWait(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}

/** All tokens of a reply, those it read and those it wrote. */
function totalTokens(usage: NonNullable<Message["usage"]>): number {
  return usage.prompt_tokens + usage.completion_tokens;
}

/** `14.2 s`, `2,318 tokens`, `$0.0184`: what is known of a settled reply, in this order. */
export function replyStats({ usage, cost }: Pick<Message, "usage" | "cost">): string[] {
  const figures: string[] = [];
  if (usage) figures.push(formatDuration(usage.duration_ms), `${integers.format(totalTokens(usage))} tokens`);
  if (cost !== null) figures.push(formatCost(cost));
  return figures;
}

/** The fold's name: `Thinking` while it lasts, then how long it took. */
export function reasoningLabel(ms: number | null, isThinking: boolean): string {
  if (isThinking) return "Thinking";
  if (ms === null) return "Thought";
  const seconds = Math.round(ms / 1_000);
  if (seconds < 1) return "Thought for a moment";
  return seconds < 60 ? `Thought for ${seconds} s` : `Thought for ${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
