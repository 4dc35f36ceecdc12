import type { Model } from "#shared/entities/model.ts";
import { isPseudoModel } from "#shared/models/model-ids.ts";
import { isHighCost, pricePerMillion } from "./model-rules.ts";

/** Makers whose models are asked first when the choice is the product's; the others follow in the catalogue's order. */
const MAKERS = ["openai", "anthropic", "google", "deepseek", "mistral", "xai", "meta", "qwen", "moonshotai"];

/** Models for one kind of work, by their ids: they answer a plain question badly, late or not at all. */
const SPECIALIST = /deep-research|guard|moderation|codex|coder|code-fast|codestral|devstral|:online$/;

type Peer = Pick<Model, "id" | "providerId" | "pricing">;

/** Orders models by who should be asked: each maker's strongest one first, then their next, and the makers of `without` last. */
export function rankPeers<M extends Peer>(models: readonly M[], without: readonly string[] = []): M[] {
  const byMaker = Map.groupBy(models.filter(isPeer), ({ providerId }) => providerId);
  const makers = [...byMaker.keys()].toSorted((a, b) => placeOf(a) - placeOf(b));
  const wanted = makers.filter((maker) => !without.includes(maker));
  const avoided = makers.filter((maker) => without.includes(maker));
  return [...interleave(wanted.map(ranked)), ...interleave(avoided.map(ranked))];

  function ranked(maker: string): M[] {
    return (byMaker.get(maker) ?? []).toSorted((a, b) => strengthOf(b) - strengthOf(a));
  }
}

/** No router, no specialist, and nothing that the selector warns of as costly. */
function isPeer({ id, providerId, pricing }: Peer): boolean {
  return !isPseudoModel(id) && providerId !== "openrouter" && !SPECIALIST.test(id) && !isHighCost(pricing);
}

/** A maker's price is the one public measure of what it thinks of its own models; free variants come last. */
function strengthOf({ pricing }: Peer): number {
  return pricing ? pricePerMillion(pricing) : 0;
}

function placeOf(maker: string): number {
  const at = MAKERS.indexOf(maker);
  return at === -1 ? MAKERS.length : at;
}

function interleave<T>(lists: readonly T[][]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1))).flat();
}
