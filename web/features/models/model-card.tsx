import { TriangleAlert, Zap } from "lucide-react";
import type { Model } from "#shared/entities/model.ts";
import { nameWithoutMaker } from "#shared/model-names.ts";
import { isHighCost, summarise } from "#shared/model-rules.ts";
import { AbilityBadges, ProBadge } from "./model-badges.tsx";
import { TURBO_TEXT, factsOf } from "./model-facts.ts";
import { ModelTile } from "./model-tile.tsx";
import { CARD_WIDTH, LIST_HEIGHT } from "./popup-place.ts";

/** What there is to know about a model, beside the list (spec 2). */
export function ModelCard({ id, model }: { id: string; model: Model }) {
  const { context, input, output } = factsOf(model);
  const name = nameWithoutMaker(model.name);
  const facts = [
    { term: "Context", value: context && `${context} tokens` },
    { term: "Input per 1M", value: input },
    { term: "Output per 1M", value: output },
  ];
  return (
    <div
      id={id}
      data-model-card
      style={{ width: CARD_WIDTH, minHeight: LIST_HEIGHT }}
      className="flex flex-col rounded-14 border border-line bg-pop p-16 shadow-overlay"
    >
      <div className="flex items-start gap-10">
        <ModelTile id={model.id} name={name} size={28} />
        <div className="min-w-0 flex-1">
          <p className="text-14 font-semibold break-words text-ink">{name}</p>
          <p className="text-12 text-ink2">{model.provider}</p>
        </div>
        {model.isPro && <ProBadge />}
      </div>
      {model.description && <p className="mt-8 text-13 break-words text-ink2">{summarise(model.description)}</p>}
      <div className="mt-12 empty:hidden">
        <AbilityBadges model={model} />
      </div>
      <dl className="mt-12 border-t border-line pt-8 text-13 text-ink2">
        {facts.map(
          ({ term, value }) =>
            value && (
              <div key={term} className="flex h-24 items-center justify-between gap-16">
                <dt>{term}</dt>
                <dd className="text-ink tabular-nums">{value}</dd>
              </div>
            ),
        )}
        <div className="flex min-h-24 items-center justify-between gap-16">
          <dt>Id</dt>
          <dd className="min-w-0 font-mono text-12 break-all text-ink">{model.id}</dd>
        </div>
      </dl>
      {model.isTurbo && (
        <p className="mt-8 flex gap-6 text-12 text-ink2">
          <Zap aria-hidden className="mt-1 size-14 shrink-0" />
          {TURBO_TEXT}
        </p>
      )}
      {isHighCost(model.pricing) && (
        <p className="mt-auto flex items-center gap-8 rounded-8 bg-signal-soft px-10 py-6 text-12 text-signal-ink">
          <TriangleAlert aria-hidden className="size-14 shrink-0" />
          High cost model, will use credits quickly.
        </p>
      )}
    </div>
  );
}
