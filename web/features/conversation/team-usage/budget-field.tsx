import { useState } from "react";
import { TEAM_BUDGET_MAX } from "#shared/limits.ts";
import { dollarText, toDollars } from "#web/lib/dollars.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";

type BudgetFieldProps = {
  /** What is read out. */
  label: string;
  /** US dollars a month; null for none. */
  budget: number | null;
  placeholder: string;
  isBusy: boolean;
  /** Called with what was typed, once it is an amount or empty; answers whether it was kept. */
  onChange: (budget: number | null, done: () => void) => void;
};

/** A budget of a month, kept with Enter or on leaving the field; empty takes it away. */
export function BudgetField({ label, budget, placeholder, isBusy, onChange }: BudgetFieldProps) {
  const [text, setText] = useState<string | null>(null);
  const [isRefused, setRefused] = useState(false);
  const shown = text ?? (budget === null ? "" : dollarText(budget));
  const keep = () => {
    if (text === null || isBusy) return;
    const amount = text.trim() === "" ? null : toDollars(text);
    if (text.trim() !== "" && (amount === null || amount > TEAM_BUDGET_MAX)) {
      setRefused(true);
      const most = TEAM_BUDGET_MAX.toLocaleString("en");
      return void toast({ title: "Give an amount in US dollars, such as 20", description: `At most $${most} a month.`, tone: "danger" });
    }
    if (amount === budget) return setText(null);
    onChange(amount, () => setText(null));
  };
  return (
    <form
      noValidate
      className="relative w-104 shrink-0"
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <span aria-hidden className="pointer-events-none absolute top-1/2 left-10 -translate-y-1/2 text-13 text-ink2">
        $
      </span>
      <input
        aria-label={label}
        aria-invalid={isRefused || undefined}
        inputMode="decimal"
        autoComplete="off"
        placeholder={placeholder}
        value={shown}
        onBlur={keep}
        onChange={(event) => {
          setText(event.target.value);
          setRefused(false);
        }}
        className={cx(fieldClass, "h-32 pl-22! text-right text-13 tabular-nums touch:h-44 touch:text-16")}
      />
    </form>
  );
}
