import { type ComponentProps, type ReactNode, useEffect, useId, useState } from "react";
import type { Model } from "#shared/entities/model.ts";
import { DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { LedgerPickerButton, LedgerRow } from "#web/ui/ledger.tsx";
import { closeAccess, openProDialog, useAccess } from "./access-store.ts";
import { listStatus } from "./list-status.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { barrierOf, selectableModels } from "./selector-models.ts";
import { modelName, useModels } from "./use-models.ts";
import { useEver } from "#web/lib/use-ever.ts";

type PickerProps = ComponentProps<typeof import("./model-picker.tsx").default>;

const ModelPicker = lazyPart<PickerProps>(async () => (await import("./model-picker.tsx")).default);
const AccessDialogs = lazyPart(async () => (await import("./access-dialogs.tsx")).default);

type ModelFieldProps = {
  label: string;
  hint: ReactNode;
  /** The id of the model that is chosen. */
  value: string;
  error: string | null | undefined;
  onPick: (id: string) => void;
};

/** A row of the settings in which one of the allowed models is picked. */
export function ModelField({ label, hint, value, error, onPick }: ModelFieldProps) {
  const id = useId();
  const { user } = useSession();
  const catalogue = useModels();
  const access = useAccess();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const isUsed = useEver(isOpen);
  // Left with the dialog open, it must not open with the settings again.
  useEffect(() => closeAccess, []);
  if (!user) return null;
  const { data } = catalogue;
  // A research is chosen each time, as each costs what many answers do.
  const models = selectableModels(data?.models ?? [], user.model_allowlist).filter(({ id: model }) => model !== DEEP_RESEARCH_MODEL_ID);
  const name = modelName(data?.models, value);
  const pick = (model: Model) => {
    setIsOpen(false);
    if (barrierOf(model, user) === "none") onPick(model.id);
    else openProDialog(model, "settings");
  };
  return (
    <LedgerRow label={label} labelId={`${id}-label`} description={hint} descriptionId={`${id}-hint`} error={error}>
      <LedgerPickerButton
        ref={setAnchor}
        id={id}
        isOpen={isOpen}
        onToggle={() => setIsOpen(!isOpen)}
        mark={<ModelTile id={value} name={name} />}
        value={name}
      />
      {isUsed && anchor && (
        <ModelPicker
          open={isOpen}
          anchor={anchor}
          label={label}
          models={models}
          status={listStatus(catalogue)}
          selectedId={value}
          onRetry={() => void catalogue.refetch()}
          onPick={pick}
          onClose={() => setIsOpen(false)}
        />
      )}
      {access.model && access.place === "settings" && <AccessDialogs />}
    </LedgerRow>
  );
}
