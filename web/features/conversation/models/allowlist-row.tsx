import { useId } from "react";
import type { Model } from "#shared/entities/model.ts";
import { AUTO_MODEL_ID } from "#shared/models/model-ids.ts";
import { nameWithoutVendor } from "#shared/models/model-names.ts";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { ProBadge, TurboIcon } from "./model-badges.tsx";
import { factLine, factsOf } from "./model-facts.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";

/** The columns that head and rows share. */
export const COLUMNS = "grid-cols-[minmax(0,1fr)] items-center desk:grid-cols-[minmax(0,1fr)_88px_140px]";

type AllowlistRowProps = { model: Model; isTicked: boolean; onTurn: () => void };

/** One model of the allowlist editor: a tick, what it is, and its figures; the whole row is the tick's label. */
export function AllowlistRow({ model, isTicked, onTurn }: AllowlistRowProps) {
  const id = useId();
  const isAuto = model.id === AUTO_MODEL_ID;
  const name = nameWithoutVendor(model.name);
  const { context, input, output } = factsOf(model);
  const prices = input === output ? input : `${input} / ${output}`;
  return (
    <label htmlFor={id} className={`grid ${COLUMNS} h-56 rounded-8 px-8 hover:bg-s3 desk:h-40`}>
      <span className="flex min-w-0 items-center gap-12">
        <Checkbox
          id={id}
          checked={isTicked}
          aria-disabled={isAuto || undefined}
          aria-label={name}
          aria-describedby={`${id}-facts`}
          onChange={onTurn}
        />
        <ModelTile id={model.id} name={name} />
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-8 text-14">
            <span className="truncate text-ink">{name}</span>
            {model.isPro && <ProBadge />}
            {model.isTurbo && <TurboIcon model={model} />}
            <span className="hidden truncate text-13 text-ink2 desk:block">{isAuto ? "Chosen for each message" : model.provider}</span>
          </span>
          <span id={`${id}-facts`} className="block truncate text-13 text-ink2 tabular-nums desk:sr-only">
            {factLine(model)}
          </span>
        </span>
      </span>
      <span className="hidden text-right text-13 text-ink2 tabular-nums desk:block">{isAuto ? "" : context}</span>
      <span className="hidden text-right text-13 text-ink2 tabular-nums desk:block">{isAuto ? "" : prices}</span>
    </label>
  );
}
