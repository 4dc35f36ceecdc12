import type { ComponentProps } from "react";
import { listStatus } from "#web/features/conversation/models/list-status.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { selectableModels } from "#web/features/conversation/models/selector-models.ts";
import { modelName, useModels } from "#web/features/conversation/models/use-models.ts";
import { PickedField } from "#web/features/library/prompts/picked-field.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

type PickerProps = ComponentProps<typeof import("#web/features/conversation/models/model-picker.tsx").default>;

const ModelPicker = lazyPart<PickerProps>(async () => (await import("#web/features/conversation/models/model-picker.tsx")).default);

type ModelChoiceProps = { value: string | null; onChange: (id: string | null) => void; placeholder: string };

/** The model that a link names, or none. */
export function ModelChoice({ value, onChange, placeholder }: ModelChoiceProps) {
  const { user } = useSession();
  const catalogue = useModels();
  const models = catalogue.data?.models ?? [];
  return (
    <PickedField
      label="Model"
      isOptional
      unset={placeholder}
      onClear={value === null ? null : () => onChange(null)}
      value={
        value === null ? null : (
          <>
            <ModelTile id={value} name={modelName(models, value)} />
            <span className="min-w-0 truncate">{modelName(models, value)}</span>
          </>
        )
      }
      renderPicker={(place) => (
        <ModelPicker
          {...place}
          label="Model"
          models={selectableModels(models, user?.model_allowlist ?? null)}
          hasAutopilot
          status={listStatus(catalogue)}
          selectedId={value ?? ""}
          onRetry={() => void catalogue.refetch()}
          onPick={({ id }) => {
            place.onClose();
            onChange(id);
          }}
        />
      )}
    />
  );
}
