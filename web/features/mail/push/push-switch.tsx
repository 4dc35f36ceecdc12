import type { PushKinds } from "#shared/contracts/account/push.ts";
import { Switch } from "#web/ui/switch.tsx";
import { usePush, useSavePushKinds } from "./use-push.ts";

/** Whether pushes come about a kind; it holds at once, on every device. */
export function PushSwitch({ kind, label }: { kind: keyof PushKinds; label: string }) {
  const { data } = usePush();
  const save = useSavePushKinds();
  const isOn = (save.isPending ? save.variables[kind] : null) ?? data?.kinds[kind] ?? false;
  return <Switch label={label} checked={isOn} disabled={!data} onChange={({ target }) => save.mutate({ [kind]: target.checked })} />;
}
