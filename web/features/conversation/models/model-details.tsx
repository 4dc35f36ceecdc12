import { TriangleAlert, Zap } from "lucide-react";
import type { Model } from "#shared/entities/model.ts";
import { isHighCost, summarise } from "#shared/models/model-rules.ts";
import { AbilityBadges } from "./model-badges.tsx";
import { HIGH_COST_TEXT, turboText, factsOf } from "./model-facts.ts";

/** What there is to know about a model besides its name: in the card on desktop, under its row in the drawer. */
export function ModelDetails({ model }: { model: Model }) {
  const { context, input, output } = factsOf(model);
  const facts = [
    { term: "Context", value: context && `${context} tokens` },
    { term: "Input per 1M", value: input },
    { term: "Output per 1M", value: output },
  ];
  return (
    <>
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
          {turboText(model)}
        </p>
      )}
      {isHighCost(model.pricing) && (
        <div className="mt-auto pt-8">
          <p className="flex items-center gap-8 rounded-8 bg-signal-soft px-10 py-6 text-12 text-signal-ink">
            <TriangleAlert aria-hidden className="size-14 shrink-0" />
            {HIGH_COST_TEXT}
          </p>
        </div>
      )}
    </>
  );
}
