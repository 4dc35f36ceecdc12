import { useState } from "react";
import type { User } from "#shared/entities/user.ts";
import { useSaveUser } from "#web/features/session/use-save-user.ts";
import { cx } from "#web/ui/cx.ts";
import { LedgerRow } from "#web/ui/ledger-row.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import { dollarText, toDollars } from "./dollars.ts";

/** What triggered messages may cost in a day; kept with Enter or on leaving the field. */
export function DailyBudget({ user }: { user: User }) {
  const [text, setText] = useState<string | null>(null);
  const save = useSaveUser();
  const shown = text ?? dollarText(user.triggered_daily_budget);
  const dollars = toDollars(shown);
  const [isRefused, setIsRefused] = useState(false);
  const error = isRefused && dollars === null ? "Give an amount in US dollars, such as 1.50." : save.error?.message;
  const keep = () => {
    setIsRefused(dollars === null);
    if (dollars === null || save.isPending) return;
    if (dollars === user.triggered_daily_budget) return setText(null);
    save.mutate({ triggered_daily_budget: dollars }, { onSuccess: () => setText(null) });
  };
  return (
    <LedgerRow label="Daily budget" description="Beyond it, messages wait for you; at 0 none is answered" error={error}>
      <form
        noValidate
        className="relative w-112 shrink-0"
        onSubmit={(event) => {
          event.preventDefault();
          keep();
        }}
      >
        <span aria-hidden className="pointer-events-none absolute top-1/2 left-11 -translate-y-1/2 text-14 text-ink2">
          $
        </span>
        <input
          aria-label="Daily budget in US dollars"
          inputMode="decimal"
          autoComplete="off"
          value={shown}
          aria-invalid={error ? true : undefined}
          onBlur={keep}
          onChange={(event) => {
            setText(event.target.value);
            setIsRefused(false);
            save.reset();
          }}
          className={cx(fieldClass, "h-32 pl-24 text-right text-14 tabular-nums touch:h-44 touch:text-16")}
        />
      </form>
    </LedgerRow>
  );
}
