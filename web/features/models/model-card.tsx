import type { Model } from "#shared/entities/model.ts";
import { nameWithoutMaker } from "#shared/model-names.ts";
import { ProBadge } from "./model-badges.tsx";
import { ModelDetails } from "./model-details.tsx";
import { ModelTile } from "./model-tile.tsx";
import { CARD_WIDTH, LIST_HEIGHT } from "./popup-place.ts";

/** What there is to know about a model, beside the list (spec 2). */
export function ModelCard({ id, model }: { id: string; model: Model }) {
  const name = nameWithoutMaker(model.name);
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
      <ModelDetails model={model} />
    </div>
  );
}
