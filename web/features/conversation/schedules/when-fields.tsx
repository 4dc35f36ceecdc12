import type { ReactNode } from "react";
import type { When } from "#shared/entities/schedules/when.ts";
import { ordinal, WEEKDAYS } from "#shared/schedules/describe-when.ts";
import { addDays, instantOf, wallTimeAt, weekdayOf } from "#shared/schedules/wall-clock.ts";
import { cx } from "#web/ui/cx.ts";
import { Select } from "#web/ui/menu/select.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";

const KINDS: readonly { value: When["kind"]; label: string }[] = [
  { value: "once", label: "Once" },
  { value: "daily", label: "Every day" },
  { value: "weekdays", label: "Every weekday" },
  { value: "weekly", label: "On days of the week" },
  { value: "monthly", label: "On a day of the month" },
  { value: "hours", label: "Every few hours" },
  { value: "page", label: "When a page changes" },
];

type WhenFieldsProps = { when: When | null; zone: string; now: number; onChange: (when: When) => void };

/** The times of a schedule, chosen instead of written. */
export function WhenFields({ when, zone, now, onChange }: WhenFieldsProps) {
  const kind = when?.kind ?? "weekdays";
  return (
    <div className="flex flex-wrap items-center gap-8">
      <Select
        label="How often"
        value={kind}
        options={KINDS}
        className="w-192 touch:w-216"
        onChange={(next) => onChange(whenOf(next, { when, zone, now }))}
      />
      {when && <Details when={when} zone={zone} onChange={onChange} />}
    </div>
  );
}

function Details({ when, zone, onChange }: { when: When; zone: string; onChange: (when: When) => void }) {
  switch (when.kind) {
    case "once":
      return <Moment at={when.at} zone={zone} onChange={(at) => onChange({ kind: "once", at })} />;
    case "hours":
      return (
        <Field label="Hours between">
          <input
            type="number"
            min={1}
            max={168}
            aria-label="Hours between"
            value={when.every}
            onChange={({ target }) => {
              const every = Number(target.value);
              if (Number.isInteger(every) && every >= 1 && every <= 168) onChange({ kind: "hours", every });
            }}
            className={cx(fieldClass, "h-36 w-80! text-14 touch:h-44 touch:text-16")}
          />
          hours apart
        </Field>
      );
    case "page":
      return (
        <input
          type="url"
          aria-label="Address of the page"
          placeholder="https://"
          defaultValue={when.url}
          onChange={({ target }) => onChange({ kind: "page", url: target.value })}
          className={cx(fieldClass, "h-36 min-w-200 flex-1 text-14 touch:h-44 touch:text-16")}
        />
      );
    case "weekly":
      return (
        <>
          <fieldset className="flex gap-2">
            <legend className="sr-only">Days of the week</legend>
            {WEEKDAYS.map((name, index) => (
              <Day
                key={name}
                name={name}
                isOn={when.days.includes(index + 1)}
                onToggle={() => onChange({ ...when, days: toggledDay(when.days, index + 1) })}
              />
            ))}
          </fieldset>
          <Clock time={when.time} onChange={(time) => onChange({ ...when, time })} />
        </>
      );
    case "monthly":
      return (
        <>
          <Select
            label="Day of the month"
            value={String(when.day)}
            options={MONTH_DAYS}
            onChange={(day) => onChange({ ...when, day: Number(day) })}
          />
          <Clock time={when.time} onChange={(time) => onChange({ ...when, time })} />
        </>
      );
    default:
      return <Clock time={when.time} onChange={(time) => onChange({ ...when, time })} />;
  }
}

const MONTH_DAYS = Array.from({ length: 31 }, (_, index) => ({
  value: String(index + 1),
  label: index === 30 ? "the last day" : `the ${ordinal(index + 1)}`,
}));

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <span role="group" aria-label={label} className="inline-flex items-center gap-8 text-14 text-ink2">
      {children}
    </span>
  );
}

function Clock({ time, onChange }: { time: string; onChange: (time: string) => void }) {
  return (
    <input
      type="time"
      aria-label="Time of day"
      value={time}
      onChange={({ target }) => target.value !== "" && onChange(target.value.slice(0, 5))}
      className={cx(fieldClass, "h-36 w-116! text-14 tabular-nums touch:h-44 touch:w-144! touch:text-16")}
    />
  );
}

function Moment({ at, zone, onChange }: { at: string; zone: string; onChange: (at: string) => void }) {
  const { year, month, day, hour, minute } = wallTimeAt(Date.parse(at), zone);
  const two = (number: number) => String(number).padStart(2, "0");
  return (
    <input
      type="datetime-local"
      aria-label="Date and time"
      value={`${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`}
      onChange={({ target }) => {
        const [years = 0, months = 0, days = 0, hours = 0, minutes = 0] = target.value.split(/\D/).map(Number);
        if (years < 2000 || years > 9000) return;
        onChange(new Date(instantOf({ year: years, month: months, day: days, hour: hours, minute: minutes }, zone)).toISOString());
      }}
      className={cx(fieldClass, "h-36 w-208! text-14 tabular-nums touch:h-44 touch:w-264! touch:text-16")}
    />
  );
}

function Day({ name, isOn, onToggle }: { name: string; isOn: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      aria-label={name}
      aria-pressed={isOn}
      onClick={onToggle}
      className={cx(
        "size-32 rounded-8 text-13 transition-colors duration-120 touch:size-44",
        isOn ? "bg-accent text-accent-ink" : "bg-s3 text-ink2 hover:text-ink",
      )}
    >
      {name.slice(0, 2)}
    </button>
  );
}

/** At least one day stays. */
function toggledDay(days: readonly number[], day: number): number[] {
  const next = days.includes(day) ? days.filter((one) => one !== day) : [...days, day];
  return next.length === 0 ? [...days] : next.toSorted((a, b) => a - b);
}

/** The times of another kind, as near to those before as may be. */
function whenOf(kind: When["kind"], { when, zone, now }: Pick<WhenFieldsProps, "when" | "zone" | "now">): When {
  const today = wallTimeAt(now, zone);
  const time = when && "time" in when ? when.time : "08:00";
  const [hour = 8, minute = 0] = time.split(":").map(Number);
  switch (kind) {
    case "once":
      return { kind, at: new Date(instantOf({ ...addDays(today, 1), hour, minute }, zone)).toISOString() };
    case "weekly":
      return { kind, days: [weekdayOf(today)], time };
    case "monthly":
      return { kind, day: 1, time };
    case "hours":
      return { kind, every: 3 };
    case "page":
      return { kind, url: "" };
    default:
      return { kind, time };
  }
}
