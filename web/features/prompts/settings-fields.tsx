import { ChevronDown, X } from "lucide-react";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { applicableSettings, skippedNotice } from "#shared/library/prompt-settings.ts";
import { ModelTile } from "#web/features/models/model-tile.tsx";
import { modelName, useModels } from "#web/features/models/use-models.ts";
import { listStatus } from "#web/features/models/list-status.ts";
import { toggled } from "#web/features/tools/optional-categories.ts";
import { Badge } from "#web/ui/badge.tsx";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Select } from "#web/ui/menu/select.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import type { PromptDraft } from "./prompt-draft.ts";
import { useUsable } from "./use-usable.ts";

type ModelPickerProps = ComponentProps<typeof import("#web/features/models/model-picker.tsx").default>;
type ToolPickerProps = ComponentProps<typeof import("#web/features/tools/tool-picker-popup.tsx").default>;

const ModelPicker = lazyPart<ModelPickerProps>(async () => (await import("#web/features/models/model-picker.tsx")).default);
const ToolPicker = lazyPart<ToolPickerProps>(async () => (await import("#web/features/tools/tool-picker-popup.tsx")).default);

const UNSET = "As the chat has it";

type SettingsFieldsProps = { draft: PromptDraft; disabled: boolean; onChange: (fields: Partial<PromptDraft>) => void };

/** The tools, the persona and the model that a prompt sets, and what of them this person cannot use. */
export function SettingsFields({ draft, disabled, onChange }: SettingsFieldsProps) {
  const usable = useUsable();
  const catalogue = useModels();
  const { tools, personaId, modelId } = draft;
  const wanted = { tool_categories: tools, persona_id: personaId, model_id: modelId };
  const { skipped } = applicableSettings(wanted, usable);
  const notice = usable.isKnown ? skippedNotice(skipped, usable.nameOf) : null;
  const nameOfTool = (id: string) => usable.categories.find((category) => category.id === id)?.name ?? id;
  const personas = usable.personas.map(({ id, name }) => ({ value: id, label: name }));
  const isForeign = personaId !== null && personas.every(({ value }) => value !== personaId);
  return (
    <>
      {notice !== null && <p className="mb-12 text-13 text-signal-ink">{notice}</p>}
      <div className="grid gap-16 min-[768px]:grid-cols-2">
        <PickedField
          label="Tools"
          disabled={disabled}
          onClear={tools.length === 0 ? null : () => onChange({ tools: [] })}
          value={tools.length === 0 ? null : tools.map((id) => <Badge key={id}>{nameOfTool(id)}</Badge>)}
          renderPicker={(props) => (
            <ToolPicker
              {...props}
              offered={usable.categories}
              chosen={tools}
              hasSettings={false}
              onToggle={(id) => onChange({ tools: toggled(tools, id) })}
            />
          )}
        />
        <div>
          <p aria-hidden className="mb-6 text-13 font-medium text-ink">
            Persona
          </p>
          <Select
            label="Persona"
            className="w-full"
            disabled={disabled}
            value={personaId ?? ""}
            options={[
              { value: "", label: UNSET },
              ...personas,
              ...(isForeign ? [{ value: personaId, label: usable.isKnown ? "A persona that you can't use" : "…" }] : []),
            ]}
            onChange={(id) => onChange({ personaId: id === "" ? null : id })}
          />
        </div>
        <PickedField
          label="Model"
          disabled={disabled}
          onClear={modelId === null ? null : () => onChange({ modelId: null })}
          value={
            modelId === null ? null : (
              <>
                <ModelTile id={modelId} name={modelName(catalogue.data?.models, modelId)} />
                <span className="min-w-0 truncate">{modelName(catalogue.data?.models, modelId)}</span>
              </>
            )
          }
          renderPicker={(props) => (
            <ModelPicker
              {...props}
              label="Model"
              models={usable.models}
              status={listStatus(catalogue)}
              selectedId={modelId ?? ""}
              onRetry={() => void catalogue.refetch()}
              onPick={({ id }) => {
                onChange({ modelId: id });
                props.onClose();
              }}
            />
          )}
        />
      </div>
    </>
  );
}

type PickerPlace = { open: boolean; anchor: HTMLElement; onClose: () => void };

type PickedFieldProps = {
  label: string;
  disabled: boolean;
  /** Null where the chat's own stays. */
  value: ReactNode;
  onClear: (() => void) | null;
  renderPicker: (place: PickerPlace) => ReactNode;
};

/** A field that opens a list to pick from, and beside it the way to pick nothing again. */
function PickedField({ label, disabled, value, onClear, renderPicker }: PickedFieldProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isUsed, setIsUsed] = useState(false);
  if (isOpen && !isUsed) setIsUsed(true);
  return (
    <div className="min-w-0">
      <p id={`${id}-label`} className="mb-6 text-13 font-medium text-ink">
        {label}
      </p>
      <div className="relative">
        <button
          ref={setAnchor}
          type="button"
          disabled={disabled}
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-value`}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className={cx(
            fieldClass,
            "flex h-36 items-center gap-8 text-left text-14 disabled:opacity-45 touch:h-44 touch:text-16",
            onClear && !disabled ? "pr-64!" : "pr-32!",
          )}
        >
          <span id={`${id}-value`} className={cx("flex min-w-0 flex-1 items-center gap-6 overflow-hidden", value === null && "text-ink2")}>
            {value ?? UNSET}
          </span>
          <ChevronDown aria-hidden className="absolute right-8 size-14 text-ink2" />
        </button>
        {onClear && !disabled && (
          <IconButton
            label={`No ${label.toLowerCase()} of its own`}
            icon={X}
            size="sm"
            className="absolute top-1/2 right-26 -translate-y-1/2"
            onClick={onClear}
          />
        )}
      </div>
      {isUsed && anchor && renderPicker({ open: isOpen, anchor, onClose: () => setIsOpen(false) })}
    </div>
  );
}
