import { useEffect, useId, useMemo, useRef, useState } from "react";
import { APP_NAME } from "#shared/app.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import type { NumberDraft } from "./number-flow.ts";
import { callingCodeOf, countries, type Country, countryOf, exampleOf, readNumber } from "./phone-number.ts";
import { Check, ChevronDown, ChevronUp } from "lucide-react";
import { Picker } from "#web/ui/picker.tsx";
import type { PickerKind, PickerRowProps } from "#web/ui/picker/picker-kind.ts";
import { PickerList, type PickerListProps } from "#web/ui/picker/picker-list.tsx";

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
function CountryButton({ country, isOpen, onToggle, ref }: CountryButtonProps) {
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
function CountryList({ anchor, country, onPick, onClose }: CountryListProps) {
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

type NumberStepProps = {
  draft: NumberDraft;
  isSending: boolean;
  onDraft: (draft: NumberDraft) => void;
  onSend: (number: string) => void;
  /** Leads back to the linked number, where there is one. */
  onBack: (() => void) | null;
};

/** Asks for the number that one writes from. */
export function NumberStep({ draft, isSending, onDraft, onSend, onBack }: NumberStepProps) {
  const id = useId();
  const isMobile = useIsMobile();
  const field = useRef<HTMLInputElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isPicking, setIsPicking] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isListed = isPicking && isMobile;
  useEffect(() => field.current?.focus(), []);
  const endPicking = () => {
    setIsPicking(false);
    field.current?.focus();
  };
  const submit = () => {
    const read = readNumber(draft.text, draft.country);
    if (read.ok) return onSend(read.number);
    setError(read.error);
    field.current?.focus();
    return undefined;
  };
  const list = isPicking && anchor && (
    <CountryList
      anchor={anchor}
      country={draft.country}
      onPick={(country) => {
        onDraft({ ...draft, country });
        setError(null);
        endPicking();
      }}
      onClose={endPicking}
    />
  );
  return (
    <>
      <form
        noValidate
        className={cx("shrink-0 px-24 pt-4", isListed ? "border-b border-line pb-16" : "pb-24")}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSending) submit();
        }}
      >
        <p className="text-14 text-pretty text-ink2 max-desk:text-15">
          {`Write to ${APP_NAME} from WhatsApp. What you write there goes on in a chat of its own.`}
        </p>
        <label htmlFor={id} className="mt-16 mb-6 block text-13 font-medium text-ink">
          Phone number
        </label>
        <div className="flex gap-8">
          <CountryButton country={draft.country} isOpen={isPicking} onToggle={() => setIsPicking(!isPicking)} ref={setAnchor} />
          <input
            ref={field}
            id={id}
            name="tel"
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            placeholder={exampleOf(draft.country)}
            value={draft.text}
            aria-required
            aria-invalid={error !== null || undefined}
            aria-describedby={error === null ? undefined : `${id}-error`}
            onChange={({ target: { value: text } }) => {
              setError(null);
              onDraft({ country: countryOf(text) ?? draft.country, text });
            }}
            className={cx(fieldClass, "h-44 min-w-0 flex-1 text-15 tabular-nums touch:text-16")}
          />
        </div>
        {error !== null && (
          <p id={`${id}-error`} role="alert" className="mt-6 text-13 text-danger">
            {error}
          </p>
        )}
        {!isListed && (
          <>
            <Button type="submit" variant="primary" size="touch" busy={isSending} className="mt-16 w-full">
              Send code
            </Button>
            {onBack && (
              <Button variant="quiet" size="touch" className="mt-8 w-full" onClick={onBack}>
                Back
              </Button>
            )}
          </>
        )}
      </form>
      {list}
    </>
  );
}
