import type { User } from "#shared/entities/user.ts";
import { AUTO_MODEL_ID } from "#shared/models/model-ids.ts";
import { triggeredSettings } from "#shared/tools/triggered-settings.ts";
import { ModelField } from "#web/features/conversation/models/model-field.tsx";
import { usePersonas } from "#web/features/library/personas/use-personas.ts";
import { AS_IN_NEW_CHATS, personaOptions } from "#web/features/library/personas/persona-options.ts";
import { useNamedWithTeam } from "#web/features/people/teams/use-content-rights.ts";
import { optionalAmong, optionalOf, toggled } from "#web/features/conversation/tools/optional-categories.ts";
import { useCategoriesQuery } from "#web/features/conversation/tools/use-categories.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { LedgerRow } from "#web/ui/ledger-row.tsx";
import { Select } from "#web/ui/menu/select.tsx";
import { Switch } from "#web/ui/switch.tsx";
import type { ScheduleDraft } from "./schedule-draft.ts";

type AnsweredByProps = { draft: ScheduleDraft; user: User; onChange: (change: Partial<ScheduleDraft>) => void };

/** What answers a schedule where that is not left to the settings for triggered messages. */
export function AnsweredBy({ draft, user, onChange }: AnsweredByProps) {
  const served = useCategoriesQuery();
  const { personas } = usePersonas();
  const labelOf = useNamedWithTeam();
  const triggered = triggeredSettings(user);
  const categories = served.data?.categories ?? [];
  const { value, options } = personaOptions(personas, { chosen: draft.personaId, labelOf });
  const hint =
    draft.modelId === null ? (
      "That of triggered messages"
    ) : (
      <Button variant="quiet" size="sm" className="-ml-12" onClick={() => onChange({ modelId: null })}>
        Use that of triggered messages
      </Button>
    );
  return (
    <div className="border-t border-line">
      <ModelField
        label="Model"
        hint={hint}
        value={draft.modelId ?? triggered.model_id ?? user.preferred_model ?? AUTO_MODEL_ID}
        error={null}
        onPick={(modelId) => onChange({ modelId })}
      />
      <LedgerRow label="Persona" description="Standing instructions the answers follow">
        <Select
          label="Persona"
          className="w-212 max-[767px]:w-176"
          value={value}
          options={options.map((option) => (option.value === AS_IN_NEW_CHATS ? { ...option, label: "As triggered messages" } : option))}
          onChange={(next) => onChange({ personaId: next === AS_IN_NEW_CHATS ? null : next })}
        />
      </LedgerRow>
      <LedgerRow label="Own tools" description="Instead of those of triggered messages">
        <Switch
          label="Own tools"
          checked={draft.tools !== null}
          onChange={({ target }) => onChange({ tools: target.checked ? triggered.tool_categories : null })}
        />
      </LedgerRow>
      {draft.tools !== null && (
        <fieldset className="border-b border-line pb-8">
          <legend className="sr-only">Tools</legend>
          {optionalOf(categories).map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={draft.tools?.includes(id) ?? false}
              onChange={() => onChange({ tools: optionalAmong(toggled(draft.tools ?? [], id), categories) })}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}
