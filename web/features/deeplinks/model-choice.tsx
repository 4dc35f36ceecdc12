import { ChevronDown, X } from "lucide-react";
import { type ComponentProps, useId, useState } from "react";
import { listStatus } from "#web/features/models/list-status.ts";
import { ModelTile } from "#web/features/models/model-tile.tsx";
import { selectableModels } from "#web/features/models/selector-models.ts";
import { modelName, useModels } from "#web/features/models/use-models.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import { FieldLabel } from "./field-label.tsx";

type PickerProps = ComponentProps<typeof import("#web/features/models/model-picker.tsx").default>;

const ModelPicker = lazyPart<PickerProps>(async () => (await import("#web/features/models/model-picker.tsx")).default);

type ModelChoiceProps = { value: string | null; onChange: (id: string | null) => void; placeholder: string };

/** The model that a link names, or none. */
export function ModelChoice({ value, onChange, placeholder }: ModelChoiceProps) {
  const id = useId();
  const { user } = useSession();
  const catalogue = useModels();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isUsed, setIsUsed] = useState(false);
  if (isOpen && !isUsed) setIsUsed(true);
  const models = catalogue.data?.models ?? [];
  return (
    <div className="min-w-0">
      <FieldLabel id={`${id}-label`} label="Model" isOptional />
      <div className="relative">
        <button
          ref={setAnchor}
          type="button"
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-value`}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className={cx(
            fieldClass,
            "flex h-36 items-center gap-8 text-left text-14 touch:h-44 touch:text-16",
            value !== null && "pr-40 touch:pr-52",
          )}
        >
          {value !== null && <ModelTile id={value} name={modelName(models, value)} />}
          <span id={`${id}-value`} className={cx("min-w-0 flex-1 truncate", value === null && "text-ink2")}>
            {value === null ? placeholder : modelName(models, value)}
          </span>
          {value === null && <ChevronDown aria-hidden className="size-16 text-ink2" />}
        </button>
        {value !== null && (
          <IconButton
            label="No model"
            icon={X}
            size="sm"
            tooltip={false}
            className="absolute top-1/2 right-4 -translate-y-1/2"
            onClick={() => onChange(null)}
          />
        )}
      </div>
      {isUsed && anchor && (
        <ModelPicker
          open={isOpen}
          anchor={anchor}
          label="Model"
          models={selectableModels(models, user?.model_allowlist ?? null)}
          hasAutopilot
          status={listStatus(catalogue)}
          selectedId={value ?? ""}
          onRetry={() => void catalogue.refetch()}
          onPick={(model) => {
            setIsOpen(false);
            onChange(model.id);
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  );
}
