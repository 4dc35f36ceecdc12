import { useSession } from "#web/features/people/session/use-session.ts";
import { McpConnections } from "#web/features/integrations/mcp/mcp-connections.tsx";
import { useCategories } from "#web/features/conversation/tools/use-categories.ts";
import { GoogleRow } from "#web/features/integrations/google/google-row.tsx";
import { CodegenRow } from "./codegen-row.tsx";
import { Phone } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { CallSettings } from "#shared/entities/outbound/call-settings.ts";
import { cx } from "#web/ui/cx.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import { IntegrationRow } from "./integration-row.tsx";
import { useCallSettings, useChangeCallSettings } from "#web/features/conversation/runs/use-call-settings.ts";

/** Calls of a day that can be chosen; the server's own limit is the last. */
const CALLS = Array.from({ length: 21 }, (_, calls) => calls);
const HOURS = Array.from({ length: 25 }, (_, hour) => hour);

/** The phone: from when until when in one's own day it may call, and how often. */
function PhoneRow() {
  const { data } = useCallSettings();
  const change = useChangeCallSettings();
  if (!data) return null;
  const { time_zone: zone, price_per_minute: price, ...kept } = data;
  const settings = change.isPending ? change.variables : kept;
  const set = (changes: Partial<CallSettings>) => change.mutate({ ...settings, ...changes });
  const { from_hour: from, until_hour: until, calls_per_day: calls } = settings;
  return (
    <IntegrationRow
      icon={Phone}
      name="Phone"
      description={
        <>
          {`Calls at $${price.toFixed(2)} a minute, in the hours of ${zone}.`}
          {change.error && (
            <span role="alert" className="block text-danger">
              {change.error.message}
            </span>
          )}
        </>
      }
    >
      <div className="flex flex-wrap items-end gap-8">
        <Choice label="From" value={from} onChange={(hour) => set({ from_hour: hour })}>
          {HOURS.filter((hour) => hour < until).map((hour) => (
            <option key={hour} value={hour}>{`${hour}:00`}</option>
          ))}
        </Choice>
        <Choice label="Until" value={until} onChange={(hour) => set({ until_hour: hour })}>
          {HOURS.filter((hour) => hour > from).map((hour) => (
            <option key={hour} value={hour}>{`${hour}:00`}</option>
          ))}
        </Choice>
        <Choice label="Calls a day" value={calls} onChange={(count) => set({ calls_per_day: count })}>
          {CALLS.map((count) => (
            <option key={count} value={count}>
              {count}
            </option>
          ))}
        </Choice>
      </div>
    </IntegrationRow>
  );
}

type ChoiceProps = { label: string; value: number; onChange: (value: number) => void; children: ReactNode };

function Choice({ label, value, onChange, children }: ChoiceProps) {
  const id = useId();
  return (
    <span className="block">
      <label htmlFor={id} className="mb-4 block text-12 text-ink2">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
        className={cx(fieldClass, "h-36 w-96 pr-6 text-14 tabular-nums touch:h-44 touch:text-16")}
      >
        {children}
      </select>
    </span>
  );
}

/** The services of one's own that tools reach, and what they may do there. */
export function Integrations() {
  const { user, features } = useSession();
  const categories = useCategories();
  if (!user || user.anonymous) return null;
  return (
    <>
      <section aria-labelledby="integrations" className="mt-28">
        <h3 id="integrations" className="border-b border-line pb-8 text-14 font-medium text-ink">
          Integrations
        </h3>
        {features?.gmail && <GoogleRow />}
        <CodegenRow />
        {categories.some(({ id }) => id === "phone") && <PhoneRow />}
      </section>
      <McpConnections />
    </>
  );
}
