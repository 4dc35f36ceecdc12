import { Check } from "lucide-react";
import { type ReactNode, useId } from "react";
import { PLANS, type Plan } from "#shared/plans.ts";
import { isUuid } from "#shared/uuid.ts";
import { cx } from "#web/ui/cx.ts";
import { Switch } from "#web/ui/switch.tsx";
import { fieldClass, TextField } from "#web/ui/text-field.tsx";
import type { InviteOptions, OptionProblems } from "./invite-options.ts";

type OptionsZoneProps = {
  options: InviteOptions;
  problems: OptionProblems;
  /** US dollars where the field is empty. */
  defaultCredits: number;
  onChange: (change: Partial<InviteOptions>) => void;
  /** The field for whom it is, beside the team's. */
  children: ReactNode;
};

/** What administrators choose for an invite: its plan and credits, and the team that it leads into. */
export function OptionsZone({ options: { plan, credits, teamId }, problems, defaultCredits, onChange, children }: OptionsZoneProps) {
  const field = useId();
  return (
    <>
      <div className="flex flex-wrap items-start gap-x-16 gap-y-12">
        <PlanChoice plan={plan} onChange={(next) => onChange({ plan: next })} />
        <div className="relative w-120 max-desk:grow">
          <span aria-hidden className="absolute top-25 left-12 flex h-36 items-center text-14 text-ink2 touch:h-44">
            $
          </span>
          <label htmlFor={field} className="mb-6 block text-13 leading-20! font-medium text-ink">
            Initial credits
          </label>
          <input
            id={field}
            type="number"
            inputMode="numeric"
            min={0}
            step={1}
            placeholder={String(defaultCredits)}
            value={credits}
            aria-invalid={problems.credits ? true : undefined}
            aria-describedby={problems.credits ? `${field}-error` : undefined}
            onChange={(event) => onChange({ credits: event.target.value })}
            className={cx(fieldClass, "h-36 pl-26! text-14 tabular-nums touch:h-44")}
          />
          {problems.credits && (
            <p id={`${field}-error`} role="alert" className="mt-6 text-13 text-danger">
              {problems.credits}
            </p>
          )}
        </div>
      </div>
      <div className="mt-12 flex flex-wrap items-start gap-x-16 gap-y-12">
        <div className="relative min-w-240 grow basis-0">
          <TextField
            label="Team id (UUID, optional)"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={teamId}
            error={problems.teamId}
            onChange={(event) => onChange({ teamId: event.target.value })}
            className="[&>input]:pr-36 [&>input]:font-mono [&>input]:text-13"
          />
          {isUuid(teamId.trim().toLowerCase()) && !problems.teamId && (
            <Check aria-hidden className="absolute top-36 right-12 size-16 text-accent touch:top-40" />
          )}
        </div>
        {children}
      </div>
    </>
  );
}

const CHOICES: readonly { plan: Plan; label: string }[] = [
  { plan: "none", label: "None" },
  { plan: "solo", label: PLANS.solo.name },
  { plan: "team", label: PLANS.team.name },
];

function PlanChoice({ plan, onChange }: { plan: Plan; onChange: (plan: Plan) => void }) {
  const name = useId();
  return (
    <fieldset className="min-w-240 grow basis-0">
      <legend className="mb-6 block text-13 leading-20! font-medium text-ink">Plan</legend>
      <div className="flex rounded-8 bg-s3 p-2">
        {CHOICES.map(({ plan: value, label }) => (
          <label
            key={value}
            className="flex h-32 flex-1 items-center justify-center rounded-6 px-8 text-13 text-ink2 transition-colors duration-120 has-checked:bg-s2 has-checked:font-medium has-checked:text-ink has-checked:shadow-xs has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus touch:h-40"
          >
            <input type="radio" name={name} value={value} checked={plan === value} onChange={() => onChange(value)} className="sr-only" />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Whether plan and credits hold from the first sign-in. */
export function ActivationSwitch({ isActive, onChange }: { isActive: boolean; onChange: (isActive: boolean) => void }) {
  return (
    <div className="flex min-w-0 flex-1 items-center gap-12">
      <div className="min-w-0 flex-1">
        <p className="text-13 font-medium text-ink">Auto-activate</p>
        <p className="text-13 text-ink2">
          {isActive ? "Plan and credits hold from the first sign-in." : "Credits hold at once, the plan once you approve it."}
        </p>
      </div>
      <Switch label="Auto-activate" checked={isActive} onChange={(event) => onChange(event.target.checked)} />
    </div>
  );
}
