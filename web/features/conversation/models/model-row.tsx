import { Check, Zap } from "lucide-react";
import { memo } from "react";
import type { Model } from "#shared/entities/model.ts";
import { nameWithoutVendor } from "#shared/models/model-names.ts";
import { isHighCost } from "#shared/models/model-rules.ts";
import { Badge } from "#web/ui/badge.tsx";
import { cx } from "#web/ui/cx.ts";
import type { PickerRowProps } from "#web/ui/picker/picker-kind.ts";
import { ProBadge, TurboIcon } from "./model-badges.tsx";
import { factLine } from "./model-facts.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { useShortModelName } from "./use-models.ts";
import type { Barrier } from "./selector-models.ts";

/** A model in the selector, and what stands between it and this person. */
export type OfferedModel = { model: Model; barrier: Barrier };

/** One model in the selector's list: two lines of 56 px in the drawer, one of 36 px in the dropdown. */
export const ModelRow = memo(function ModelRow({ item: { model, barrier }, isSelected, isTouch }: PickerRowProps<OfferedModel>) {
  const name = nameWithoutVendor(model.name);
  const short = useShortModelName(model.id, model.name);
  return (
    <div className={cx("flex items-center", isTouch ? "h-56 gap-14 pr-48 pl-12" : "h-36 gap-8 px-8")}>
      <ModelTile id={model.id} name={name} size={isTouch ? 28 : 18} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-8">
          <span
            className={cx("text-ink", isTouch ? "max-w-full shrink-0 truncate text-15 leading-[20px] font-medium" : "truncate text-14")}
          >
            {short === name ? name : <Shortened full={name} short={short} />}
          </span>
          {isTouch ? <RowBadges model={model} isSelected={isSelected} /> : model.isTurbo && <TurboIcon model={model} />}
        </span>
        {isTouch && <span className="block truncate text-13 leading-[18px] text-ink2 tabular-nums">{factLine(model)}</span>}
      </span>
      {barrier === "sign_in" && <span className="shrink-0 text-12 text-ink2">Sign in</span>}
      {model.isPro && !isTouch && <ProBadge />}
      {isSelected && <Check aria-hidden className={cx("shrink-0 text-accent", isTouch ? "size-20" : "size-16")} />}
    </div>
  );
});

/** A row's badges as far as there is room beside the name; the rest wraps out of sight, and its details show all. */
function RowBadges({ model, isSelected }: { model: Model; isSelected: boolean }) {
  return (
    <span className="flex h-20 min-w-0 flex-wrap items-center gap-8 overflow-hidden">
      {model.isTurbo && (
        <Badge tone="accent">
          <Zap aria-hidden className="size-12" />
          Turbo
        </Badge>
      )}
      {model.isPro && <ProBadge />}
      {isHighCost(model.pricing) && <Badge tone="signal">High cost</Badge>}
      {model.vision && <Badge className={cx(isSelected && "bg-s2")}>Vision</Badge>}
    </span>
  );
}

function Shortened({ full, short }: { full: string; short: string }) {
  return (
    <>
      <span aria-hidden>{short}</span>
      <span className="sr-only">{full}</span>
    </>
  );
}
