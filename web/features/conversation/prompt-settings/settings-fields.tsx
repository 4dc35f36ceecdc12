import type { ComponentProps } from "react";
import { applicableSettings, skippedNotice, type Skipped, type UsableSettings } from "#shared/library/prompt-settings.ts";
import type { Model } from "#shared/entities/model.ts";
import type { Persona } from "#shared/entities/persona.ts";
import type { ToolCategory } from "#shared/entities/tool-category.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { KnowledgeField } from "#web/features/library/knowledge/knowledge-field.tsx";
import { modelName, useModels } from "#web/features/conversation/models/use-models.ts";
import { listStatus } from "#web/features/conversation/models/list-status.ts";
import { toggled, optionalOf } from "#web/features/conversation/tools/optional-categories.ts";
import { Badge } from "#web/ui/badge.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Select } from "#web/ui/menu/select.tsx";
import type { PromptDraft } from "#web/features/library/prompts/prompt-draft.ts";
import { PickedField, UNSET } from "#web/features/library/kit/picked-field.tsx";
import { barrierOf, selectableModels } from "#web/features/conversation/models/selector-models.ts";
import { usePersonas } from "#web/features/library/personas/use-personas.ts";
import { useKnowledge } from "#web/features/library/knowledge/use-knowledge.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useCategoriesQuery } from "#web/features/conversation/tools/use-categories.ts";

type ModelPickerProps = ComponentProps<typeof import("#web/features/conversation/models/model-picker.tsx").default>;
type ToolPickerProps = ComponentProps<typeof import("#web/features/conversation/tools/tool-picker-popup.tsx").default>;

const ModelPicker = lazyPart<ModelPickerProps>(async () => (await import("#web/features/conversation/models/model-picker.tsx")).default);
const ToolPicker = lazyPart<ToolPickerProps>(async () => (await import("#web/features/conversation/tools/tool-picker-popup.tsx")).default);

type SettingsFieldsProps = { draft: PromptDraft; disabled: boolean; onChange: (fields: Partial<PromptDraft>) => void };

/** The tools, the persona, the model and the knowledge that a prompt sets, and what of them this person cannot use. */
export function SettingsFields({ draft, disabled, onChange }: SettingsFieldsProps) {
  const usable = useUsable();
  const catalogue = useModels();
  const { tools, personaId, modelId, contexts } = draft;
  const wanted = { tool_categories: tools, persona_id: personaId, model_id: modelId, context_ids: contexts };
  const { skipped } = applicableSettings(wanted, usable);
  const notice = usable.isKnown ? skippedNotice(skipped, usable.nameOf) : null;
  const nameOfTool = (id: string) => usable.categories.find((category) => category.id === id)?.name ?? id;
  const personas = usable.personas.map(({ id, name }) => ({ value: id, label: name }));
  const isUnusablePersona = personaId !== null && personas.every(({ value }) => value !== personaId);
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
              { value: "", label: UNSET, isPrompt: true },
              ...personas,
              ...(isUnusablePersona ? [{ value: personaId, label: usable.isKnown ? "A persona that you can't use" : "…" }] : []),
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
        <KnowledgeField value={contexts} disabled={disabled} unset={UNSET} onChange={(next) => onChange({ contexts: next })} />
      </div>
    </>
  );
}

type Usable = UsableSettings & {
  /** False until all of it is known: nothing can be said to be missing before. */
  isKnown: boolean;
  models: readonly Model[];
  personas: readonly Persona[];
  categories: readonly ToolCategory[];
  nameOf: (skipped: Skipped) => string;
};

/** What this person may use right now of models, personas and tools, for what a prompt or a link wants to set. */
function useUsable(): Usable {
  const { user, isGuest } = useSession();
  const catalogue = useModels();
  const served = useCategoriesQuery();
  const { personas, data: own } = usePersonas();
  const knowledge = useKnowledge();
  const models = selectableModels(catalogue.data?.models ?? [], user?.model_allowlist ?? null).filter(
    (model) => barrierOf(model, user) === "none",
  );
  const categories = optionalOf(served.data?.categories ?? []);
  return {
    isKnown: catalogue.data !== undefined && served.data !== undefined && (isGuest || (own !== undefined && knowledge.data !== undefined)),
    models,
    personas,
    categories,
    modelIds: models.map(({ id }) => id),
    personaIds: personas.map(({ id }) => id),
    toolCategories: categories.map(({ id }) => id),
    knowledgeIds: knowledge.entries.map(({ id }) => id),
    nameOf: ({ kind, id }) => (kind === "model" ? modelName(catalogue.data?.models, id) : id),
  };
}
