import { DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import { priceAnswer } from "./cost.ts";
import type { TurnRequest } from "./request.ts";
import { RESEARCH } from "./research/strategy.ts";
import { runTurn, type TurnStrategy } from "./turn.ts";

const PLAIN: TurnStrategy = {
  ownTools: null,
  promptShare: 1,
  isBackground: false,
  price: ({ model }, { tokens, pictures }) => priceAnswer(tokens, model, { pictures }),
  run: runTurn,
};

/** The strategy of a turn, by what was asked for. */
export function strategyOf({ model }: Pick<TurnRequest, "model">): TurnStrategy {
  return model.requestedId === DEEP_RESEARCH_MODEL_ID ? RESEARCH : PLAIN;
}
