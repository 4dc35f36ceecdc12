import { useMutation } from "@tanstack/react-query";
import { updateUser } from "#shared/contracts/users.ts";
import { setSessionUser, useSession } from "#web/features/session/use-session.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { Switch } from "#web/ui/switch.tsx";

/** Whether new chats start with Autopilot, in Settings > General; applied at once, and back where it was when saving fails. */
export function AutopilotDefault() {
  const { user } = useSession();
  const save = useMutation({
    mutationFn: (isOn: boolean) => call(updateUser, { body: { auto_mode_default: isOn } }),
    onSuccess: (answer) => setSessionUser(answer.user),
  });
  if (!user) return null;
  return (
    <div>
      <div className="flex items-start gap-16">
        <div className="min-w-0 flex-1">
          <p className="text-13 font-medium text-ink">Autopilot</p>
          <p className="mt-2 text-13 text-ink2">New chats pick the model and the tools for each message by themselves, and say which.</p>
        </div>
        <Switch
          label="Autopilot"
          checked={save.isPending ? save.variables : user.auto_mode_default}
          onChange={(event) => save.mutate(event.target.checked)}
        />
      </div>
      {save.isError && (
        <p role="alert" className="mt-6 text-13 text-danger">
          {save.error instanceof ApiError ? save.error.message : "Autopilot was not changed."}
        </p>
      )}
    </div>
  );
}
