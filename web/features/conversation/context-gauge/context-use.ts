import type { Message } from "#shared/entities/message.ts";
import type { Model } from "#shared/entities/model.ts";

/** The estimate that the server's own reckoning uses. */
const CHARACTERS_PER_TOKEN = 4;
/** What an answer is taken to be long, as in a turn's reservation. */
const ANSWER_TOKENS = 1_000;

/** The tokens that a chat's next message makes its model read: what the last answer's model read and wrote as it was counted, and what came since by its length. */
export function pathTokens(path: readonly Message[]): number {
  // Counts of an answer with tool calls are sums over its rounds, which each read the path again.
  const at = path.findLastIndex(({ usage, tool_calls: calls }) => usage !== null && calls.length === 0);
  const counted = path[at]?.usage;
  const known = counted ? counted.prompt_tokens + counted.completion_tokens - counted.reasoning_tokens : 0;
  const later = path.slice(at + 1).reduce((sum, { content }) => sum + content.length, 0);
  return Math.max(0, known) + Math.ceil(later / CHARACTERS_PER_TOKEN);
}

export type ContextUse = {
  /** How full the model's context is, from 0 on; past 1 it is too small. */
  share: number;
  /** What the next message is likely to cost, in US dollars; null where the model has no fixed price. */
  cost: number | null;
};

/** How a chat of so many tokens fills a model; null where its context is unknown. */
export function contextUse(tokens: number, model: Model): ContextUse | null {
  const length = model.top_provider.context_length ?? model.context_length;
  if (length === null || length <= 0) return null;
  const { pricing } = model;
  return { share: tokens / length, cost: pricing && tokens * pricing.prompt + ANSWER_TOKENS * pricing.completion };
}
