import { ChevronRight, Clock } from "lucide-react";
import { useState } from "react";
import type { Schedule } from "#shared/entities/schedules/schedule.ts";
import { SCHEDULE_TITLE_LENGTH } from "#shared/limits.ts";
import { shortTime } from "#shared/schedules/describe-when.ts";
import type { User } from "#shared/entities/user.ts";
import { AUTO_MODEL_ID } from "#shared/models/model-ids.ts";
import { triggeredSettings } from "#shared/tools/triggered-settings.ts";
import { initialValue, parsePrompt, variablesOf } from "#shared/library/prompt-template.ts";
import { useMinute } from "#web/lib/use-minute.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { browserZone, zoneName } from "#web/features/people/time-zone/time-zones.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Select } from "#web/ui/menu/select.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { ModelField } from "#web/features/conversation/models/model-field.tsx";
import { usePersonas } from "#web/features/library/personas/use-personas.ts";
import { AS_IN_NEW_CHATS, personaOptions } from "#web/features/library/personas/persona-options.ts";
import { useNamedWithTeam } from "#web/features/people/teams/use-content-rights.ts";
import { optionalAmong, optionalOf, toggled } from "#web/features/conversation/tools/optional-categories.ts";
import { useCategoriesQuery } from "#web/features/conversation/tools/use-categories.ts";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { LedgerRow } from "#web/ui/ledger.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { usePrompt } from "#web/features/library/prompts/use-prompts.ts";
import { Skeleton } from "#web/ui/skeleton.tsx";
import {
  draftOf,
  newDraft,
  problemOf,
  type SavedPrompt,
  type ScheduleDraft,
  toBody,
  upcoming,
  withWhen,
  withWhenText,
  withZone,
} from "./schedule-draft.ts";
import { useSaveSchedule } from "./use-schedules.ts";
import { WhenFields } from "./when-fields.tsx";

export type ScheduleDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The schedule that is changed; a new one without. */
  existing?: Schedule | undefined;
  /** What a new one sends. */
  text?: string;
  prompt?: SavedPrompt;
  /** The chat that it was opened in. */
  chatId?: string | null;
  onSaved?: () => void;
};

/** Makes or changes a schedule: what is sent, when, and where the answers go. */
export function ScheduleDialog({ open, onOpenChange, existing, onSaved, ...origin }: ScheduleDialogProps) {
  const [id] = useState(() => existing?.id ?? crypto.randomUUID());
  const { user } = useSession();
  const now = useMinute(open).getTime();
  const [draft, setDraft] = useState(() =>
    existing ? draftOf(existing) : newDraft({ ...origin, zone: user?.time_zone ?? browserZone(), now }),
  );
  const save = useSaveSchedule(id, {
    isNew: existing === undefined,
    onSaved: () => {
      onOpenChange(false);
      toast({ title: existing ? "The schedule was changed." : "The schedule is set." });
      onSaved?.();
    },
  });
  const chatId = origin.chatId ?? null;
  const problem = problemOf(draft, now);
  const body = problem === null ? toBody(draft, { id, chatId }) : null;
  const change = (next: Partial<ScheduleDraft>) => setDraft((before) => ({ ...before, ...next }));
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={existing ? "Change schedule" : origin.text || origin.prompt ? "Schedule this" : "New schedule"}
      icon={Clock}
      width={616}
      footer={
        <>
          {/* Beside the button that was pressed: the form's end may be out of sight. */}
          {save.error && (
            <p role="alert" className="min-w-200 flex-1 text-13 text-danger">
              {save.error.message}
            </p>
          )}
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button variant="primary" busy={save.isPending} disabled={body === null} onClick={() => body && save.mutate(body)}>
            {existing ? "Save" : "Schedule"}
          </Button>
        </>
      }
    >
      <div className="space-y-16">
        {draft.prompt === null ? (
          <TextArea label="Message" rows={4} value={draft.text} onChange={({ target }) => change({ text: target.value })} />
        ) : (
          <PromptValues prompt={draft.prompt} values={draft.variables} onChange={(variables) => change({ variables })} />
        )}
        <div>
          <TextField
            label="When"
            value={draft.whenText}
            placeholder="every weekday at 8"
            autoComplete="off"
            error={draft.whenText.trim() !== "" && draft.when === null ? UNKNOWN : undefined}
            onChange={({ target }) => setDraft((before) => withWhenText(before, target.value, now))}
          />
          <div className="mt-8">
            <WhenFields when={draft.when} zone={draft.zone} now={now} onChange={(when) => setDraft((before) => withWhen(before, when))} />
          </div>
          <Upcoming draft={draft} now={now} />
        </div>
        <div className="flex flex-wrap gap-16">
          <Labelled label="Time zone">
            <Select
              label="Time zone"
              className="w-full"
              value={draft.zone}
              options={zoneOptions(draft.zone)}
              onChange={(zone) => setDraft((before) => withZone(before, zone))}
            />
          </Labelled>
          <Labelled label="Answers go to">
            <Select
              label="Answers go to"
              className="w-full"
              value={draft.place}
              options={placesFor(chatId)}
              onChange={(place) => change({ place })}
            />
          </Labelled>
        </div>
        <details className="group">
          <summary className="-ml-6 flex min-h-32 cursor-pointer list-none items-center gap-8 rounded-8 px-6 text-13 font-medium text-ink touch:min-h-44 [&::-webkit-details-marker]:hidden">
            <ChevronRight aria-hidden className="size-16 text-ink2 transition-transform duration-120 group-open:rotate-90" />
            Name, budget and who answers
          </summary>
          <div className="mt-12 space-y-16">
            <div className="flex flex-wrap gap-16">
              <TextField
                className="min-w-200 flex-1"
                label="Name"
                maxLength={SCHEDULE_TITLE_LENGTH}
                placeholder="Its first words"
                value={draft.title}
                onChange={({ target }) => change({ title: target.value })}
              />
              <TextField
                className="min-w-200 flex-1"
                label="Budget a run, in dollars"
                inputMode="decimal"
                autoComplete="off"
                placeholder="The day’s budget alone"
                value={draft.budget}
                onChange={({ target }) => change({ budget: target.value })}
              />
            </div>
            {user && <AnsweredBy draft={draft} user={user} onChange={change} />}
          </div>
        </details>
        {problem !== null && draft.budget !== "" && (
          <p role="alert" className="text-13 text-danger">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  );
}

const UNKNOWN = "Write it like 'tomorrow at 9', 'every first of the month' or 'when https://example.org changes', or choose below.";

function Upcoming({ draft, now }: { draft: ScheduleDraft; now: number }) {
  if (draft.when?.kind === "page")
    return <p className="mt-8 text-13 text-ink2">Its text is compared every hour, clocks and counters left out.</p>;
  const times = upcoming(draft, now);
  if (times.length === 0) return null;
  return (
    <p aria-live="polite" className="mt-8 text-13 text-ink2 tabular-nums">
      {"Next: "}
      {times.map((at, index) => (
        <span key={at}>
          {index > 0 && "; "}
          <span className="whitespace-nowrap">{shortTime(at, draft.zone)}</span>
        </span>
      ))}
    </p>
  );
}

function Labelled({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="min-w-200 flex-1">
      <p aria-hidden className="mb-6 text-13 font-medium text-ink">
        {label}
      </p>
      {children}
    </div>
  );
}

function placesFor(chatId: string | null): { value: ScheduleDraft["place"]; label: string }[] {
  return [
    { value: "new", label: "A new chat each time" },
    ...(chatId === null ? [] : [{ value: "this" as const, label: "This chat" }]),
    { value: "same", label: "One chat that goes on" },
  ];
}

function zoneOptions(chosen: string): { value: string; label: string }[] {
  const known = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", chosen]);
  return [...known].map((id) => ({ value: id, label: zoneName(id) })).toSorted((a, b) => a.label.localeCompare(b.label, "en"));
}

type AnsweredByProps = { draft: ScheduleDraft; user: User; onChange: (change: Partial<ScheduleDraft>) => void };

/** What answers a schedule where that is not left to the settings for triggered messages. */
function AnsweredBy({ draft, user, onChange }: AnsweredByProps) {
  const served = useCategoriesQuery();
  const { personas } = usePersonas();
  const labelOf = useNamedWithTeam();
  const triggered = triggeredSettings(user);
  const categories = served.data?.categories ?? [];
  const { value, options } = personaOptions(personas, { chosen: draft.personaId, labelOf });
  const hint =
    draft.modelId === null ? (
      "That of triggered messages"
    ) : (
      <Button variant="quiet" size="sm" className="-ml-12" onClick={() => onChange({ modelId: null })}>
        Use that of triggered messages
      </Button>
    );
  return (
    <div className="border-t border-line">
      <ModelField
        label="Model"
        hint={hint}
        value={draft.modelId ?? triggered.model_id ?? user.preferred_model ?? AUTO_MODEL_ID}
        error={null}
        onPick={(modelId) => onChange({ modelId })}
      />
      <LedgerRow label="Persona" description="Standing instructions the answers follow">
        <Select
          label="Persona"
          className="w-212 max-[767px]:w-176"
          value={value}
          options={options.map((option) => (option.value === AS_IN_NEW_CHATS ? { ...option, label: "As triggered messages" } : option))}
          onChange={(next) => onChange({ personaId: next === AS_IN_NEW_CHATS ? null : next })}
        />
      </LedgerRow>
      <LedgerRow label="Own tools" description="Instead of those of triggered messages">
        <Switch
          label="Own tools"
          checked={draft.tools !== null}
          onChange={({ target }) => onChange({ tools: target.checked ? triggered.tool_categories : null })}
        />
      </LedgerRow>
      {draft.tools !== null && (
        <fieldset className="border-b border-line pb-8">
          <legend className="sr-only">Tools</legend>
          {optionalOf(categories).map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={draft.tools?.includes(id) ?? false}
              onChange={() => onChange({ tools: optionalAmong(toggled(draft.tools ?? [], id), categories) })}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}

type PromptValuesProps = { prompt: SavedPrompt; values: Record<string, string>; onChange: (values: Record<string, string>) => void };

/** A saved prompt that is sent, with what its places are filled with each time. */
function PromptValues({ prompt, values, onChange }: PromptValuesProps) {
  const { data, isError } = usePrompt(prompt.id);
  const steps = data ? parsePrompt(data.content) : [];
  const variables = variablesOf(steps.flat());
  return (
    <div>
      <p className="text-13 font-medium text-ink">Prompt</p>
      <p className="mt-4 text-14 text-ink2">
        {data?.name ?? prompt.name}
        {steps.length > 1 && `, ${steps.length} steps`}
        {isError && ". It could not be loaded."}
      </p>
      {!data && !isError && <Skeleton className="mt-8 h-36 w-full" />}
      {variables.map((variable) => {
        const value = values[variable.name] ?? initialValue(variable);
        const set = (next: string) => onChange({ ...values, [variable.name]: next });
        return variable.kind === "choice" ? (
          <div key={variable.name} className="mt-12">
            <p className="mb-6 text-13 font-medium text-ink">{variable.name}</p>
            <Select
              label={variable.name}
              value={value}
              options={variable.choices.map((choice) => ({ value: choice, label: choice }))}
              onChange={set}
            />
          </div>
        ) : (
          <TextField
            key={variable.name}
            className="mt-12"
            label={variable.name}
            value={value}
            onChange={({ target }) => set(target.value)}
          />
        );
      })}
    </div>
  );
}
