import { Check, ChevronDown, ChevronUp } from "lucide-react";
import { useMemo, useState } from "react";
import { cx } from "#web/ui/cx.ts";
import { Picker } from "#web/ui/picker.tsx";
import type { PickerKind, PickerRowProps } from "#web/ui/picker/picker-kind.ts";
import { PickerList, type PickerListProps } from "#web/ui/picker/picker-list.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { callingCodeOf, countries, type Country } from "./phone-number.ts";

const COUNTRIES: PickerKind<Country> = {
  idOf: ({ code }) => code,
  textOf: ({ code, name, callingCode }) => `${name} ${code} ${callingCode}`,
  nameOf: ({ name, callingCode }) => `${name} ${callingCode}`,
  Row: CountryRow,
  rowHeight: { desk: 40, touch: 52 },
  size: { width: 340, height: 360 },
};

function CountryRow({ item: { code, name, callingCode }, isSelected, isTouch }: PickerRowProps<Country>) {
  return (
    <span className={cx("flex min-w-0 flex-1 items-center gap-12 px-12", isTouch ? "h-52 text-15" : "h-40 text-14")}>
      <CountryCode code={code} onTint={isSelected} />
      <span className="min-w-0 flex-1 truncate text-ink">{name}</span>
      <span className="shrink-0 text-ink2 tabular-nums">{callingCode}</span>
      <Check aria-hidden className={cx("size-16 shrink-0 text-accent", !isSelected && "invisible")} />
    </span>
  );
}

function CountryCode({ code, onTint = false }: { code: string; onTint?: boolean }) {
  return (
    <span
      aria-hidden
      className={cx(
        "flex h-24 w-28 shrink-0 items-center justify-center rounded-6 text-12 font-medium text-ink2",
        onTint ? "bg-s2" : "bg-s3",
      )}
    >
      {code}
    </span>
  );
}

type CountryButtonProps = { country: string; isOpen: boolean; onToggle: () => void; ref: (element: HTMLElement | null) => void };

/** Says whose numbers are taken, and opens the list of countries. */
export function CountryButton({ country, isOpen, onToggle, ref }: CountryButtonProps) {
  const Arrow = isOpen ? ChevronUp : ChevronDown;
  return (
    <button
      ref={ref}
      type="button"
      aria-label={`Country: ${country} ${callingCodeOf(country)}`}
      aria-haspopup="listbox"
      aria-expanded={isOpen}
      onClick={onToggle}
      className={cx(fieldClass, "flex h-44 w-auto! shrink-0 items-center gap-8 pl-8! text-15 tabular-nums")}
    >
      <CountryCode code={country} />
      {callingCodeOf(country)}
      <Arrow aria-hidden className="size-16 text-ink2" />
    </button>
  );
}

type CountryListProps = { anchor: HTMLElement; country: string; onPick: (country: string) => void; onClose: () => void };

/** All countries, to be searched by name or code: a dropdown, on phones below the number within the drawer. */
export function CountryList({ anchor, country, onPick, onClose }: CountryListProps) {
  const isMobile = useIsMobile();
  const [kept] = useState(countries);
  const list = useMemo<PickerListProps<Country>>(
    () => ({
      kind: COUNTRIES,
      items: kept,
      selected: [country],
      listLabel: "Countries",
      search: { label: "Search countries", placeholder: "Search countries..." },
      renderNotice: ({ matches }) =>
        matches === 0 ? (
          <div className="px-24 py-12 max-desk:py-4">
            <p className="text-15 font-medium text-ink">No country found.</p>
            <p className="mt-4 text-13 text-ink2">A calling code works too, for example +351.</p>
          </div>
        ) : null,
      onPick: ({ code }) => onPick(code),
      onClose,
    }),
    [kept, country, onPick, onClose],
  );
  if (isMobile) return <PickerList {...list} isTouch />;
  return <Picker open anchor={anchor} label="Countries" {...list} />;
}
