import { useSaveUser } from "#web/features/people/session/use-save-user.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { LedgerRow } from "#web/ui/ledger-row.tsx";
import { Switch } from "#web/ui/switch.tsx";

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
