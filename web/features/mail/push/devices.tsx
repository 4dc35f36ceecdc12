import { APP_NAME } from "#shared/app.ts";
import type { PushDevice } from "#shared/contracts/account/push.ts";
import { shortDate } from "#web/lib/format.ts";
import { Button } from "#web/ui/button.tsx";
import { LedgerRow } from "#web/ui/ledger.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { type PushStatus, pushStatusOf } from "./this-device.ts";
import { usePush, useRemoveDevice, useTestDevice, useThisBrowser, useTurnOn } from "./use-push.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

const STATUS_TEXT: Record<PushStatus, string> = {
  unsupported: "This browser takes no notifications from sites",
  install: `Add ${APP_NAME} to the home screen first: there alone it may notify you`,
  denied: "Blocked for this site: allow notifications in the browser's settings of it, then come back",
  off: "Be notified here, even while no tab is open",
  on: "Notifications come here until you sign out",
};

/** Where pushes come to: this browser, which is asked by a press alone, and the person's others. */
export default function Devices() {
  const { data, isError, refetch } = usePush();
  const { data: here } = useThisBrowser();
  const remove = useRemoveDevice();
  if (isError) {
    return (
      <div className="mt-16 flex flex-wrap items-center gap-x-12 gap-y-4 text-13 text-ink2">
        <p>Your devices could not be loaded.</p>
        <TryAgain onClick={() => void refetch()} />
      </div>
    );
  }
  if (!data || !here) return <Skeleton className="mt-24 h-52" />;
  const device = data.devices.find(({ is_this: isThis }) => isThis);
  const others = data.devices.filter(({ is_this: isThis }) => !isThis);
  return (
    <section aria-label="Devices" className="mt-24 border-t border-line">
      <ThisDevice
        status={pushStatusOf(here, { isKnown: device !== undefined, publicKey: data.publicKey })}
        device={device}
        publicKey={data.publicKey}
      />
      {others.map(({ id, name, created_at: since }) => (
        <LedgerRow
          key={id}
          label={name}
          description={`Since ${shortDate(since)}`}
          error={remove.variables?.id === id ? remove.error?.message : null}
        >
          <Button
            size="sm"
            variant="quiet"
            aria-label={`Remove ${name}`}
            busy={remove.isPending && remove.variables.id === id}
            onClick={() => remove.mutate({ id, isHere: false })}
          >
            Remove
          </Button>
        </LedgerRow>
      ))}
    </section>
  );
}

type ThisDeviceProps = { status: PushStatus; device: PushDevice | undefined; publicKey: string };

function ThisDevice({ status, device, publicKey }: ThisDeviceProps) {
  const turnOn = useTurnOn();
  const turnOff = useRemoveDevice();
  const test = useTestDevice();
  const error = turnOn.error ?? turnOff.error ?? test.error;
  const sent = () => toast({ title: "A notification is on its way." });
  return (
    <LedgerRow label="This device" description={STATUS_TEXT[status]} error={error?.message}>
      {status === "off" && (
        <Button size="sm" busy={turnOn.isPending} onClick={() => turnOn.mutate(publicKey)}>
          Turn on
        </Button>
      )}
      {status === "on" && device && (
        <div className="flex shrink-0 gap-4">
          <Button size="sm" variant="quiet" busy={test.isPending} onClick={() => test.mutate(device.id, { onSuccess: sent })}>
            Test
          </Button>
          <Button size="sm" busy={turnOff.isPending} onClick={() => turnOff.mutate({ id: device.id, isHere: true })}>
            Turn off
          </Button>
        </div>
      )}
    </LedgerRow>
  );
}
