import { estimateResearch, RESEARCH_GAPS_MAX, RESEARCH_QUESTIONS_MAX } from "#shared/research/research.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import { toMicros } from "#worker/platform/spending/money.ts";
import { SUB_ANSWER_TOKENS_MAX } from "#worker/conversation/tools/ask-sub-model.ts";
import { priceAnswer } from "../cost.ts";
import type { TurnStrategy } from "../turn.ts";
import { runResearch } from "./run-research.ts";

/** The plan, its sub-questions, the look for gaps and the gaps. */
const STEPS_MAX = 2 + RESEARCH_QUESTIONS_MAX + RESEARCH_GAPS_MAX;

/** A deep research. What it finds needs room beside the conversation; what it takes is what was said before it was sent. */
export const RESEARCH: TurnStrategy = {
  ownTools: Object.values(RESEARCH_TOOLS),
  promptShare: 0.5,
  isBackground: true,
  price({ model }, { tokens }) {
    const { promptPrice, completionPrice, maxOutput } = model;
    const known = promptPrice === null || completionPrice === null ? null : { prompt: promptPrice, completion: completionPrice };
    const extraMicros = toMicros(estimateResearch(known ?? model.assumedPrice).dollars);
    // What its steps may write beyond a usual run is reserved with the report.
    const limit = STEPS_MAX * SUB_ANSWER_TOKENS_MAX + (maxOutput ?? SUB_ANSWER_TOKENS_MAX);
    return priceAnswer(tokens, { ...model, maxOutput: null, contextLength: null }, { extraMicros, limit });
  },
  run: runResearch,
};
