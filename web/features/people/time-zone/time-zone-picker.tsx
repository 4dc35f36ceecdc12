import { useMemo, useState } from "react";
import { cx } from "#web/ui/cx.ts";
import { Picker } from "#web/ui/picker.tsx";
import type { PickerKind, PickerRowProps } from "#web/ui/picker/picker-kind.ts";
import { type ZoneChoice, browserZone, zoneChoices } from "./time-zones.ts";

const ZONES: PickerKind<ZoneChoice> = {
  idOf: ({ id }) => id,
  textOf: ({ id, name, offset }) => `${name} ${id} ${offset}`,
  Row: ZoneRow,
  rowHeight: { desk: 36, touch: 48 },
  size: { width: 300, height: 360 },
};

function ZoneRow({ item, isTouch }: PickerRowProps<ZoneChoice>) {
  return (
    <span className={cx("flex min-w-0 flex-1 items-center gap-12 px-10 text-14", isTouch ? "h-48" : "h-36")}>
      <span className="min-w-0 flex-1 truncate text-ink">{item.name}</span>
      <span className="shrink-0 text-13 text-ink2 tabular-nums">{item.offset}</span>
    </span>
  );
}

type TimeZonePickerProps = {
  open: boolean;
  anchor: HTMLElement;
  /** Null where the browser's holds. */
  chosen: string | null;
  onPick: (zone: string | null) => void;
  onClose: () => void;
};

/** All time zones, to be searched by place or offset. Loaded with the first opening. */
export default function TimeZonePicker({ open, anchor, chosen, onPick, onClose }: TimeZonePickerProps) {
  const [now] = useState(() => new Date());
  const zones = useMemo(() => zoneChoices(Intl.supportedValuesOf("timeZone"), { browser: browserZone(), chosen, now }), [chosen, now]);
  return (
    <Picker
      open={open}
      anchor={anchor}
      label="My time zone"
      kind={ZONES}
      items={zones}
      selected={[chosen ?? ""]}
      listLabel="Time zones"
      search={{ label: "Search time zones", placeholder: "Search places..." }}
      renderNotice={({ count, matches }) =>
        count > 0 && matches === 0 ? <p className="px-12 py-10 text-13 text-ink2">No results found.</p> : null
      }
      onPick={({ id }) => onPick(id === "" ? null : id)}
      onClose={onClose}
    />
  );
}
