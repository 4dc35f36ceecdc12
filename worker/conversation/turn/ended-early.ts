import { CHARACTERS_PER_TOKEN, computeCostMicros } from "#worker/platform/spending/money.ts";
import type { ReplyContent } from "./reply-content.ts";
import type { StoredTurn } from "./stored-turn.ts";
import type { StoredRound } from "./round.ts";
import type { TurnResult } from "./turn.ts";

/** How a turn ends that had no chance to end by itself. */
export const ENDED_EARLY: TurnResult = {
  status: "interrupted",
  modelId: null,
  finishReason: null,
  reasoningDetails: [],
  citations: [],
  usage: null,
  cost: { known: true, micros: 0 },
  error: null,
};

/** What a turn wrote, its reasoning too, that neither an earlier generation nor a round was charged with. */
export function unpaidText(
  now: ReplyContent,
  earlier: ReplyContent,
  round: Pick<StoredRound, "textEnd" | "reasoningEnd"> | undefined,
): string {
  const text = now.text.slice(Math.max(earlier.text.length, round?.textEnd ?? 0));
  return text + now.reasoning.slice(Math.max(earlier.reasoning.length, round?.reasoningEnd ?? 0));
}

/** What an interrupted turn is taken to have cost: only what it wrote: nobody is left to look up more. */
export function endedEarly({ request: { model } }: StoredTurn, text: string): TurnResult {
  const tokens = { prompt: 0, completion: text.length / CHARACTERS_PER_TOKEN };
  const estimateMicros = computeCostMicros(tokens, { prompt: model.promptPrice, completion: model.completionPrice }) ?? 0;
  return { ...ENDED_EARLY, cost: { known: false, estimateMicros, generationId: null } };
}
