import { nameWithoutVendor } from "#shared/models/model-names.ts";
import type { PickerDetailsProps } from "#web/ui/picker/picker-kind.ts";
import { ProBadge } from "./model-badges.tsx";
import { ModelDetails } from "./model-details.tsx";
import type { OfferedModel } from "./model-row.tsx";
import { ModelTile } from "#web/ui/model-tile.tsx";

/** What there is to know about a model: with its name beside the list, without it under its row. */
export function ModelCard({ item: { model }, isTouch }: PickerDetailsProps<OfferedModel>) {
  const name = nameWithoutVendor(model.name);
  return (
    <div data-model-card className="flex flex-1 flex-col">
      {!isTouch && (
        <div className="flex items-start gap-10">
          <ModelTile id={model.id} name={name} size={28} />
          <div className="min-w-0 flex-1">
            <p className="text-14 font-semibold break-words text-ink">{name}</p>
            <p className="text-12 text-ink2">{model.provider}</p>
          </div>
          {model.isPro && <ProBadge />}
        </div>
      )}
      <ModelDetails model={model} />
    </div>
  );
}
