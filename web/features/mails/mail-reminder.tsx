import { Bell } from "lucide-react";
import { useId, useState } from "react";
import type { Mail } from "#shared/entities/mail.ts";
import { fullTime, shortDate } from "#web/lib/format.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import { useMailReminder } from "./use-mails.ts";

const DAY_MS = 24 * 3_600_000;
const DAYS = 3;

/** Asks to be reminded where nobody answers a sent mail by a day: then a follow-up is drafted, which asks before it is sent. */
export function MailReminder({ mail, reminder }: { mail: Mail; reminder: { by: string } | null }) {
  const fieldId = useId();
  const [now] = useState(() => Date.now());
  const [day, setDay] = useState(() => localDay(now + DAYS * DAY_MS));
  const remind = useMailReminder(mail.chat_id, mail.id);
  const by = new Date(`${day}T09:00`);
  const isAhead = by.getTime() > now;
  return (
    <div className="mt-12 text-13 text-ink2">
      {reminder ? (
        <p className="flex flex-wrap items-center gap-8">
          <Bell aria-hidden className="size-14 shrink-0" />
          <span>
            {"You are reminded if nobody answers by "}
            <time dateTime={reminder.by} title={fullTime(reminder.by)}>
              {shortDate(reminder.by)}
            </time>
          </span>
          <Button size="sm" variant="quiet" busy={remind.isPending} onClick={() => remind.mutate(null)}>
            Call off
          </Button>
        </p>
      ) : (
        <form
          noValidate
          className="flex flex-wrap items-center gap-8"
          onSubmit={(event) => {
            event.preventDefault();
            if (isAhead) remind.mutate(by.toISOString());
          }}
        >
          <label htmlFor={fieldId}>Remind me if nobody answers by</label>
          <input
            id={fieldId}
            type="date"
            value={day}
            min={localDay(now + DAY_MS)}
            max={localDay(now + 365 * DAY_MS)}
            onChange={(event) => setDay(event.target.value)}
            className={cx(fieldClass, "h-32 w-144 text-13 tabular-nums touch:h-44 touch:text-16")}
          />
          <Button size="sm" type="submit" busy={remind.isPending} disabled={!isAhead}>
            Remind me
          </Button>
        </form>
      )}
      {remind.isError && (
        <p role="alert" className="mt-8 text-danger">
          {remind.error.message}
        </p>
      )}
    </div>
  );
}

/** A day as a date field has it, in the reader's own zone. */
function localDay(at: number): string {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
