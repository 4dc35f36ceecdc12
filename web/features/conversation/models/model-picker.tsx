import { useMemo, memo } from "react";
import { TriangleAlert, Zap, Check } from "lucide-react";
import type { Model } from "#shared/entities/model.ts";
import { nameWithoutVendor } from "#shared/models/model-names.ts";
import { isHighCost, summarise } from "#shared/models/model-rules.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { Picker } from "#web/ui/picker.tsx";
import type { PickerKind, PickerDetailsProps, PickerRowProps } from "#web/ui/picker/picker-kind.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { cx } from "#web/ui/cx.ts";
import { withAutopilot } from "./autopilot-model.ts";
import { ListNotice } from "./list-notice.tsx";
import type { ListStatus } from "./list-status.ts";
import { aboutLine, HIGH_COST_TEXT, turboText, factsOf, factLine } from "./model-facts.ts";
import { barrierOf, searchedText, type Barrier } from "./selector-models.ts";
import { ProBadge, AbilityBadges, TurboIcon } from "./model-badges.tsx";
import { useShortModelName } from "./use-models.ts";

/** A model in the selector, and what stands between it and this person. */
type OfferedModel = { model: Model; barrier: Barrier };

/** One model in the selector's list: two lines of 56 px in the drawer, one of 36 px in the dropdown. */
const ModelRow = memo(function ModelRow({ item: { model, barrier }, isSelected, isTouch }: PickerRowProps<OfferedModel>) {
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

/** 300 by 320 px. */
const MODELS: PickerKind<OfferedModel> = {
  idOf: ({ model }) => model.id,
  textOf: ({ model }) => searchedText(model),
  aboutOf: ({ model }) => aboutLine(model),
  Row: ModelRow,
  rowHeight: { desk: 36, touch: 56 },
  Details: ModelCard,
  size: { width: 300, height: 320 },
};

type ModelPickerProps = {
  open: boolean;
  /** The button it belongs to. */
  anchor: HTMLElement;
  /** What is picked here, where that is not the model of a chat or an answer. */
  label?: string;
  /** The keys that open it, as printed. */
  keys?: string;
  models: readonly Model[];
  /** Whether the choice may be left to the product. */
  hasAutopilot?: boolean;
  status: ListStatus;
  selectedId: string;
  /** Asks for the list again. */
  onRetry: () => void;
  onPick: (model: Model) => void;
  onClose: () => void;
};

/** The list of models. Loaded with the first opening. */
export default function ModelPicker({
  open,
  anchor,
  label = "Switch model",
  keys,
  models,
  hasAutopilot = false,
  status,
  selectedId,
  onRetry,
  onPick,
  onClose,
}: ModelPickerProps) {
  const { user } = useSession();
  const offered = useMemo(() => {
    const all = hasAutopilot ? withAutopilot(models) : models;
    return all.map((model) => ({ model, barrier: barrierOf(model, user) }));
  }, [hasAutopilot, models, user]);
  return (
    <Picker
      open={open}
      anchor={anchor}
      owner={anchor.closest("[data-composer]")}
      label={label}
      kind={MODELS}
      items={offered}
      selected={[selectedId]}
      listLabel="Models"
      search={{ label: "Search models", placeholder: "Search models...", ...(keys !== undefined && { keys }) }}
      renderNotice={(counts) => <ListNotice {...counts} status={status} onRetry={onRetry} />}
      onPick={({ model }) => onPick(model)}
      onClose={onClose}
    />
  );
}

/** What there is to know about a model: with its name beside the list, without it under its row. */
function ModelCard({ item: { model }, isTouch }: PickerDetailsProps<OfferedModel>) {
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

/** What there is to know about a model besides its name: in the card on desktop, under its row in the drawer. */
function ModelDetails({ model }: { model: Model }) {
  const { context, input, cached, output } = factsOf(model);
  const facts = [
    { term: "Context", value: context && `${context} tokens` },
    { term: "Input per 1M", value: input },
    { term: "Cached per 1M", value: cached },
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
