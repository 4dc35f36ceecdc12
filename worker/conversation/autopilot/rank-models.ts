import type { Model } from "#shared/entities/model.ts";
import { HIGH_COST_PER_MILLION } from "#shared/limits.ts";
import { pricePerMillion } from "#shared/models/model-rules.ts";
import { rankPeers } from "#shared/models/rank-peers.ts";

/** What the catalogue knows of a model, whoever asks. */
type Known = Omit<Model, "isAvailable">;

export type Tier = "light" | "middle" | "strong";

/** What a turn needs of its model. */
export type Needs = {
  tier: Tier;
  /** Pictures come with the question: a model that sees none would refuse them. */
  mustSee: boolean;
  /** There are pictures further up. */
  shouldSee: boolean;
  /** Tokens of the prompt. */
  tokens: number;
  wantsTools: boolean;
  wantsReasoning: boolean;
  /** US dollars that may be spent; null where nobody counts. */
  dollars: number | null;
  /** The model that answered last and the person's own choice, which go before others of their tier. */
  familiar: readonly string[];
};

/** Dollars for a million tokens in and out, up to which a model counts as light or middle (the strongest are those below the warning). */
const CEILINGS: Record<Tier, number> = { light: 3, middle: 8, strong: HIGH_COST_PER_MILLION };
const TIERS: readonly Tier[] = ["light", "middle", "strong"];

/** An answer is taken to have this many tokens. */
const OUTPUT_TOKENS = 1_000;
/** The part of a model's context that the prompt may fill. */
const SHARE = 0.8;

/** The models that fit a turn, the best one first: what must be is kept to, what should be moves a model down. */
export function rankModels<M extends Known>(models: readonly M[], needs: Needs): M[] {
  const fitting = models.filter((model) => (!needs.mustSee || model.vision) && isAffordable(model, needs));
  const byLacks = Map.groupBy(fitting, (model) => lacksOf(model, needs));
  return [...byLacks].toSorted(([one], [other]) => one - other).flatMap(([, group]) => rankPeers(group));
}

/** The tier of a model by its price; free ones are light. */
export function tierOf({ pricing }: Pick<Model, "pricing">): Tier {
  const price = pricing ? pricePerMillion(pricing) : 0;
  return TIERS.find((tier) => price <= CEILINGS[tier]) ?? "strong";
}

/** How badly a model fits: powers of two, so each lack outweighs all smaller ones. */
function lacksOf(model: Known, needs: Needs): number {
  const context = model.top_provider.context_length ?? model.context_length ?? Number.POSITIVE_INFINITY;
  const distance = Math.abs(TIERS.indexOf(tierOf(model)) - TIERS.indexOf(needs.tier));
  const lacks = [
    needs.wantsTools && !model.tools,
    needs.shouldSee && !model.vision,
    needs.tokens > context * SHARE,
    distance === 2,
    distance === 1,
    needs.wantsReasoning && !model.reasoning,
    !needs.familiar.includes(model.id),
  ];
  return lacks.reduce((sum, isLacking, at) => sum + (isLacking ? 2 ** (lacks.length - at) : 0), 0);
}

function isAffordable({ pricing }: Known, { dollars, tokens }: Needs): boolean {
  return dollars === null || pricing === null || tokens * pricing.prompt + OUTPUT_TOKENS * pricing.completion <= dollars;
}
