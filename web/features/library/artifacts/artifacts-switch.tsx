import { useSaveUser } from "#web/features/people/session/use-save-user.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { LedgerRow } from "#web/ui/ledger.tsx";
import { Switch } from "#web/ui/switch.tsx";

/** Whether artifacts are there at all, in Settings > General: without them their tab, pages and tools are gone, and what was written is kept. */
export function ArtifactsSwitch() {
  const { user } = useSession();
  const save = useSaveUser();
  if (!user || user.anonymous) return null;
  return (
    <LedgerRow label="Artifacts" description="Documents that you and models write together" error={save.error?.message}>
      <Switch
        label="Artifacts"
        checked={(save.isPending ? save.variables.artifacts_enabled : null) ?? user.artifacts_enabled}
        onChange={(event) => save.mutate({ artifacts_enabled: event.target.checked })}
      />
    </LedgerRow>
  );
}
