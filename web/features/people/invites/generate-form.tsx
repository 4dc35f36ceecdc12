import { Check, TicketPlus } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import type { listInvites } from "#shared/contracts/account/invites.ts";
import type { InviteBalance } from "#shared/entities/invite.ts";
import { showInviteCode } from "#shared/sign-in/invite-code.ts";
import { EMAIL_LENGTH, INVITE_LABEL_LENGTH } from "#shared/limits.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { ApiError } from "#web/lib/api.ts";
import { Button } from "#web/ui/button.tsx";
import { fieldClass, TextField } from "#web/ui/text-field.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { type InviteOptions, NO_OPTIONS, type OptionProblems, readOptions } from "./invite-options.ts";
import { balanceNote, balanceTitle, formatDollars } from "./invite-labels.ts";
import { type Companion, companionOf, inviteLabel, type ShareInvitation, useGenerate, useMailInvitation } from "./use-invites.ts";
import { type Plan, PLANS } from "#shared/plans.ts";
import { isUuid } from "#shared/uuid.ts";
import { cx } from "#web/ui/cx.ts";
import { Switch } from "#web/ui/switch.tsx";

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
function OptionsZone({ options: { plan, credits, teamId }, problems, defaultCredits, onChange, children }: OptionsZoneProps) {
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
function ActivationSwitch({ isActive, onChange }: { isActive: boolean; onChange: (isActive: boolean) => void }) {
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

type GenerateFormProps = {
  answer: ResponseOf<typeof listInvites>;
  /** An address that a chat waits for. */
  sharing: ShareInvitation | null;
  /** The invitation is on its way. */
  onMailed?: (() => void) | undefined;
};

const zoneClass = "-mx-24 border-y border-line bg-s1 px-24 py-16";

/** How many invites are left, and the way to a further one: for oneself to pass on, or for an address that something shared waits for. */
export function GenerateForm({ answer, sharing, onMailed }: GenerateFormProps) {
  const { balance } = answer;
  const { features } = useSession();
  const isAdmin = balance.limit === null;
  const [options, setOptions] = useState(NO_OPTIONS);
  const [to, setTo] = useState(sharing?.email ?? "");
  const [problems, setProblems] = useState<OptionProblems>({});
  const generate = useGenerate();
  const mail = useMailInvitation();

  const companion = companionOf(answer, { email: to, signUpByInvite: features?.signUpByInvite === true });
  const reservedInvite = sharing && companion.kind === "held" ? companion.invite : null;
  const isStuck = sharing ? companion.kind === "stuck" : balance.left === 0;

  const change = (next: Partial<InviteOptions>) => {
    setOptions((before) => ({ ...before, ...next }));
    setProblems({});
  };
  const make = async (label: string) => {
    const read = readOptions(isAdmin ? options : NO_OPTIONS);
    if ("problems" in read) return setProblems(read.problems);
    try {
      return (await generate.mutateAsync({ ...(isAdmin && read.body), sent_to: label || null })).invite;
    } catch (error) {
      if (error instanceof ApiError && error.code === "TEAM_NOT_FOUND") setProblems({ teamId: error.message });
      else toast({ title: failureTitle(error), description: failureDetail(error), tone: "danger" });
      return undefined;
    }
  };
  const send = async (shared: ShareInvitation) => {
    const { of, email } = shared;
    const invite = reservedInvite ?? (companion.kind === "none" ? null : await make(inviteLabel(email)));
    if (invite === undefined) return;
    mail.mutate(
      { ...shared, inviteId: invite?.id ?? null },
      {
        onSuccess: () => {
          toast({ title: "Invitation sent successfully", description: email, tone: "success" });
          onMailed?.();
        },
        onError: (error) => toast({ title: `Failed to share ${of}`, description: error.message, tone: "danger" }),
      },
    );
  };
  const submit = async () => {
    if (generate.isPending || mail.isPending || isStuck) return;
    const given = to.trim();
    if (sharing) return given === "" ? undefined : send({ ...sharing, email: given });
    if (await make(given)) setTo("");
  };
  const button = (
    <Button type="submit" variant="primary" busy={generate.isPending || mail.isPending} disabled={isStuck}>
      <TicketPlus aria-hidden className="size-16" />
      {sharing ? "Send invite" : "Generate"}
    </Button>
  );
  const whom = (
    <TextField
      label={sharing ? "Email" : "Label (optional)"}
      type={sharing ? "email" : "text"}
      maxLength={sharing ? EMAIL_LENGTH : INVITE_LABEL_LENGTH}
      autoComplete="off"
      value={to}
      onChange={(event) => setTo(event.target.value)}
      className={sharing ? "min-w-180 flex-1" : "w-180 max-desk:grow"}
    />
  );
  return (
    <form
      noValidate
      aria-label={sharing ? "Send invite" : "Generate"}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="mb-16 flex flex-wrap items-center gap-x-16 gap-y-12">
        <div className="min-w-200 flex-1">
          <p className="text-18 leading-26! font-medium text-ink">{balanceTitle(balance)}</p>
          <p className="text-13 text-ink2">{balanceNote(balance)}</p>
        </div>
        {!isAdmin && !sharing && button}
      </div>
      {(isAdmin || sharing) && (
        <div className={zoneClass}>
          {isAdmin && !reservedInvite ? (
            <OptionsZone options={options} problems={problems} defaultCredits={balance.default_credits} onChange={change}>
              {whom}
            </OptionsZone>
          ) : (
            <div className="flex flex-wrap items-end gap-12">
              {whom}
              {!isAdmin && button}
            </div>
          )}
          {sharing && (
            <p className="mt-8 text-13 text-ink2">
              {companionNote(companion, balance)} {`The ${sharing.of} is shared as soon as this address signs up.`}
            </p>
          )}
          {isAdmin && (
            <div className="mt-12 flex flex-wrap items-center gap-x-24 gap-y-12">
              {!reservedInvite && <ActivationSwitch isActive={options.isActive} onChange={(isActive) => change({ isActive })} />}
              <span className="ml-auto">{button}</span>
            </div>
          )}
        </div>
      )}
    </form>
  );
}

function companionNote(companion: Companion, { default_credits: credits }: InviteBalance): string {
  switch (companion.kind) {
    case "held":
      return `${showInviteCode(companion.invite.code)} is for this address and goes along.`;
    case "new":
      return "A new invite goes along.";
    case "none":
      return `The mail goes without an invite: this address can sign up by itself, with ${formatDollars(credits)} of credits.`;
    case "stuck":
      return "New accounts need an invite here, and you have none to send along.";
  }
}

function failureTitle(error: unknown): string {
  return error instanceof ApiError && error.code === "NO_INVITES_LEFT" ? error.message : "Failed to generate invite";
}

function failureDetail(error: unknown): string {
  if (!(error instanceof ApiError) || error.code === "NO_INVITES_LEFT") return "";
  return error.message;
}
