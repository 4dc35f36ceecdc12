import { preferredWithin } from "#shared/models/allowlist.ts";
import { AUTO_MODEL_ID } from "#shared/models/model-ids.ts";
import { useSaveUser } from "#web/features/session/use-save-user.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { ModelField } from "./model-field.tsx";

/** The model that new chats start with, in Settings > General; only allowed ones can be picked. */
export function PreferredModelField() {
  const { user } = useSession();
  const save = useSaveUser();
  if (!user) return null;
  const saved = preferredWithin(user.preferred_model, user.model_allowlist) ?? AUTO_MODEL_ID;
  const value = (save.isPending ? save.variables.preferred_model : null) ?? saved;
  return (
    <ModelField
      label="Preferred model"
      hint={hintFor(user.auto_mode_default, value)}
      value={value}
      error={save.error?.message}
      onPick={(id) => save.mutate({ preferred_model: id })}
    />
  );
}

function hintFor(isAutopilot: boolean, modelId: string): string {
  if (!isAutopilot) return "New chats start with it";
  return modelId === AUTO_MODEL_ID ? "New chats start with Autopilot" : "Autopilot takes it where it suits the question";
}
