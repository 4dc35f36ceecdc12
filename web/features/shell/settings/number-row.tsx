import { useState } from "react";
import { useSaveUser } from "#web/features/people/session/use-save-user.ts";
import { cx } from "#web/ui/cx.ts";
import { LedgerRow } from "#web/ui/ledger.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";

type NumberRowProps = {
  label: string;
  description: string;
  /** The field's accessible name, with its unit. */
  name: string;
  /** The user's setting that it changes. */
  setting: "approval_days" | "triggered_daily_budget";
  saved: number;
  /** The kept number as it is typed. */
  shown: string;
  /** The typed number; null where it is none. */
  parse: (text: string) => number | null;
  /** What to give instead of what is none. */
  refusal: string;
  sign?: "$";
};

/** A setting that is a number; kept with Enter or on leaving the field. */
export function NumberRow({ label, description, name, setting, saved, shown, parse, refusal, sign }: NumberRowProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isRefused, setIsRefused] = useState(false);
  const save = useSaveUser();
  const text = typed ?? shown;
  const number = parse(text);
  const error = isRefused && number === null ? refusal : save.error?.message;
  const keep = () => {
    setIsRefused(number === null);
    if (number === null || save.isPending) return;
    if (number === saved) return setTyped(null);
    save.mutate({ [setting]: number }, { onSuccess: () => setTyped(null) });
  };
  return (
    <LedgerRow label={label} description={description} error={error}>
      <form
        noValidate
        className="relative w-96 shrink-0"
        onSubmit={(event) => {
          event.preventDefault();
          keep();
        }}
      >
        {sign && (
          <span aria-hidden className="pointer-events-none absolute top-1/2 left-11 -translate-y-1/2 text-14 text-ink2">
            {sign}
          </span>
        )}
        <input
          aria-label={name}
          inputMode={sign ? "decimal" : "numeric"}
          autoComplete="off"
          value={text}
          aria-invalid={error ? true : undefined}
          onBlur={keep}
          onChange={(event) => {
            setTyped(event.target.value);
            setIsRefused(false);
            save.reset();
          }}
          className={cx(fieldClass, "h-32 text-right text-14 tabular-nums touch:h-44 touch:text-16", sign && "pl-24")}
        />
      </form>
    </LedgerRow>
  );
}
