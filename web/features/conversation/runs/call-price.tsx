import { useId, useState } from "react";
import { useCallSettings } from "#web/features/conversation/runs/use-call-settings.ts";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import { minutesFor, priceFor } from "./run-labels.ts";

export type CallPriceProps = {
  /** The longest time as it stands in its field. */
  minutes: string;
  isEditing: boolean;
  isDisabled: boolean;
  onMinutes: (minutes: string) => void;
};

/** What a call costs at most: its longest time by the price of a minute; another price is another longest time. */
export function CallPrice({ minutes, isEditing, isDisabled, onMinutes }: CallPriceProps) {
  const id = useId();
  const { data } = useCallSettings();
  const [typed, setTyped] = useState<string | null>(null);
  if (!data) return null;
  const price = data.price_per_minute;
  const shown = priceFor(minutes, price);
  return (
    <div className="mt-8 pb-8 desk:grid desk:grid-cols-[72px_1fr] desk:gap-x-16">
      <label htmlFor={isEditing ? id : undefined} className="block truncate py-3 text-13 leading-[22px] text-ink3">
        At most
      </label>
      {isEditing ? (
        <div className="flex items-center gap-8">
          <span className="relative w-96">
            <span aria-hidden className="pointer-events-none absolute top-1/2 left-11 -translate-y-1/2 text-14 text-ink2">
              $
            </span>
            <input
              id={id}
              inputMode="decimal"
              disabled={isDisabled}
              value={typed ?? shown ?? ""}
              onBlur={() => setTyped(null)}
              onChange={(event) => {
                setTyped(event.target.value);
                const next = minutesFor(event.target.value, price);
                if (next !== null) onMinutes(String(next));
              }}
              className={cx(fieldClass, "h-36 pl-24 text-14 tabular-nums touch:h-44")}
            />
          </span>
          <span className="text-13 text-ink2">{`at $${price.toFixed(2)} a minute`}</span>
        </div>
      ) : (
        <p className="py-3 leading-[22px] text-ink tabular-nums">
          {shown === null ? "Not known" : <span className="font-medium">{`$${shown}`}</span>}
          <span className="text-ink2">{` at $${price.toFixed(2)} a minute`}</span>
        </p>
      )}
    </div>
  );
}
