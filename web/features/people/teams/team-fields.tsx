import { type ReactNode, useId, useState } from "react";
import { TEAM_DESCRIPTION_LENGTH, TEAM_NAME_LENGTH } from "#shared/limits.ts";
import { plainName } from "#shared/shown-text.ts";
import { CHANGED_ELSEWHERE, useDraftForm } from "#web/lib/draft-form.ts";
import { focusOnMount } from "#web/ui/focus.ts";
import { fieldClass, TextField } from "#web/ui/text-field.tsx";
import { type TeamDraft, teamDrafts } from "./team-draft.ts";

type TeamFieldsProps = {
  label: string;
  /** Where what is written is kept. */
  draftKey: string;
  saved: TeamDraft;
  isBusy: boolean;
  /** The form was asked for: its first field takes the focus. */
  isAsked?: boolean;
  onSubmit: (team: { name: string; description: string }) => void;
  /** What sends it, and what leaves it. */
  children: ReactNode;
};

/** A team's name and what it is for. */
export function TeamFields({ label, draftKey, saved, isBusy, isAsked = true, onSubmit, children }: TeamFieldsProps) {
  const { draft, hasClash, change, overwrite } = useDraftForm(teamDrafts, draftKey, saved);
  const { name, description } = draft;
  const [isRefused, setRefused] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  const field = useId();
  return (
    <form
      noValidate
      aria-label={label}
      className="space-y-16"
      onSubmit={(event) => {
        event.preventDefault();
        const isEmpty = plainName(name) === "";
        setRefused(isEmpty);
        if (isEmpty || isBusy) return;
        // To be seen before it is replaced.
        setIsWarned(hasClash);
        if (hasClash) overwrite();
        else onSubmit({ name: plainName(name), description: description.trim() });
      }}
    >
      <TextField
        ref={isAsked ? focusOnMount : undefined}
        label="Name"
        autoComplete="off"
        maxLength={TEAM_NAME_LENGTH}
        value={name}
        error={isRefused ? "Team name is required" : null}
        onChange={(event) => {
          change({ name: event.target.value });
          setRefused(false);
        }}
      />
      <div>
        <label htmlFor={field} className="mb-6 block text-13 font-medium text-ink">
          Description <span className="font-normal text-ink2">(optional)</span>
        </label>
        <textarea
          id={field}
          rows={3}
          maxLength={TEAM_DESCRIPTION_LENGTH}
          value={description}
          onChange={(event) => change({ description: event.target.value })}
          className={`${fieldClass} block resize-none py-8 text-14 touch:text-16`}
        />
      </div>
      {isWarned && (
        <p role="alert" className="text-13 text-danger">
          {CHANGED_ELSEWHERE}
        </p>
      )}
      <div className="flex gap-8">{children}</div>
    </form>
  );
}
