import { preferredWithin } from "#shared/models/allowlist.ts";
import { AUTO_MODEL_ID } from "#shared/models/model-ids.ts";
import { useSaveUser } from "#web/features/people/session/use-save-user.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { unpickNewModel } from "#web/features/conversation/chat-settings/picked-settings.ts";
import { ModelField } from "#web/features/conversation/models/model-field.tsx";
import { lastPickedModel } from "#web/features/conversation/models/use-selected-model.ts";
import { LedgerRow } from "#web/ui/ledger.tsx";
import { Switch } from "#web/ui/switch.tsx";

/** The model that new chats start with, in Settings > General; only allowed ones can be picked. */
export function PreferredModelField() {
  const { user } = useSession();
  const save = useSaveUser();
  if (!user) return null;
  const isSet = user.preferred_model !== null;
  const saved = preferredWithin(user.preferred_model ?? lastPickedModel(), user.model_allowlist) ?? AUTO_MODEL_ID;
  const value = (save.isPending ? save.variables.preferred_model : null) ?? saved;
  return (
    <ModelField
      label="Preferred model"
      hint={hintFor(value, { isSet: isSet || save.isPending, isAutopilot: user.auto_mode_default })}
      value={value}
      error={save.error?.message}
      onPick={(id) => {
        // The chat to come is a new one too.
        unpickNewModel();
        save.mutate({ preferred_model: id });
      }}
    />
  );
}

function hintFor(modelId: string, { isSet, isAutopilot }: { isSet: boolean; isAutopilot: boolean }): string {
  if (!isAutopilot) return isSet ? "New chats start with it" : "New chats start with your last one";
  return modelId === AUTO_MODEL_ID ? "New chats start with Autopilot" : "Autopilot takes it where it suits the question";
}

/** Whether new chats start with Autopilot, in Settings > General; applied at once, and back where it was when saving fails. */
export function AutopilotDefault() {
  const { user } = useSession();
  const save = useSaveUser();
  if (!user) return null;
  return (
    <LedgerRow label="Autopilot" description="Picks model and tools for each message, and says which" error={save.error?.message}>
      <Switch
        label="Autopilot"
        checked={(save.isPending ? save.variables.auto_mode_default : null) ?? user.auto_mode_default}
        onChange={(event) => save.mutate({ auto_mode_default: event.target.checked })}
      />
    </LedgerRow>
  );
}
