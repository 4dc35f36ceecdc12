import { estimateResearch } from "#shared/research/research.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import { toMicros } from "#worker/credits/money.ts";
import type { TurnStrategy } from "../turn.ts";
import { runResearch } from "./run-research.ts";

/** A deep research. What it finds needs room beside the conversation; what it takes is what was said before it was sent. */
export const RESEARCH: TurnStrategy = {
  ownTools: Object.values(RESEARCH_TOOLS),
  promptShare: 0.5,
  isBackground: true,
  extraMicros({ model: { promptPrice: prompt, completionPrice: completion } }) {
    return toMicros(estimateResearch(prompt === null || completion === null ? null : { prompt, completion }).dollars);
  },
  run: runResearch,
};
