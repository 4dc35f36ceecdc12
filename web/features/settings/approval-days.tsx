import { useState } from "react";
import type { User } from "#shared/entities/user.ts";
import { APPROVAL_DAYS_MAX } from "#shared/limits.ts";
import { useSaveUser } from "#web/features/session/use-save-user.ts";
import { cx } from "#web/ui/cx.ts";
import { LedgerRow } from "#web/ui/ledger-row.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";

/** How many days a call waits for a person's word; kept with Enter or on leaving the field. */
export function ApprovalDays({ user }: { user: User }) {
  const [text, setText] = useState<string | null>(null);
  const [isRefused, setIsRefused] = useState(false);
  const save = useSaveUser();
  const shown = text ?? String(user.approval_days);
  const days = /^\s*\d{1,3}\s*$/.test(shown) ? Number(shown) : 0;
  const isRight = days >= 1 && days <= APPROVAL_DAYS_MAX;
  const error = isRefused && !isRight ? `Give a whole number of days from 1 to ${APPROVAL_DAYS_MAX}.` : save.error?.message;
  const keep = () => {
    setIsRefused(!isRight);
    if (!isRight || save.isPending) return;
    if (days === user.approval_days) return setText(null);
    save.mutate({ approval_days: days }, { onSuccess: () => setText(null) });
  };
  return (
    <LedgerRow label="Approvals wait" description="Days after which a call that you did not decide about is discarded" error={error}>
      <form
        noValidate
        className="w-64 shrink-0"
        onSubmit={(event) => {
          event.preventDefault();
          keep();
        }}
      >
        <input
          aria-label="Days that a call waits"
          inputMode="numeric"
          autoComplete="off"
          value={shown}
          aria-invalid={error ? true : undefined}
          onBlur={keep}
          onChange={(event) => {
            setText(event.target.value);
            setIsRefused(false);
            save.reset();
          }}
          className={cx(fieldClass, "h-32 text-right text-14 tabular-nums touch:h-44 touch:text-16")}
        />
      </form>
    </LedgerRow>
  );
}
