import type { User } from "#shared/entities/user.ts";
import { AUTO_MODEL_ID } from "#shared/models/model-ids.ts";
import { triggeredSettings } from "#shared/tools/triggered-settings.ts";
import { ModelField } from "#web/features/conversation/models/model-field.tsx";
import { useSaveUser } from "#web/features/people/session/use-save-user.ts";
import { Button } from "#web/ui/button.tsx";
import { LedgerRow } from "#web/ui/ledger.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { dollarText, toDollars } from "#web/lib/dollars.ts";
import { NumberRow } from "./number-row.tsx";
import { SubPane } from "#web/features/people/settings/sub-pane.tsx";
import { KnowledgeField } from "#web/features/library/knowledge/knowledge-field.tsx";
import { usePersonas } from "#web/features/library/personas/use-personas.ts";
import { useNamedWithTeam } from "#web/features/people/teams/use-content-rights.ts";
import { Select } from "#web/ui/menu/select.tsx";
import { AS_IN_NEW_CHATS, personaOptions } from "#web/features/library/personas/persona-options.ts";
import { optionalAmong, optionalOf, toggled } from "#web/features/conversation/tools/optional-categories.ts";
import { useCategoriesQuery } from "#web/features/conversation/tools/use-categories.ts";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";

/** What answers messages that nobody typed here: Autopilot, or a model and tools; each choice holds at once. */
export function TriggeredPane({ user }: { user: User }) {
  const autopilot = useSaveUser();
  const replyAll = useSaveUser();
  const isAutopilot = (autopilot.isPending ? autopilot.variables.triggered_autopilot_enabled : null) ?? user.triggered_autopilot_enabled;
  const isReplyAll = (replyAll.isPending ? replyAll.variables.triggered_reply_all_enabled : null) ?? user.triggered_reply_all_enabled;
  return (
    <SubPane title="Triggered messages" about="How messages are answered that reach you from outside, as mail does, while you are away.">
      <div className="border-t border-line">
        <LedgerRow label="Autopilot" description="Picks model and tools for each message, and says which" error={autopilot.error?.message}>
          <Switch
            label="Autopilot for triggered messages"
            checked={isAutopilot}
            onChange={(event) => autopilot.mutate({ triggered_autopilot_enabled: event.target.checked })}
          />
        </LedgerRow>
        {!isAutopilot && (
          <>
            <TriggeredModel user={user} />
            <TriggeredTools user={user} />
          </>
        )}
        <TriggeredPersona user={user} />
        <TriggeredKnowledge user={user} />
        <LedgerRow label="Reply to all" description="Answers everyone on a mail, not its sender alone" error={replyAll.error?.message}>
          <Switch
            label="Reply to all"
            checked={isReplyAll}
            onChange={(event) => replyAll.mutate({ triggered_reply_all_enabled: event.target.checked })}
          />
        </LedgerRow>
        <TriggeredMemory user={user} />
        <NumberRow
          label="Daily budget"
          description="Beyond it, messages wait for you; at 0 none is answered"
          name="Daily budget in US dollars"
          setting="triggered_daily_budget"
          saved={user.triggered_daily_budget}
          shown={dollarText(user.triggered_daily_budget)}
          parse={toDollars}
          refusal="Give an amount in US dollars, such as 1.50."
          sign="$"
        />
      </div>
    </SubPane>
  );
}

function TriggeredMemory({ user }: { user: User }) {
  const save = useSaveUser();
  const isOn = (save.isPending ? save.variables.triggered_memory_enabled : null) ?? user.triggered_memory_enabled;
  const about = user.memory_enabled ? "What models know about you goes along" : "Memory is off";
  return (
    <LedgerRow label="Memory" description={about} error={save.error?.message}>
      <Switch
        label="Memory in triggered messages"
        checked={isOn && user.memory_enabled}
        disabled={!user.memory_enabled}
        onChange={(event) => save.mutate({ triggered_memory_enabled: event.target.checked })}
      />
    </LedgerRow>
  );
}

function TriggeredModel({ user }: { user: User }) {
  const save = useSaveUser();
  const own = triggeredSettings(user).model_id;
  const value = (save.isPending ? save.variables.triggered_model : null) ?? own ?? user.preferred_model ?? AUTO_MODEL_ID;
  const hint =
    own === null ? (
      "Your preferred model"
    ) : (
      <Button variant="quiet" size="sm" className="-ml-12" onClick={() => save.mutate({ triggered_model: null })}>
        Use the preferred model
      </Button>
    );
  return (
    <ModelField label="Model" hint={hint} value={value} error={save.error?.message} onPick={(id) => save.mutate({ triggered_model: id })} />
  );
}

/** What triggered messages are answered from. */
function TriggeredKnowledge({ user }: { user: User }) {
  const save = useSaveUser();
  const chosen = (save.isPending ? save.variables.triggered_context_ids : null) ?? user.triggered_context_ids ?? [];
  return (
    <LedgerRow label="Knowledge" description="Texts and files the answers draw from" error={save.error?.message}>
      <div className="w-212 shrink-0 max-[767px]:w-176">
        <KnowledgeField
          hideLabel
          value={chosen}
          unset="None"
          onChange={(ids) => save.mutate({ triggered_context_ids: ids.length === 0 ? null : ids })}
        />
      </div>
    </LedgerRow>
  );
}

/** Who triggered messages are answered as. */
function TriggeredPersona({ user }: { user: User }) {
  const { personas, data, isError, refetch } = usePersonas();
  const isUnknown = isError && !data;
  const labelOf = useNamedWithTeam();
  const save = useSaveUser();
  const saved = user.triggered_system_prompt_id;
  const wanted = save.isPending ? save.variables.triggered_system_prompt_id : undefined;
  const { value, options } = personaOptions(personas, { chosen: wanted === undefined ? saved : wanted, labelOf });
  return (
    <LedgerRow
      label="Persona"
      description="Standing instructions the answers follow"
      error={save.error?.message ?? (isUnknown ? "Your personas could not be loaded." : null)}
      retry={isUnknown ? () => void refetch() : undefined}
    >
      <Select
        label="Persona for triggered messages"
        className="w-212 max-[767px]:w-176"
        value={value}
        options={options}
        onChange={(next) => save.mutate({ triggered_system_prompt_id: next === AS_IN_NEW_CHATS ? null : next })}
      />
    </LedgerRow>
  );
}

/** Which optional tools triggered messages may use. */
function TriggeredTools({ user }: { user: User }) {
  const served = useCategoriesQuery();
  const categories = served.data?.categories ?? [];
  const isUnserved = served.isError && !served.data;
  const save = useSaveUser();
  const optional = optionalOf(categories);
  const chosen = (save.isPending ? save.variables.triggered_tool_categories : null) ?? user.triggered_tool_categories ?? [];
  return (
    <LedgerRow
      label="Tools"
      isTall
      description="Besides those that are always on"
      error={save.error?.message ?? (isUnserved ? "The tools could not be loaded." : null)}
      retry={isUnserved ? () => void served.refetch() : undefined}
      className="max-[767px]:pb-8"
    >
      <fieldset className="w-212 shrink-0 max-[767px]:w-176">
        <legend className="sr-only">Tools</legend>
        {served.isPending && <RowSkeletons label="Loading tools" rows={3} lines={1} className="h-36 touch:h-44" />}
        {optional.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={chosen.includes(id)}
            // What this deployment no longer has goes with the next change.
            onChange={() => save.mutate({ triggered_tool_categories: optionalAmong(toggled(chosen, id), categories) })}
          />
        ))}
      </fieldset>
    </LedgerRow>
  );
}
