import { useMemo } from "react";
import type { Model } from "#shared/entities/model.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { Picker } from "#web/ui/picker.tsx";
import type { PickerKind } from "#web/ui/picker/picker-kind.ts";
import { withAutopilot } from "./autopilot-model.ts";
import { ListNotice } from "./list-notice.tsx";
import type { ListStatus } from "./list-status.ts";
import { ModelCard } from "./model-card.tsx";
import { aboutLine } from "./model-facts.ts";
import { ModelRow, type OfferedModel } from "./model-row.tsx";
import { barrierOf, searchedText } from "./selector-models.ts";

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
