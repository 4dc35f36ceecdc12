import { type ReactNode, useId, useState } from "react";
import { TEAM_DESCRIPTION_LENGTH, TEAM_NAME_LENGTH } from "#shared/limits.ts";
import { plainName } from "#shared/shown-text.ts";
import { focusOnMount } from "#web/ui/focus-on-mount.ts";
import { fieldClass, TextField } from "#web/ui/text-field.tsx";

type TeamFieldsProps = {
  label: string;
  name?: string;
  description?: string;
  isBusy: boolean;
  /** The form was asked for: its first field takes the focus. */
  isAsked?: boolean;
  onSubmit: (team: { name: string; description: string }) => void;
  /** What sends it, and what leaves it. */
  children: ReactNode;
};

/** A team's name and what it is for. */
export function TeamFields({
  label,
  name: given = "",
  description: initialDescription = "",
  isBusy,
  isAsked = true,
  onSubmit,
  children,
}: TeamFieldsProps) {
  const [name, setName] = useState(given);
  const [description, setDescription] = useState(initialDescription);
  const [isRefused, setRefused] = useState(false);
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
        if (!isEmpty && !isBusy) onSubmit({ name: name.trim(), description: description.trim() });
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
          setName(event.target.value);
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
          onChange={(event) => setDescription(event.target.value)}
          className={`${fieldClass} block resize-none py-8 text-14 touch:text-16`}
        />
      </div>
      <div className="flex gap-8">{children}</div>
    </form>
  );
}
