import { type ComponentProps, useId, useState } from "react";
import { useSaveUser } from "#web/features/people/session/use-save-user.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { LedgerPickerButton, LedgerRow } from "#web/ui/ledger.tsx";
import { browserZone, zoneName } from "./time-zones.ts";
import { useEver } from "#web/lib/use-ever.ts";

type PickerProps = ComponentProps<typeof import("./time-zone-picker.tsx").default>;

const TimeZonePicker = lazyPart<PickerProps>(async () => (await import("./time-zone-picker.tsx")).default);

/** The zone that dates and schedules go by: the browser's unless one is chosen. */
export function TimeZoneField() {
  const id = useId();
  const { user } = useSession();
  const save = useSaveUser();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const isUsed = useEver(isOpen);
  if (!user) return null;
  const saved = user.time_zone_chosen ? user.time_zone : null;
  const chosen = save.isPending && save.variables.time_zone !== undefined ? save.variables.time_zone : saved;
  return (
    <LedgerRow
      label="My time zone"
      labelId={`${id}-label`}
      description={chosen === null ? "The one of this device" : "Chosen by you, on every device"}
      descriptionId={`${id}-hint`}
      error={save.error?.message}
    >
      <LedgerPickerButton
        ref={setAnchor}
        id={id}
        isOpen={isOpen}
        onToggle={() => setIsOpen(!isOpen)}
        value={zoneName(chosen ?? browserZone())}
      />
      {isUsed && anchor && (
        <TimeZonePicker
          open={isOpen}
          anchor={anchor}
          chosen={chosen}
          onPick={(zone) => {
            setIsOpen(false);
            save.mutate({ time_zone: zone });
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </LedgerRow>
  );
}
